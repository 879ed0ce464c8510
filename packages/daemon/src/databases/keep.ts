/** Brings one database to what its record wants, from whatever the engine shows of it. */
import { EngineRefused, type ObservedInstance } from '../engine/engine.ts';
import { databaseContainerName } from '../engine/names.ts';
import { nameRecords } from '../release/names.ts';
import { type DatabaseObserved, type DatabaseRow, forgetDatabase, setDatabase } from '../store/managed-database.ts';
import type { DatabaseBase } from './base.ts';
import { bringUp, databaseRow, isCurrent, takeDown } from './container.ts';
import { DIALECTS } from './dialects/index.ts';
import { isReady } from './ready.ts';

/** How often the engine may have started it by itself until it is said so. */
const RESTARTS_TOLD = 3;

/**
 * @returns whether something had to be done for it to run: not too often, then
 * @throws EngineUnavailable, EngineRefused
 */
export async function keepDatabase(base: DatabaseBase, row: DatabaseRow, signal: AbortSignal): Promise<boolean> {
  if (row.state === 'hidden') return false;
  if (row.deleted_at !== null) return keepTrashed(base, row);
  if (row.state !== 'made') return removeUnmade(base, row);
  const seen = await seenOf(base, row, signal);
  if (row.wanted === 'stopped') return keepStopped(base, row, seen);
  if (seen === undefined || !isCurrent(row)) return renew(base, row, signal);
  if (seen.state === 'exited' || seen.state === 'dead' || seen.state === 'created')
    return startAgain(base, row, seen, signal);
  await look(base, row, seen, signal);
  return false;
}

async function seenOf({ engine, facts }: DatabaseBase, row: DatabaseRow, signal: AbortSignal) {
  const name = databaseContainerName(facts.id, row.id, row.generation);
  return (await engine.observe(signal)).find((seen) => seen.id === row.container_id || seen.name === name);
}

/** Its container goes at once, its data when its time is over. */
async function keepTrashed(base: DatabaseBase, row: DatabaseRow): Promise<boolean> {
  if (row.container_id !== null || row.address !== null) {
    await takeDown(base, row);
    base.store.tx((tx) => setDatabase(tx, row.id, { address: null, observed: 'down' }));
    await base.engine.publishNames(nameRecords(base));
  }
  if (row.expires_at === null || row.expires_at > base.now()) return false;
  await base.engine.removeVolume(row.volume);
  base.store.tx((tx) => forgetDatabase(tx, row.id));
  return false;
}

/** One whose making failed, or whose task is not known any more: nobody had anything in it. */
async function removeUnmade(base: DatabaseBase, row: DatabaseRow): Promise<boolean> {
  await takeDown(base, row);
  await base.engine.removeVolume(row.volume);
  base.store.tx((tx) => forgetDatabase(tx, row.id));
  return false;
}

async function keepStopped(base: DatabaseBase, row: DatabaseRow, seen: ObservedInstance | undefined): Promise<boolean> {
  if (seen?.state === 'running' || seen?.state === 'restarting') {
    await base.engine.stop(seen.id, DIALECTS[row.engine].stop);
  }
  note(base, row, 'down', null);
  return false;
}

/** Its container is gone, or is not what the record says: a new one of the same data. */
async function renew(base: DatabaseBase, row: DatabaseRow, signal: AbortSignal): Promise<boolean> {
  note(base, row, 'down', 'Its container was gone: a new one of the same data is started.');
  await bringUp(base, row.id, row.generation + 1, signal);
  await look(base, databaseRow(base, row.id), undefined, signal);
  return true;
}

async function startAgain(
  base: DatabaseBase,
  row: DatabaseRow,
  seen: ObservedInstance,
  signal: AbortSignal,
): Promise<boolean> {
  const how = seen.oomKilled ? ' because it took more memory than its limit' : '';
  note(base, row, 'down', `It ended with exit code ${seen.exitCode ?? 'unknown'}${how}, and is started again.`);
  await base.engine.start(seen.id, signal);
  return true;
}

/** Whether it answers; one that does is the engine's to restart from here on. */
async function look(
  base: DatabaseBase,
  row: DatabaseRow,
  seen: ObservedInstance | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isReady(base, row.id, signal))) {
    const again =
      (seen?.restarts ?? 0) >= RESTARTS_TOLD ? ' The engine has started it over and over: see its logs.' : '';
    return note(base, row, 'unready', `It runs and does not answer.${again}`);
  }
  if (row.observed === 'ready') return;
  if (row.container_id !== null) await keepRunning(base, row.container_id);
  note(base, row, 'ready', null);
  await base.engine.publishNames(nameRecords(base));
}

/** It may have ended in between, which the next pass sees. */
async function keepRunning({ engine }: DatabaseBase, containerId: string): Promise<void> {
  await engine.keepRunning(containerId).catch((error: unknown) => {
    if (!(error instanceof EngineRefused)) throw error;
  });
}

function note(
  { store }: DatabaseBase,
  { id, observed, reason }: DatabaseRow,
  now: DatabaseObserved,
  why: string | null,
) {
  if (observed === now && reason === why) return;
  store.tx((tx) => setDatabase(tx, id, { observed: now, reason: why }, { change: 'status' }));
}
