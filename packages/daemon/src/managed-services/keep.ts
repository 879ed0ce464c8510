/**
 * Reconciler for one managed service (a database or object store). It changes the container until the container
 * matches the row in SQLite.
 */
import { EngineRefused } from '../adapters/engine/errors.ts';
import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { nameRecords } from '../app-spec/names.ts';
import { sentence } from '../app-spec/sentence.ts';
import { TaskFailed } from '../resources/tasks/kind.ts';
import { followClock, isOver } from '../trash/term.ts';
import { bringUp, containerName, isCurrent, rowOf, takeDown } from './container.ts';
import type { ManagedServicesDeps } from './deps.ts';
import type { ManagedService, ManagedServiceRow, Seen } from './managed-service.ts';
import { listens, serviceProblemOf } from './ready.ts';

/**
 * Minimum number of automatic restarts by Docker. At this number, the status text of the service mentions the restarts.
 */
const MIN_REPORTED_RESTARTS = 3;

export interface Pass {
  /**
   * Docker containers of all databases or of all object stores. If a container is down, the list is read again, because
   * a task may have started the container meanwhile.
   */
  observed: readonly ObservedInstance[];
  /**
   * Whether the reconciler may change the container now. For some time after each attempt, the reconciler only saves
   * the state of the container.
   */
  mayHelp: boolean;
  signal: AbortSignal;
}

/**
 * Result of one reconciler run for a managed service: no problem (`well`), repaired (`helped`), or a problem without a
 * repair (`waiting`).
 */
export type KeepOutcome = 'well' | 'helped' | 'waiting';

/**
 * Compares the container of a database or object store with its SQLite row, and corrects differences.
 * @throws EngineUnavailable, EngineRefused
 */
export async function keepManagedService<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
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
    return mayHelp ? withRecordedReason(kind, base, row, () => renew(kind, base, row, signal)) : 'waiting';
  // Resume a paused container here, because the later TCP check succeeds even if the container is paused.
  if (seen.state === 'paused') await base.engine.start(seen.id, signal);
  if (seen.state === 'exited' || seen.state === 'dead' || seen.state === 'created')
    return withRecordedReason(kind, base, row, () => startAgain(kind, base, row, seen, pass));
  if (!seen.connected)
    return mayHelp ? withRecordedReason(kind, base, row, () => renew(kind, base, row, signal)) : 'waiting';
  const found = await look(kind, base, row, seen.restarts, signal);
  /*
   * Check the database server's rules for logins even if the server seems down. Wrong rules may reject the login of the
   * daemon.
   */
  if (!mayHelp || found === 'helped') return found;
  return (await hasRules(kind, base, row.id, signal)) ? found : 'helped';
}

/**
 * Removes the container of a database or object store in the trash. Deletes the data when the retention time in the
 * trash has ended.
 */
async function keepTrashed<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
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
  // Read the row again. While the container stopped, a user may have restored the service from the trash.
  if (isTrashed(now) && isOver(base, now)) await destroy(kind, base, now);
  return 'well';
}

function isTrashed<R extends ManagedServiceRow>(row: R | null): row is R {
  return row !== null && row.deleted_at !== null;
}

/**
 * Permanently removes a managed service (a database or object store) with its data.
 * @throws EngineUnavailable, EngineRefused
 */
export async function destroy<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
): Promise<void> {
  await takeDown(kind, base, row);
  // A temporary database of a task may use the volume of another database. Do not remove such a volume.
  const isShared = kind.all(base.store).some(({ id, volume }) => id !== row.id && volume === row.volume);
  if (!isShared) await base.engine.removeVolume(row.volume);
  base.store.tx((tx) => kind.forget(tx, row));
}

/** Removes a managed service whose creation failed or whose task no longer exists. No app has used the service yet. */
async function removeUnmade<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
): Promise<KeepOutcome> {
  await destroy(kind, base, row);
  return 'well';
}

async function keepStopped<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
  seen: ObservedInstance | undefined,
): Promise<KeepOutcome> {
  if (seen?.state === 'running' || seen?.state === 'restarting' || seen?.state === 'paused')
    await base.engine.stop(seen.id, kind.stop(row));
  note(kind, base, row, 'down', null);
  return 'well';
}

