import { isTerminal } from '@davit/api';
import { EngineUnavailable } from '../engine/errors.ts';
import type { ObservedInstance } from '../engine/instance.ts';
import { runName } from '../engine/names.ts';
import type { Base, EngineSight } from '../release/base.ts';
import { deploymentById } from '../store/deployment.ts';
import { allInstances, type InstanceRow, setObserved } from '../store/instance.ts';
import { runningRuns } from '../store/run.ts';
import type { Store } from '../store/store.ts';
import type { Task } from './reconciler.ts';
import { Restarts } from './restarts.ts';

/** What was last seen of the engine, and the pass that looks. */
export interface Sight {
  task: Task;
  latest(): EngineSight;
}

const LOOK_AGAIN_WHEN_AWAY_MS = 1_000;
/**
 * Looks at the engine and brings the two sides together: records what each instance does, starts again what should serve
 * and does not, and removes what no record wants (what a crash or an undo without an engine left behind).
 * @param replace deploys again what is live for an app, for a container that somebody removed
 */
export function engineSight(base: Base, replace: (appId: number) => Promise<unknown>): Sight {
  const last = new LastSight(base.store);
  const restarts = new Restarts(base, replace);
  const look = async (signal: AbortSignal): Promise<void> => {
    const { version, cpus } = await base.engine.info(signal);
    last.see({ available: true, version, cpus, seenAt: base.now(), problem: null });
    const observed = await base.engine.observe(signal);
    // One reading for all of it: there may be ten thousand, and what comes later was not looked at.
    const rows = allInstances(base.store);
    record(base, rows, observed);
    await removeUnwanted(base, rows, observed);
    await restarts.startAgain(rows, observed, signal);
    await restarts.replaceLost(rows, observed);
  };
  return {
    latest: () => last.latest,
    task: {
      name: 'engine',
      everyMs: 10_000,
      async run(signal) {
        try {
          await look(signal);
          return undefined;
        } catch (error) {
          if (!(error instanceof EngineUnavailable)) throw error;
          last.see({ ...last.latest, available: false, problem: error.message });
          return LOOK_AGAIN_WHEN_AWAY_MS;
        }
      },
    },
  };
}

/** What was last seen, with a word to whoever shows whether the engine answers when that has turned. */
class LastSight {
  latest: EngineSight = {
    available: false,
    version: null,
    cpus: null,
    seenAt: null,
    problem: 'The engine has not been asked yet: try again in a moment.',
  };
  readonly #store: Store;
  #isFirst = true;

  constructor(store: Store) {
    this.#store = store;
  }

  see(next: EngineSight): void {
    const isTurn = !this.#isFirst && next.available !== this.latest.available;
    this.#isFirst = false;
    this.latest = next;
    if (isTurn) this.#store.tx((tx) => tx.event({ kind: 'instance', data: { change: 'engine' } }));
  }
}

function record({ store }: Base, rows: InstanceRow[], observed: ObservedInstance[]): void {
  const byId = new Map(observed.map((seen) => [seen.id, seen]));
  const changed = rows.filter(
    (row) => row.container_id !== null && row.role !== 'gone' && differs(row, byId.get(row.container_id)),
  );
  if (changed.length === 0) return;
  store.tx((tx) => {
    for (const row of changed) {
      const seen = byId.get(row.container_id ?? '');
      const observedNow = seen?.state === 'running' ? 'running' : 'down';
      setObserved(tx, row.id, {
        observed: observedNow,
        restarts: seen?.restarts ?? row.restarts,
        startedAt: seen?.startedAt?.getTime() ?? null,
      });
      if (observedNow !== row.observed) {
        tx.event({
          kind: 'instance',
          appId: row.app_id,
          deploymentId: row.deployment_id,
          data: { name: row.name, state: observedNow },
        });
      }
    }
  });
}

function differs(row: InstanceRow, seen: ObservedInstance | undefined): boolean {
  const observed = seen?.state === 'running' ? 'running' : 'down';
  // It may have been made, or started, since the engine was asked: what never ran is not down.
  if (observed === 'down' && row.observed === 'unknown' && row.role === 'starting') return false;
  return (
    row.observed !== observed ||
    row.restarts !== (seen?.restarts ?? row.restarts) ||
    row.started_at !== (seen?.startedAt?.getTime() ?? null)
  );
}

/** Removes containers of ours that no instance, no run and no unfinished deployment accounts for. */
async function removeUnwanted(
  { engine, store, facts }: Base,
  rows: InstanceRow[],
  observed: ObservedInstance[],
): Promise<void> {
  const wanted = new Set([
    ...rows.flatMap((row) => (row.role === 'gone' ? [] : [row.name])),
    ...runningRuns(store).map((run) => runName(facts.id, run.id)),
  ]);
  for (const seen of observed) {
    // Databases and object stores have records, and a reconciler, of their own.
    if (wanted.has(seen.name) || seen.kind === 'database' || seen.kind === 'store') continue;
    const deployment = seen.deployment === null ? undefined : deploymentById(store, seen.deployment);
    if (deployment && !isTerminal(deployment.status)) continue;
    await engine.remove(seen.id);
  }
}
