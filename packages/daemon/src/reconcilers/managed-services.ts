import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { openTaskOf } from '../db/tables/task.ts';
import { containerName } from '../managed-services/container.ts';
import type { ManagedServicesDeps } from '../managed-services/deps.ts';
import { keepManagedService, type Pass } from '../managed-services/keep.ts';
import { applyServiceLimits, hasLimits } from '../managed-services/limits.ts';
import type { ManagedService, ManagedServiceRow } from '../managed-services/managed-service.ts';
import { Backoff } from '../time/backoff.ts';
import type { ReconcilersDeps } from './deps.ts';
import { Lanes } from './lanes.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 10_000;
const AWAY_MS = 1_000;

export interface ManagedServicesLog {
  warn(fields: object, message: string): void;
}

/**
 * Starts the databases or object stores that should run, and stops all others. The delay between attempts doubles after
 * each failure.
 */
export function managedServicesTask<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  name: string,
  kind: ManagedService<R, B>,
  base: B & ReconcilersDeps,
  log: ManagedServicesLog,
): Task {
  const backoff = new Backoff(base.now);
  /** Delays between attempts to apply limits that Docker refused. The delay increases after each attempt. */
  const limits = new Backoff(base.now);
  const lanes = new Lanes();
  // Always list the containers in the first run, because a crash may leave containers without a database row.
  let hadAny = true;

  async function attempt(id: number, pass: Pass): Promise<void> {
    const row = kind.find(base.store, id);
    if (row === null || isTasks(kind, base, row)) return;
    try {
      const observed = await seenSince(kind, base, row, pass);
      await keepLimits(row, observed, pass.signal);
      const found = await keepManagedService(kind, base, row, { ...pass, observed });
      if (found === 'helped') backoff.failed(id);
      if (found === 'well') backoff.succeeded(id);
    } catch (error) {
      if (error instanceof EngineUnavailable || pass.signal.aborted) throw error;
      backoff.failed(id);
      const fields = { [kind.subject]: kind.reference(row), error };
      log.warn(fields, `the ${kind.noun} could not be reconciled; Davit tries again`);
    }
  }

  /**
   * Applies the limits to a managed service. If Docker refuses, the reconciler continues with other checks, because the
   * service works without the limits.
   */
  async function keepLimits(row: R, observed: Pass['observed'], signal: AbortSignal): Promise<void> {
    if (hasLimits(row)) return limits.succeeded(row.id);
    const isKept =
      row.deleted_at === null && row.state === 'made' && observed.some(({ id }) => id === row.container_id);
    if (!isKept || !limits.isDue(row.id)) return;
    try {
      await applyServiceLimits(kind, base, row.id, signal);
      limits.succeeded(row.id);
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      limits.failed(row.id);
      const fields = { [kind.subject]: kind.reference(row), error };
      log.warn(fields, `Docker refuses the limits of the ${kind.noun}; Davit tries again`);
    }
  }

  async function pass(signal: AbortSignal): Promise<void> {
    const rows = kind.all(base.store);
    // If there are no services of this kind (databases or object stores), send no request to Docker.
    if (rows.length === 0 && !hadAny) return;
    const observed = await containersOf(kind, base, signal);
    await removeStrays(kind, base, observed, lanes);
    await lanes.run(
      rows.map(({ id }) => id),
      (id) => attempt(id, { observed, mayHelp: backoff.isDue(id), signal }),
      signal,
    );
    hadAny = rows.length > 0;
  }

  return {
    name,
    everyMs: LOOK_MS,
    async run(signal) {
      try {
        await pass(signal);
        return undefined;
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        // Another reconciler already reports that Docker is unavailable. So only try again later.
        return AWAY_MS;
      }
    },
    settled: () => lanes.settled(),
  };
}

/**
 * Returns whether a task works on a managed service. Returns `false` for a service in the trash. In this case, the task
 * works on a newer service with the same name.
 */
function isTasks<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { store }: ReconcilersDeps,
  row: R,
): boolean {
  return row.deleted_at === null && openTaskOf(store, kind.subject, kind.reference(row)) !== undefined;
}

/**
 * Returns the containers from Docker. If the container was not running, reads the list again, because a task may have
 * started the container meanwhile.
 */
async function seenSince<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  base: B & ReconcilersDeps,
  row: R,
  pass: Pass,
) {
  const isSeen = pass.observed.some(({ id, state }) => id === row.container_id && state === 'running');
  return isSeen || row.container_id === null ? pass.observed : containersOf(kind, base, pass.signal);
}

async function containersOf<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { engine }: ReconcilersDeps,
  signal: AbortSignal,
): Promise<ObservedInstance[]> {
  return (await engine.observe(signal)).filter((seen) => seen.kind === kind.label);
}

/**
 * Removes containers of managed services that the database does not contain. Such containers can appear again after a
 * power failure.
 */
async function removeStrays<R extends ManagedServiceRow, B extends ManagedServicesDeps>(
  kind: ManagedService<R, B>,
  { engine, store, facts }: ReconcilersDeps,
  observed: readonly ObservedInstance[],
  lanes: Lanes,
): Promise<void> {
  const rows = kind.all(store);
  for (const { id, name } of observed) {
    const owner = rows.find((row) => name.startsWith(`${kind.volumeName(facts.id, row.id)}-`));
    /*
     * Keep the containers of a service that a task or an earlier run is changing. The database may not contain a new
     * container yet.
     */
    const isChanging =
      owner !== undefined &&
      (lanes.isBusy(owner.id) || openTaskOf(store, kind.subject, kind.reference(owner)) !== undefined);
    const isRecorded = rows.some((row) => id === row.container_id || name === containerName(kind, facts.id, row));
    if (!isChanging && !isRecorded) await engine.remove(id);
  }
}
