/** Brings one resident to what its record wants, from whatever the engine shows of it. */
import { EngineRefused } from '../adapters/engine/errors.ts';
import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { nameRecords } from '../app-spec/names.ts';
import { sentence } from '../app-spec/sentence.ts';
import { TaskFailed } from '../resources/tasks/kind.ts';
import { followClock, isOver } from '../trash/term.ts';
import { bringUp, containerName, isCurrent, rowOf, takeDown } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import { listens, serviceProblemOf } from './ready.ts';
import type { Resident, ResidentRow, Seen } from './resident.ts';

/** How often the engine may have started it by itself until it is said so. */
const RESTARTS_TOLD = 3;

export interface Pass {
  /** What the engine has of the kind, as it was no earlier than the row. */
  observed: readonly ObservedInstance[];
  /** False: it was helped, or could not be, a short while ago. It is looked at all the same. */
  mayHelp: boolean;
  signal: AbortSignal;
}

/** `waiting`: it is not well, and nothing was done for it. */
export type KeepOutcome = 'well' | 'helped' | 'waiting';

/** @throws EngineUnavailable, EngineRefused */
export async function keepResident<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
  pass: Pass,
): Promise<KeepOutcome> {
  const { observed, mayHelp, signal } = pass;
  if (row.state === 'hidden') return 'well';
  if (row.deleted_at !== null) return mayHelp ? keepTrashed(kind, base, row) : 'waiting';
  if (row.state !== 'made') return mayHelp ? removeUnmade(kind, base, row) : 'waiting';
  const name = containerName(kind, base.facts.id, row);
  const seen = observed.find((one) => one.id === row.container_id || one.name === name);
  if (row.wanted === 'stopped') return keepStopped(kind, base, row, seen);
  if (seen === undefined || !isCurrent(kind, row))
    return mayHelp ? tellingWhy(kind, base, row, () => renew(kind, base, row, signal)) : 'waiting';
  // A paused container keeps its port open without answering, so a port check would succeed.
  if (seen.state === 'paused') await base.engine.start(seen.id, signal);
  if (seen.state === 'exited' || seen.state === 'dead' || seen.state === 'created')
    return tellingWhy(kind, base, row, () => startAgain(kind, base, row, seen, pass));
  if (!seen.connected) return mayHelp ? tellingWhy(kind, base, row, () => renew(kind, base, row, signal)) : 'waiting';
  const found = await look(kind, base, row, seen.restarts, signal);
  // Also for a server that does not answer: it may refuse only the instance.
  if (!mayHelp || found === 'helped') return found;
  return (await hasRules(kind, base, row.id, signal)) ? found : 'helped';
}

/** Its container goes at once, its data when its time is over. */
async function keepTrashed<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
): Promise<KeepOutcome> {
  if (row.container_id !== null || row.address !== null) {
    await takeDown(kind, base, row);
    base.store.tx((tx) => {
      if (isTrashed(kind.find(tx, row.id))) kind.change(tx, row.id, { address: null, seen: 'down' });
    });
    await base.engine.publishNames(nameRecords(base));
  }
  const now = base.store.tx((tx) => {
    followClock(base, tx);
    return kind.find(tx, row.id);
  });
  // It may have been brought back while its container ended.
  if (isTrashed(now) && isOver(base, now)) await destroy(kind, base, now);
  return 'well';
}

function isTrashed<R extends ResidentRow>(row: R | null): row is R {
  return row !== null && row.deleted_at !== null;
}

/** Removes one for good, with its data. @throws EngineUnavailable, EngineRefused */
export async function destroy<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
): Promise<void> {
  await takeDown(kind, base, row);
  // A task's own may have been another way to the data of somebody else's.
  const isShared = kind.all(base.store).some(({ id, volume }) => id !== row.id && volume === row.volume);
  if (!isShared) await base.engine.removeVolume(row.volume);
  base.store.tx((tx) => kind.forget(tx, row));
}

