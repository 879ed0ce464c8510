/** Brings one store to what its record wants, from whatever the engine shows of it. */
import { EngineRefused } from '../../engine/errors.ts';
import type { ObservedInstance } from '../../engine/instance.ts';
import { storeContainerName } from '../../engine/names.ts';
import { nameRecords } from '../../release/names.ts';
import { managedStoreById, setManagedStore } from '../../store/managed-store.ts';
import { deleteStoreRow, type ManagedStoreRow } from '../../store/object-store.ts';
import { bringUp, isCurrent, STORE_STOP, storeRow, takeDown } from './container.ts';
import type { StoreBase } from './kinds.ts';
import { isReady } from './ready.ts';

/** How often the engine may have started it by itself until it is said so. */
const RESTARTS_TOLD = 3;

/**
 * @param observed what the engine has of stores, as it was a moment ago
 * @returns whether something had to be done for it to run: not too often, then
 * @throws EngineUnavailable, EngineRefused
 */
export async function keepStore(
  base: StoreBase,
  row: ManagedStoreRow,
  observed: readonly ObservedInstance[],
  signal: AbortSignal,
): Promise<boolean> {
  if (row.deleted_at !== null) return keepTrashed(base, row);
  if (row.state !== 'made') return removeUnmade(base, row);
  const name = storeContainerName(base.facts.id, row.id, row.generation);
  const seen = observed.find((one) => one.id === row.container_id || one.name === name);
  if (row.wanted === 'stopped') return keepStopped(base, row, seen);
  if (seen === undefined || !isCurrent(row)) return renew(base, row, signal);
  if (seen.state === 'exited' || seen.state === 'dead' || seen.state === 'created')
    return startAgain(base, row, seen, signal);
  await look(base, row, seen.restarts, signal);
  return false;
}

/** Its container goes at once, its objects when its time is over. */
async function keepTrashed(base: StoreBase, row: ManagedStoreRow): Promise<boolean> {
  if (row.container_id !== null || row.address !== null) {
    await takeDown(base, row);
    base.store.tx((tx) => {
      if (isTrashed(managedStoreById(tx, row.id))) setManagedStore(tx, row.id, { address: null, observed: 'down' });
    });
    await base.engine.publishNames(nameRecords(base));
  }
  const now = managedStoreById(base.store, row.id);
  // It may have been brought back while its container ended.
  if (isTrashed(now) && now.expires_at !== null && now.expires_at <= base.now()) await destroy(base, now);
  return false;
}

function isTrashed(row: ManagedStoreRow | null): row is ManagedStoreRow {
  return row !== null && row.deleted_at !== null;
}

/** Removes one for good, with its objects. @throws EngineUnavailable, EngineRefused */
export async function destroy(base: StoreBase, row: ManagedStoreRow): Promise<void> {
  await takeDown(base, row);
  await base.engine.removeVolume(row.volume);
  base.store.tx((tx) => deleteStoreRow(tx, row));
}

/** One whose making failed, or whose task is not known any more: nobody had anything in it. */
async function removeUnmade(base: StoreBase, row: ManagedStoreRow): Promise<boolean> {
  await destroy(base, row);
  return false;
}

async function keepStopped(
  base: StoreBase,
  row: ManagedStoreRow,
  seen: ObservedInstance | undefined,
): Promise<boolean> {
  if (seen?.state === 'running' || seen?.state === 'restarting') await base.engine.stop(seen.id, STORE_STOP);
  note(base, row, 'down', null);
  return false;
}

/** Its container is gone, or is not what the record says: a new one of the same objects. */
async function renew(base: StoreBase, row: ManagedStoreRow, signal: AbortSignal): Promise<boolean> {
  note(base, row, 'down', 'Its container was gone: a new one of the same objects is started.');
  await bringUp(base, row.id, row.generation + 1, signal);
  await look(base, storeRow(base, row.id), 0, signal);
  return true;
}

async function startAgain(
  base: StoreBase,
  row: ManagedStoreRow,
  seen: ObservedInstance,
  signal: AbortSignal,
): Promise<boolean> {
  const how = seen.oomKilled ? ' because it took more memory than its limit' : '';
  note(base, row, 'down', `It ended with exit code ${seen.exitCode ?? 'unknown'}${how}, and is started again.`);
  await base.engine.start(seen.id, signal);
  return true;
}

/** Whether it answers; one that does is the engine's to restart from here on. */
async function look(base: StoreBase, row: ManagedStoreRow, restarts: number, signal: AbortSignal): Promise<void> {
  if (row.container_id === null || !(await isReady(base, row.container_id, signal))) {
    const again = restarts >= RESTARTS_TOLD ? ' The engine has started it over and over: see its container’s log.' : '';
    return note(base, row, 'silent', `It runs and does not answer.${again}`);
  }
  if (row.observed === 'up') return;
  // It may have ended in between, which the next pass sees.
  await base.engine.keepRunning(row.container_id).catch((error: unknown) => {
    if (!(error instanceof EngineRefused)) throw error;
  });
  note(base, row, 'up', null);
  await base.engine.publishNames(nameRecords(base));
}

function note(
  { store }: StoreBase,
  { id, observed, reason }: ManagedStoreRow,
  now: ManagedStoreRow['observed'],
  why: string | null,
): void {
  if (observed === now && reason === why) return;
  store.tx((tx) => setManagedStore(tx, id, { observed: now, reason: why }, { change: 'status' }));
}
