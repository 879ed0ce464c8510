/** Brings one database to what its record wants, from whatever the engine shows of it. */
import { EngineRefused } from '../engine/errors.ts';
import type { ObservedInstance } from '../engine/instance.ts';
import { databaseContainerName } from '../engine/names.ts';
import { nameRecords } from '../release/names.ts';
import {
  type DatabaseObserved,
  type DatabaseRow,
  databaseById,
  forgetDatabase,
  setDatabase,
} from '../store/managed-database.ts';
import type { DatabaseBase } from './base.ts';
import { bringUp, databaseRow, isCurrent, takeDown } from './container.ts';
import { DIALECTS } from './dialects/index.ts';
import { isReady } from './ready.ts';

/** How often the engine may have started it by itself until it is said so. */
const RESTARTS_TOLD = 3;

const PROBE_MS = 2_000;

export interface Pass {
  /** What the engine has of databases, at its beginning. */
  observed: readonly ObservedInstance[];
  /** False: it was helped, or could not be, a short while ago. It is looked at all the same. */
  mayHelp: boolean;
  signal: AbortSignal;
}

/** `waiting`: it is not well, and nothing was done for it. */
export type Found = 'well' | 'helped' | 'waiting';

/** @throws EngineUnavailable, EngineRefused */
export async function keepDatabase(base: DatabaseBase, row: DatabaseRow, pass: Pass): Promise<Found> {
  const { observed, mayHelp, signal } = pass;
  if (row.state === 'hidden') return 'well';
  if (row.deleted_at !== null) return mayHelp ? keepTrashed(base, row) : 'waiting';
  if (row.state !== 'made') return mayHelp ? removeUnmade(base, row) : 'waiting';
  const name = databaseContainerName(base.facts.id, row.id, row.generation);
  const seen = observed.find((one) => one.id === row.container_id || one.name === name);
  if (row.wanted === 'stopped') return keepStopped(base, row, seen);
  if (seen === undefined || !isCurrent(row)) return mayHelp ? renew(base, row, signal) : 'waiting';
  if (seen.state === 'exited' || seen.state === 'dead' || seen.state === 'created')
    return mayHelp ? startAgain(base, row, seen, signal) : 'waiting';
  return look(base, row, seen, signal);
}

/** Its container goes at once, its data when its time is over. */
async function keepTrashed(base: DatabaseBase, row: DatabaseRow): Promise<Found> {
  if (row.container_id !== null || row.address !== null) {
    await takeDown(base, row);
    base.store.tx((tx) => {
      if (isTrashed(databaseById(tx, row.id))) setDatabase(tx, row.id, { address: null, observed: 'down' });
    });
    await base.engine.publishNames(nameRecords(base));
  }
  const now = databaseById(base.store, row.id);
  // It may have been brought back while its container ended.
  if (!isTrashed(now) || now.expires_at === null || now.expires_at > base.now()) return 'well';
  await base.engine.removeVolume(row.volume);
  base.store.tx((tx) => forgetDatabase(tx, row.id));
  return 'well';
}

function isTrashed(row: DatabaseRow | undefined): row is DatabaseRow {
  return row !== undefined && row.deleted_at !== null;
}

/** One whose making failed, or whose task is not known any more: nobody had anything in it. */
async function removeUnmade(base: DatabaseBase, row: DatabaseRow): Promise<Found> {
  await takeDown(base, row);
  await base.engine.removeVolume(row.volume);
  base.store.tx((tx) => forgetDatabase(tx, row.id));
  return 'well';
}

async function keepStopped(base: DatabaseBase, row: DatabaseRow, seen: ObservedInstance | undefined): Promise<Found> {
  if (seen?.state === 'running' || seen?.state === 'restarting') {
    await base.engine.stop(seen.id, DIALECTS[row.engine].stop);
  }
  note(base, row, 'down', null);
  return 'well';
}

/** Its container is gone, or is not what the record says: a new one of the same data. */
async function renew(base: DatabaseBase, row: DatabaseRow, signal: AbortSignal): Promise<Found> {
  note(base, row, 'down', 'Its container was gone: a new one of the same data is started.');
  await bringUp(base, row.id, row.generation + 1, signal);
  await look(base, databaseRow(base, row.id), undefined, signal);
  return 'helped';
}

async function startAgain(
  base: DatabaseBase,
  row: DatabaseRow,
  seen: ObservedInstance,
  signal: AbortSignal,
): Promise<Found> {
  const how = seen.oomKilled ? ' because it took more memory than its limit' : '';
  note(base, row, 'down', `It ended with exit code ${seen.exitCode ?? 'unknown'}${how}, and is started again.`);
  await base.engine.start(seen.id, signal);
  return 'helped';
}

/** Whether it answers; one that does is the engine's to restart from here on. */
async function look(
  base: DatabaseBase,
  row: DatabaseRow,
  seen: ObservedInstance | undefined,
  signal: AbortSignal,
): Promise<Found> {
  if (row.observed === 'ready' && (await stillListens(base, row, signal))) return 'well';
  if (!(await isReady(base, row.id, signal))) {
    const again =
      (seen?.restarts ?? 0) >= RESTARTS_TOLD ? ' The engine has started it over and over: see its logs.' : '';
    note(base, row, 'unready', `It runs and does not answer.${again}`);
    return 'waiting';
  }
  if (row.container_id !== null) await keepRunning(base, row.container_id);
  note(base, row, 'ready', null);
  await base.engine.publishNames(nameRecords(base));
  return 'well';
}

/** What answered once is asked whether it is there, which costs nothing; a program inside of it would, every time. */
async function stillListens({ engine }: DatabaseBase, row: DatabaseRow, signal: AbortSignal): Promise<boolean> {
  const probe = { kind: 'tcp', port: DIALECTS[row.engine].port, timeoutMs: PROBE_MS } as const;
  return (await engine.probe(row.container_id ?? '', probe, signal)).ok;
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
