import { isTerminal } from '@davit/api';
import { EngineRefused, EngineUnavailable, type ObservedInstance } from '../engine/engine.ts';
import { runName } from '../engine/names.ts';
import type { Base, EngineSight } from '../release/base.ts';
import { deploymentById, openDeploymentsOfApp } from '../store/deployment.ts';
import { stepsOfDeployment } from '../store/deployment-step.ts';
import { allInstances, type InstanceRow, setKept, setObserved } from '../store/instance.ts';
import { isWanted } from '../store/release.ts';
import { runningRuns } from '../store/run.ts';
import type { Task } from './reconciler.ts';

/** What was last seen of the engine, and the pass that looks. */
export interface Sight {
  task: Task;
  latest(): EngineSight;
}

const LOOK_AGAIN_WHEN_AWAY_MS = 1_000;
/** What the engine refuses to start is not tried again at each of the events that the try itself makes. */
const START_AGAIN_MS = 10_000;
/** The same for an app whose containers are gone: what was deployed again and failed is left to a person for a while. */
const REPLACE_AGAIN_MS = 60_000;
/** An engine that lost everything is filled again a few apps at a time; each that is done brings the next look. */
const REPLACED_AT_ONCE = 4;

/**
 * Looks at the engine and brings the two sides together: records what each instance does, starts again what should serve
 * and does not, and removes what no record wants (what a crash or an undo without an engine left behind).
 * @param replace deploys again what is live for an app, for a container that somebody removed
 */
export function engineSight(base: Base, replace: (appId: number) => Promise<unknown>): Sight {
  let latest: EngineSight = {
    available: false,
    version: null,
    cpus: null,
    seenAt: null,
    problem: 'The engine has not been asked yet: try again in a moment.',
  };
  const refused = new Map<string, number>();
  const replaced = new Map<number, number>();
  let isFirst = true;
  const see = (next: EngineSight): void => {
    const isTurn = !isFirst && next.available !== latest.available;
    isFirst = false;
    latest = next;
    // Whoever shows whether it answers reads it again.
    if (isTurn) base.store.tx((tx) => tx.event({ kind: 'instance', data: { change: 'engine' } }));
  };
  const look = async (signal: AbortSignal): Promise<void> => {
    const { version, cpus } = await base.engine.info(signal);
    see({ available: true, version, cpus, seenAt: base.now(), problem: null });
    const observed = await base.engine.observe(signal);
    // One reading for all of it: there may be ten thousand, and what comes later was not looked at.
    const rows = allInstances(base.store);
    record(base, rows, observed);
    await removeUnwanted(base, rows, observed);
    await restartLive(base, rows, observed, refused, signal);
    await replaceLost(base, rows, observed, replaced, replace);
  };
  return {
    latest: () => latest,
    task: {
      name: 'engine',
      everyMs: 10_000,
      async run(signal) {
        try {
          await look(signal);
          return undefined;
        } catch (error) {
          if (!(error instanceof EngineUnavailable)) throw error;
          see({ ...latest, available: false, problem: error.message });
          return LOOK_AGAIN_WHEN_AWAY_MS;
        }
      },
    },
  };
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
  return (
    row.observed !== observed ||
    row.restarts !== (seen?.restarts ?? row.restarts) ||
    row.started_at !== (seen?.startedAt?.getTime() ?? null)
  );
}

/**
 * An instance that passed its check is from then on restarted by the engine; one that is down all the same (it was never
 * told to be kept, or someone stopped it) is started here. One that the engine refuses keeps none of the others from it.
 * @param refused when the engine last refused to start a container; changed here
 */
async function restartLive(
  { engine, store, now }: Base,
  rows: InstanceRow[],
  observed: ObservedInstance[],
  refused: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const failures: EngineRefused[] = [];
  const present = new Map(observed.map((seen) => [seen.id, seen]));
  for (const row of rows) {
    const seen = row.container_id === null ? undefined : present.get(row.container_id);
    if (row.role !== 'active' || !seen) continue;
    if (row.kept === 1 && !isDown(seen)) {
      refused.delete(seen.id);
      continue;
    }
    if (!isWanted(store, row.app_id, row.deployment_id)) continue;
    if (now() < (refused.get(seen.id) ?? Number.NEGATIVE_INFINITY) + START_AGAIN_MS) continue;
    try {
      if (row.kept === 0) {
        await engine.keepRunning(seen.id);
        store.tx((tx) => setKept(tx, row.id));
      }
      if (isDown(seen) && !isStoppedForNext(store, row)) await engine.start(seen.id, signal);
    } catch (error) {
      if (!(error instanceof EngineRefused)) throw error;
      refused.set(seen.id, now());
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'the engine refuses to start what should run');
}

function isDown({ state }: ObservedInstance): boolean {
  return state === 'exited' || state === 'created';
}

/** Where two releases cannot run at once, a deployment under way has stopped this one on purpose, and starts it again. */
function isStoppedForNext(store: Base['store'], { app_id }: InstanceRow): boolean {
  const isStopping = ({ id }: { id: number }) => stepsOfDeployment(store, id).some(({ name }) => name === 'stop-old');
  return openDeploymentsOfApp(store, app_id).some((row) => row.status === 'running' && isStopping(row));
}

/**
 * A container that somebody removed cannot be started again: its release is deployed anew, exactly as it was. An app
 * with a deployment under way is left to that.
 * @param replaced when each app was last deployed again; changed here
 */
async function replaceLost(
  { store, now }: Base,
  rows: InstanceRow[],
  observed: ObservedInstance[],
  replaced: Map<number, number>,
  replace: (appId: number) => Promise<unknown>,
): Promise<void> {
  const present = new Set(observed.map((seen) => seen.id));
  const lost = rows.filter(
    (row) =>
      row.role === 'active' &&
      row.container_id !== null &&
      !present.has(row.container_id) &&
      isWanted(store, row.app_id, row.deployment_id),
  );
  let places = REPLACED_AT_ONCE;
  for (const appId of new Set(lost.map((row) => row.app_id))) {
    if (places === 0) return;
    if (openDeploymentsOfApp(store, appId).length > 0) {
      places -= 1;
      continue;
    }
    if (now() < (replaced.get(appId) ?? Number.NEGATIVE_INFINITY) + REPLACE_AGAIN_MS) continue;
    places -= 1;
    replaced.set(appId, now());
    await replace(appId);
  }
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
    if (wanted.has(seen.name)) continue;
    const deployment = seen.deployment === null ? undefined : deploymentById(store, seen.deployment);
    if (deployment && !isTerminal(deployment.status)) continue;
    await engine.remove(seen.id);
  }
}
