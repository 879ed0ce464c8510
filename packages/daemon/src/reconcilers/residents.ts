import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { openTaskOf } from '../db/tables/task.ts';
import { containerName } from '../managed-services/container.ts';
import type { ManagedServicesDeps } from '../managed-services/deps.ts';
import { keepResident, type Pass } from '../managed-services/keep.ts';
import { applyServiceLimits, hasLimits } from '../managed-services/limits.ts';
import type { Resident, ResidentRow } from '../managed-services/resident.ts';
import { Backoff } from '../time/backoff.ts';
import type { ReconcilersDeps } from './deps.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 10_000;
const AWAY_MS = 1_000;

export interface ResidentsLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps every resident of a kind as its record wants it: one that should run runs and is looked at, one that should not does
 * not, what is in the trash has no container. Limits that the engine did not take are given to it again. One that cannot be
 * helped is tried again after longer and longer pauses, and keeps none of the others; nothing is left of what no record names
 * any more.
 */
export function residentsTask<R extends ResidentRow, B extends ManagedServicesDeps>(
  name: string,
  kind: Resident<R, B>,
  base: B & ReconcilersDeps,
  log: ResidentsLog,
): Task {
  const backoff = new Backoff(base.now);
  /** Of limits that the engine refused. */
  const limits = new Backoff(base.now);
  // A crash may have left what no record names any more.
  let hadAny = true;

  async function attempt(id: number, pass: Pass): Promise<void> {
    const row = kind.find(base.store, id);
    if (row === null || isTasks(kind, base, row)) return;
    try {
      const observed = await seenSince(kind, base, row, pass);
      await keepLimits(row, observed, pass.signal);
      const found = await keepResident(kind, base, row, { ...pass, observed });
      if (found === 'helped') backoff.failed(id);
      if (found === 'well') backoff.succeeded(id);
    } catch (error) {
      if (error instanceof EngineUnavailable || pass.signal.aborted) throw error;
      backoff.failed(id);
      const fields = { [kind.noun]: kind.reference(row), error };
      log.warn(fields, `a ${kind.noun} is not as it should be: it is tried again`);
    }
  }

  /** A server whose limits the engine does not take works all the same, and is looked after like any other. */
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
      const fields = { [kind.noun]: kind.reference(row), error };
      log.warn(fields, `the engine does not take the limits of a ${kind.noun}: they are tried again`);
    }
  }

  async function pass(signal: AbortSignal): Promise<void> {
    const rows = kind.all(base.store);
    // Most instances have no stores, and ask the engine nothing of them.
    if (rows.length === 0 && !hadAny) return;
    const observed = await containersOf(kind, base, signal);
    await removeStrays(kind, base, observed);
    for (const { id } of rows) {
      signal.throwIfAborted();
      await attempt(id, { observed, mayHelp: backoff.isDue(id), signal });
    }
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
        // The sight of the engine tells of that; what was last seen of each stays.
        return AWAY_MS;
      }
    },
  };
}

/** One that a task is open for is the task's business, unless it is in the trash: its name may be another one's by now. */
function isTasks<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  { store }: ReconcilersDeps,
  row: R,
): boolean {
  return row.deleted_at === null && openTaskOf(store, kind.noun, kind.reference(row)) !== undefined;
}

/** A container that a task has made or started since the pass began is not one that is gone. */
async function seenSince<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  base: B & ReconcilersDeps,
  row: R,
  pass: Pass,
) {
  const isSeen = pass.observed.some(({ id, state }) => id === row.container_id && state === 'running');
  return isSeen || row.container_id === null ? pass.observed : containersOf(kind, base, pass.signal);
}

async function containersOf<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  { engine }: ReconcilersDeps,
  signal: AbortSignal,
): Promise<ObservedInstance[]> {
  return (await engine.observe(signal)).filter((seen) => seen.kind === kind.noun);
}

/**
 * Removes containers without a record: those of a database or store that does not exist any more, or of another
 * generation than the recorded one. A power loss can restore a container that the engine had removed. Volumes stay.
 */
async function removeStrays<R extends ResidentRow, B extends ManagedServicesDeps>(
  kind: Resident<R, B>,
  { engine, store, facts }: ReconcilersDeps,
  observed: readonly ObservedInstance[],
): Promise<void> {
  const rows = kind.all(store);
  for (const { id, name } of observed) {
    const owner = rows.find((row) => name.startsWith(`${kind.volumeName(facts.id, row.id)}-`));
    // A task may be creating the next generation.
    const isTasks = owner !== undefined && openTaskOf(store, kind.noun, kind.reference(owner)) !== undefined;
    const isRecorded = rows.some((row) => id === row.container_id || name === containerName(kind, facts.id, row));
    if (!isTasks && !isRecorded) await engine.remove(id);
  }
}
