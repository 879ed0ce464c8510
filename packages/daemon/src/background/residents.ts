import { EngineUnavailable } from '../engine/errors.ts';
import type { ObservedInstance } from '../engine/instance.ts';
import type { Base } from '../release/base.ts';
import { keepResident, type Pass } from '../residents/keep.ts';
import type { Resident, ResidentRow } from '../residents/resident.ts';
import { openTaskOf } from '../store/task.ts';
import { Backoff } from './backoff.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 10_000;
const AWAY_MS = 1_000;

export interface ResidentsLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps every resident of a kind as its record wants it: one that should run runs and is looked at, one that should not does
 * not, what is in the trash has no container. One that cannot be helped is tried again after longer and longer pauses, and
 * keeps none of the others; nothing is left of what no record names any more.
 */
export function residentsTask<R extends ResidentRow>(
  name: string,
  kind: Resident<R>,
  base: Base,
  log: ResidentsLog,
): Task {
  const backoff = new Backoff(base.now);
  // A crash may have left what no record names any more.
  let hadAny = true;

  async function attempt(id: number, pass: Pass): Promise<void> {
    const row = kind.find(base.store, id);
    if (row === null || isTasks(kind, base, row)) return;
    try {
      const observed = await seenSince(kind, base, row, pass);
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
function isTasks<R extends ResidentRow>(kind: Resident<R>, { store }: Base, row: R): boolean {
  return row.deleted_at === null && openTaskOf(store, kind.noun, kind.reference(row)) !== undefined;
}

/** A container that a task has made or started since the pass began is not one that is gone. */
async function seenSince<R extends ResidentRow>(kind: Resident<R>, base: Base, row: R, pass: Pass) {
  const isSeen = pass.observed.some(({ id, state }) => id === row.container_id && state === 'running');
  return isSeen || row.container_id === null ? pass.observed : containersOf(kind, base, pass.signal);
}

async function containersOf<R extends ResidentRow>(
  kind: Resident<R>,
  { engine }: Base,
  signal: AbortSignal,
): Promise<ObservedInstance[]> {
  return (await engine.observe(signal)).filter((seen) => seen.kind === kind.noun);
}

/** What a crash left of one that is gone, or between two generations. Volumes stay. */
async function removeStrays<R extends ResidentRow>(
  kind: Resident<R>,
  { engine, store, facts }: Base,
  observed: readonly ObservedInstance[],
): Promise<void> {
  const rows = kind.all(store);
  for (const { id, name } of observed) {
    // Of whichever generation: a task may be making the next one.
    const isOf = (row: R) => id === row.container_id || name.startsWith(`${kind.volumeName(facts.id, row.id)}-`);
    if (!rows.some(isOf)) await engine.remove(id);
  }
}