/**
 * Replaces the container of a database or object store that is missing or does not match its SQLite row. The volume
 * stays.
 */
async function renew<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
  signal: AbortSignal,
): Promise<KeepOutcome> {
  note(kind, base, row, 'down', 'A new container with the same data is starting.');
  await bringUp(kind, base, row.id, row.generation + 1, signal);
  await look(kind, base, rowOf(kind, base, row.id), 0, signal);
  return 'helped';
}

async function startAgain<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
  seen: ObservedInstance,
  { mayHelp, signal }: Pass,
): Promise<KeepOutcome> {
  const how = seen.oomKilled ? ' because the container used more memory than its limit' : '';
  const isSaid = !mayHelp && kind.seen(row) === 'down' && row.reason !== null;
  if (!isSaid)
    note(
      kind,
      base,
      row,
      'down',
      `The container exited with code ${seen.exitCode ?? 'unknown'}${how}. Davit restarts it.`,
    );
  if (!mayHelp) return 'waiting';
  try {
    await base.engine.start(seen.id, signal);
    return 'helped';
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    /*
     * A missing network or image can prevent the start. In this case, create a new container. If this fails too, the
     * error contains the reason.
     */
    return renew(kind, base, row, signal);
  }
}

/**
 * Applies this Davit version's rules for logins to a running database server. Replaces the container if necessary.
 * @returns `false` if the container was replaced
 */
async function hasRules<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  id: number,
  signal: AbortSignal,
): Promise<boolean> {
  const row = kind.find(base.store, id);
  if (row === null || kind.renewRules === undefined || (await kind.renewRules(base, row, signal))) return true;
  await withRecordedReason(kind, base, row, () => renew(kind, base, row, signal));
  return false;
}

/** Repairs a database or object store. If the repair fails, saves the reason, which users see as the status. */
async function withRecordedReason<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  { id }: R,
  help: () => Promise<KeepOutcome>,
): Promise<KeepOutcome> {
  try {
    return await help();
  } catch (error) {
    const row = kind.find(base.store, id);
    if (row !== null && (error instanceof EngineRefused || error instanceof TaskFailed))
      note(
        kind,
        base,
        row,
        'down',
        `The container could not be started; Davit tries again. ${sentence(error.message)}`,
      );
    throw error;
  }
}

/**
 * Checks whether the server of a managed service responds. If it responds, sets Docker's restart policy for the
 * container.
 */
async function look<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B,
  row: R,
  restarts: number,
  signal: AbortSignal,
): Promise<KeepOutcome> {
  /*
   * If the server was ready at the last check, a quick TCP check is enough. The full check is slow, because it starts a
   * program in the container.
   */
  if (kind.seen(row) === 'ready' && (await listens(kind, base, row, signal))) return 'well';
  const problem = await serviceProblemOf(kind, base, row, signal);
  if (problem !== null) {
    const again = ` Docker has restarted the container several times.${kind.hasLogs ? ' Check the logs of the container.' : ''}`;
    note(
      kind,
      base,
      row,
      'silent',
      `The container is running, but the server in it does not respond.${restarts >= MIN_REPORTED_RESTARTS ? again : ''}`,
    );
    return 'waiting';
  }
  if (row.container_id !== null) await keepRunning(base, row.container_id);
  note(kind, base, row, 'ready', null);
  await base.engine.publishNames(nameRecords(base));
  return 'well';
}

/**
 * Sets Docker's restart policy for a container. Docker refuses this if the container has already exited. In this case,
 * the next reconciler run starts the container.
 */
async function keepRunning({ engine }: ManagedServicesDeps, containerId: string): Promise<void> {
  await engine.keepRunning(containerId).catch((error: unknown) => {
    if (!(error instanceof EngineRefused)) throw error;
  });
}

function note<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { store }: B,
  row: R,
  seen: Seen,
  reason: string | null,
): void {
  if (kind.seen(row) === seen && row.reason === reason) return;
  store.tx((tx) => kind.change(tx, row.id, { seen, reason }, { change: 'status' }));
}