/** One whose making failed, or whose task is not known any more: nobody had anything in it. */
async function removeUnmade<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
): Promise<KeepOutcome> {
  await destroy(kind, base, row);
  return 'well';
}

async function keepStopped<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
  seen: ObservedInstance | undefined,
): Promise<KeepOutcome> {
  if (seen?.state === 'running' || seen?.state === 'restarting' || seen?.state === 'paused')
    await base.engine.stop(seen.id, kind.stop(row));
  note(kind, base, row, 'down', null);
  return 'well';
}

/** Its container is gone, or is not what the record says: a new one of the same data. */
async function renew<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
  signal: AbortSignal,
): Promise<KeepOutcome> {
  note(kind, base, row, 'down', 'A new container of the same data is started.');
  await bringUp(kind, base, row.id, row.generation + 1, signal);
  await look(kind, base, rowOf(kind, base, row.id), 0, signal);
  return 'helped';
}

async function startAgain<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
  seen: ObservedInstance,
  { mayHelp, signal }: Pass,
): Promise<KeepOutcome> {
  const how = seen.oomKilled ? ' because it took more memory than its limit' : '';
  const isSaid = !mayHelp && kind.seen(row) === 'down' && row.reason !== null;
  if (!isSaid)
    note(kind, base, row, 'down', `It ended with exit code ${seen.exitCode ?? 'unknown'}${how}, and is started again.`);
  if (!mayHelp) return 'waiting';
  try {
    await base.engine.start(seen.id, signal);
    return 'helped';
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    // The network or the image may be missing: creating a new container works, or fails with that reason.
    return renew(kind, base, row, signal);
  }
}

/** Whether its logins have the rules of this version; where only a new container can bring it to them, that is started. */
async function hasRules<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  id: number,
  signal: AbortSignal,
): Promise<boolean> {
  const row = kind.find(base.store, id);
  if (row === null || kind.renewRules === undefined || (await kind.renewRules(base, row, signal))) return true;
  await tellingWhy(kind, base, row, () => renew(kind, base, row, signal));
  return false;
}

/** What keeps it from being started is said of it too, in the words of who knows. */
async function tellingWhy<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  { id }: R,
  help: () => Promise<KeepOutcome>,
): Promise<KeepOutcome> {
  try {
    return await help();
  } catch (error) {
    const row = kind.find(base.store, id);
    if (row !== null && (error instanceof EngineRefused || error instanceof TaskFailed))
      note(kind, base, row, 'down', `It cannot be started, and is tried again: ${sentence(error.message)}`);
    throw error;
  }
}

/** Whether it answers; one that does is the engine's to restart from here on. */
async function look<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B,
  row: R,
  restarts: number,
  signal: AbortSignal,
): Promise<KeepOutcome> {
  // What answered once is asked whether it is there, which costs nothing; a program inside of it would, every time.
  if (kind.seen(row) === 'ready' && (await listens(kind, base, row, signal))) return 'well';
  const problem = await serviceProblemOf(kind, base, row, signal);
  if (problem !== null) {
    const again = ` The engine has started it over and over${kind.hasLogs ? ': see its logs' : ''}.`;
    note(kind, base, row, 'silent', `It runs and does not answer.${restarts >= RESTARTS_TOLD ? again : ''}`);
    return 'waiting';
  }
  if (row.container_id !== null) await keepRunning(base, row.container_id);
  note(kind, base, row, 'ready', null);
  await base.engine.publishNames(nameRecords(base));
  return 'well';
}

/** It may have ended in between, which the next pass sees. */
async function keepRunning({ engine }: ManagedServicesDeps, containerId: string): Promise<void> {
  await engine.keepRunning(containerId).catch((error: unknown) => {
    if (!(error instanceof EngineRefused)) throw error;
  });
}

function note<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  { store }: B,
  row: R,
  seen: Seen,
  reason: string | null,
): void {
  if (kind.seen(row) === seen && row.reason === reason) return;
  store.tx((tx) => kind.change(tx, row.id, { seen, reason }, { change: 'status' }));
}
