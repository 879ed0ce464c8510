import type { DatabaseBase } from '../databases/base.ts';
import { keepDatabase } from '../databases/keep.ts';
import { EngineUnavailable, type ObservedInstance } from '../engine/engine.ts';
import { databaseVolumeName } from '../engine/names.ts';
import { allDatabases, type DatabaseRow, databaseById, databaseReference } from '../store/managed-database.ts';
import { openTaskOf } from '../store/task.ts';
import { Backoff } from './backoff.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 10_000;
const AWAY_MS = 1_000;

export interface DatabasesLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps every database as its record wants it: one that should run runs and is looked at, one that should not does not, what
 * is in the trash has no container, and nothing is left of what is gone. One that a task is open for is the task's business. One
 * that cannot be helped is tried again after longer and longer pauses, and keeps none of the others.
 */
export function databasesTask(base: DatabaseBase, log: DatabasesLog): Task {
  const backoff = new Backoff(base.now);
  return {
    name: 'databases',
    everyMs: LOOK_MS,
    async run(signal) {
      try {
        const observed = await databaseContainers(base, signal);
        await removeStrays(base, observed);
        for (const { id } of allDatabases(base.store)) {
          signal.throwIfAborted();
          await attempt(base, id, { observed, backoff, log, signal });
        }
        return undefined;
      } catch (error) {
        if (!(error instanceof EngineUnavailable)) throw error;
        // The sight of the engine tells of that; what was last seen of each stays.
        return AWAY_MS;
      }
    },
  };
}

interface Attempt {
  observed: readonly ObservedInstance[];
  backoff: Backoff;
  log: DatabasesLog;
  signal: AbortSignal;
}

async function attempt(base: DatabaseBase, id: number, { observed, backoff, log, signal }: Attempt): Promise<void> {
  const row = databaseById(base.store, id);
  if (row === undefined || isTasks(base, row)) return;
  try {
    const found = await keepDatabase(base, row, { observed, mayHelp: backoff.isDue(id), signal });
    if (found === 'helped') backoff.failed(id);
    if (found === 'well') backoff.succeeded(id);
  } catch (error) {
    if (error instanceof EngineUnavailable || signal.aborted) throw error;
    backoff.failed(id);
    log.warn({ database: databaseReference(row), error }, 'a database is not as it should be: it is tried again');
  }
}

function isTasks({ store }: DatabaseBase, row: DatabaseRow): boolean {
  return row.deleted_at === null && openTaskOf(store, 'database', databaseReference(row)) !== undefined;
}

async function databaseContainers({ engine }: DatabaseBase, signal: AbortSignal): Promise<ObservedInstance[]> {
  return (await engine.observe(signal)).filter(({ kind }) => kind === 'database');
}

/** Containers of databases that no record names: what a crash left of one that is gone. Their volumes stay. */
async function removeStrays(
  { engine, store, facts }: DatabaseBase,
  observed: readonly ObservedInstance[],
): Promise<void> {
  const rows = allDatabases(store);
  for (const seen of observed) {
    const isOurs = rows.some((row) => seen.id === row.container_id || isOf(facts.id, seen.name, row));
    if (!isOurs) await engine.remove(seen.id);
  }
}

/** One of a row's containers, whichever generation: a task may be making the next one. */
function isOf(davitId: string, name: string, { id }: DatabaseRow): boolean {
  return name.startsWith(`${databaseVolumeName(davitId, id)}-`);
}
