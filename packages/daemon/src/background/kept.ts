import type { Engine } from '../engine/engine.ts';
import { EngineUnavailable } from '../engine/errors.ts';
import type { ObservedInstance } from '../engine/instance.ts';
import { Backoff } from './backoff.ts';
import type { Task } from './reconciler.ts';

const LOOK_MS = 10_000;
const AWAY_MS = 1_000;

/** What the instance runs in a container of its own, with its data in a volume: a database, or an object store. */
export interface KeptRow {
  id: number;
  container_id: string | null;
}

export interface Pass {
  /** What the engine has of the kind, as it was no earlier than the row. */
  observed: readonly ObservedInstance[];
  /** False: it was helped, or could not be, a short while ago. It may be looked at all the same. */
  mayHelp: boolean;
  signal: AbortSignal;
}

/** One kind of things that are kept. */
export interface Kept<R extends KeptRow> {
  kind: 'database' | 'store';
  rows(): readonly R[];
  /** As it is now; undefined: it has gone in between. */
  row(id: number): R | undefined;
  /** What the names of its containers begin with, of whichever generation: a task may be making the next one. */
  containersOf(row: R): string;
  /** Whether it is a task's business for now. */
  isTasks(row: R): boolean;
  /** `waiting`: it is not well, and nothing was done for it. @throws EngineUnavailable; what `failed` is told */
  keep(row: R, pass: Pass): Promise<'well' | 'helped' | 'waiting'>;
  failed(row: R, error: unknown): void;
}

interface Base {
  engine: Engine;
  now: () => number;
}

/**
 * A pass over all of a kind. One that cannot be helped is tried again after longer and longer pauses, and keeps none of the
 * others; nothing is left of what no record names any more.
 */
export function keptTask<R extends KeptRow>(name: string, { engine, now }: Base, kept: Kept<R>): Task {
  const backoff = new Backoff(now);
  return {
    name,
    everyMs: LOOK_MS,
    async run(signal) {
      try {
        const observed = await containersOf(engine, kept.kind, signal);
        await removeStrays(engine, kept, observed);
        for (const { id } of kept.rows()) {
          signal.throwIfAborted();
          await attempt(engine, kept, id, backoff, { observed, mayHelp: backoff.isDue(id), signal });
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

async function attempt<R extends KeptRow>(
  engine: Engine,
  kept: Kept<R>,
  id: number,
  backoff: Backoff,
  pass: Pass,
): Promise<void> {
  const row = kept.row(id);
  if (row === undefined || kept.isTasks(row)) return;
  try {
    const observed = await seenSince(engine, kept.kind, row, pass);
    const found = await kept.keep(row, { ...pass, observed });
    if (found === 'helped') backoff.failed(id);
    if (found === 'well') backoff.succeeded(id);
  } catch (error) {
    if (error instanceof EngineUnavailable || pass.signal.aborted) throw error;
    backoff.failed(id);
    kept.failed(row, error);
  }
}

/** A container that a task has made or started since the pass began is not one that is gone. */
async function seenSince(engine: Engine, kind: ObservedInstance['kind'], row: KeptRow, pass: Pass) {
  const isSeen = pass.observed.some(({ id, state }) => id === row.container_id && state === 'running');
  return isSeen || row.container_id === null ? pass.observed : containersOf(engine, kind, pass.signal);
}

async function containersOf(
  engine: Engine,
  kind: ObservedInstance['kind'],
  signal: AbortSignal,
): Promise<ObservedInstance[]> {
  return (await engine.observe(signal)).filter((seen) => seen.kind === kind);
}

/** What a crash left of one that is gone, or between two generations. Volumes stay. */
async function removeStrays<R extends KeptRow>(
  engine: Engine,
  kept: Kept<R>,
  observed: readonly ObservedInstance[],
): Promise<void> {
  const rows = kept.rows();
  for (const { id, name } of observed) {
    const isOf = (row: R) => id === row.container_id || name.startsWith(kept.containersOf(row));
    if (!rows.some(isOf)) await engine.remove(id);
  }
}
