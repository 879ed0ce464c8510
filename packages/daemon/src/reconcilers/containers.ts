import { isTerminal } from '@davit/api';
import type { Logger } from '@davit/service';
import type { EngineSight } from '../adapters/engine/engine-sight.ts';
import { EngineRefused, EngineUnavailable } from '../adapters/engine/errors.ts';
import type { ObservedInstance } from '../adapters/engine/instance.ts';
import { runName } from '../adapters/engine/names.ts';
import type { Store } from '../db/store.ts';
import { deploymentById } from '../db/tables/deployment.ts';
import { activatedInstances, allInstances, type InstanceRow, setObserved } from '../db/tables/instance.ts';
import { runningRuns } from '../db/tables/run.ts';
import { AppRepairs, REPAIR_AGAIN_MS, type Repair } from './app-repairs.ts';
import type { ReconcilersDeps } from './deps.ts';
import { MemoryKills } from './memory-kills.ts';
import type { Task } from './reconciler.ts';

/** Reconciler that observes the containers in Docker. It also contains the result of its last run. */
export interface ContainerWatch {
  task: Task;
  latest(): EngineSight;
  /** Resolves when Davit is not repairing any app. */
  settled(): Promise<void>;
  /**
   * Saves that the kernel has killed a process in a container because of its memory use. The next run handles the kill.
   */
  outOfMemory(containerId: string): void;
}

/**
 * Interval in milliseconds between two runs. Docker reports changes of containers at once, but it does not report the
 * removal of a network.
 */
const LOOK_MS = 5_000;
const LOOK_AGAIN_WHEN_AWAY_MS = 1_000;
/**
 * Saves the state of replicas and starts stopped containers. Also removes containers without a database row, which can
 * remain after a crash.
 */
export function watchContainers(base: ReconcilersDeps, repair: Repair, log: Pick<Logger, 'warn'>): ContainerWatch {
  const repairs = new AppRepairs(base, repair, log);
  const kills = new MemoryKills(base);
  const last = new LastLook(base.store, (appId) => repairs.reasonOf(appId) ?? kills.reasonOf(appId));
  const look = async (signal: AbortSignal): Promise<void> => {
    const { version, cpus } = await base.engine.info(signal);
    last.see({ ...last.latest, available: true, version, cpus, seenAt: base.now(), problem: null });
    const activated = activatedInstances(base.store);
    const observed = await base.engine.observe(signal);
    // Read the rows of replicas after the containers. Otherwise, the container of a new replica could be removed.
    const rows = allInstances(base.store);
    record(base, rows, { observed, activated });
    kills.see(rows, observed);
    const refusals = await removeUnwanted(base, rows, observed);
    await repairs.restore(rows, observed, signal);
    if (refusals.length > 0)
      throw new AggregateError(refusals, 'Docker refuses to remove containers that this instance no longer needs');
  };
  return {
    latest: () => last.latest,
    settled: () => repairs.settled(),
    outOfMemory: (containerId) => kills.report(containerId),
    task: {
      name: 'engine',
      everyMs: LOOK_MS,
      async run(signal) {
        try {
          await look(signal);
          return repairs.areTroubles ? REPAIR_AGAIN_MS : undefined;
        } catch (error) {
          if (!(error instanceof EngineUnavailable)) throw error;
          last.see({ ...last.latest, available: false, problem: error.message });
          return LOOK_AGAIN_WHEN_AWAY_MS;
        }
      },
    },
  };
}

/** Stores the last observed state of Docker. Publishes an event when Docker becomes available or unavailable. */
class LastLook {
  latest: EngineSight;
  readonly #store: Store;
  #isFirst = true;

  constructor(store: Store, reasonOf: EngineSight['reasonOf']) {
    this.#store = store;
    this.latest = {
      available: false,
      version: null,
      cpus: null,
      seenAt: null,
      problem: 'Davit has not checked yet whether Docker is running. Try again in a moment.',
      reasonOf,
    };
  }

  see(next: EngineSight): void {
    const isTurn = !this.#isFirst && next.available !== this.latest.available;
    this.#isFirst = false;
    this.latest = next;
    if (isTurn) this.#store.tx((tx) => tx.event({ kind: 'instance', data: { change: 'engine' } }));
  }
}

interface ContainerList {
  observed: readonly ObservedInstance[];
  /** Ids of the replicas that became active before Davit requested the container list from Docker. */
  activated: ReadonlySet<number>;
}

function record({ store }: ReconcilersDeps, rows: InstanceRow[], { observed, activated }: ContainerList): void {
  const byId = new Map(observed.map((seen) => [seen.id, seen]));
  const changed = rows.filter(
    (row) =>
      row.container_id !== null &&
      row.role !== 'gone' &&
      differs(row, byId.get(row.container_id), activated.has(row.id)),
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

function differs(row: InstanceRow, seen: ObservedInstance | undefined, wasActivated: boolean): boolean {
  const observed = seen?.state === 'running' ? 'running' : 'down';
  // If the container list is older than the start of the replica, do not mark the replica as down.
  const isNew = row.role === 'starting' ? row.observed === 'unknown' : !wasActivated;
  if (observed === 'down' && isNew) return false;
  return (
    row.observed !== observed ||
    row.restarts !== (seen?.restarts ?? row.restarts) ||
    row.started_at !== (seen?.startedAt?.getTime() ?? null)
  );
}

/**
 * Removes containers that no replica, run or unfinished deployment needs.
 * @returns errors of refused removals. The caller reports them only after it has repaired apps.
 */
async function removeUnwanted(
  { engine, store, facts }: ReconcilersDeps,
  rows: InstanceRow[],
  observed: ObservedInstance[],
): Promise<EngineRefused[]> {
  const refusals: EngineRefused[] = [];
  const wanted = new Set([
    ...rows.flatMap((row) => (row.role === 'gone' ? [] : [row.name])),
    ...runningRuns(store).map((run) => runName(facts.id, run.id)),
  ]);
  for (const seen of observed) {
    // Do not remove containers of databases and object stores, because another reconciler manages these containers.
    if (wanted.has(seen.name) || seen.kind === 'database' || seen.kind === 'store') continue;
    const deployment = seen.deployment === null ? undefined : deploymentById(store, seen.deployment);
    if (deployment && !isTerminal(deployment.status)) continue;
    try {
      await engine.remove(seen.id);
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      refusals.push(error);
    }
  }
  return refusals;
}
