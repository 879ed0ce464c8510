import { EngineRefused } from '../engine/errors.ts';
import type { ObservedInstance } from '../engine/instance.ts';
import type { Base } from '../release/base.ts';
import { openDeploymentsOfApp } from '../store/deployment.ts';
import { stepsOfDeployment } from '../store/deployment-step.ts';
import { type InstanceRow, setKept } from '../store/instance.ts';
import { isWanted } from '../store/release.ts';

/** What the engine refuses to start is not tried again at each of the events that the try itself makes. */
const START_AGAIN_MS = 10_000;
/** The same for an app whose containers are gone: what was deployed again and failed is left to a person for a while. */
const REPLACE_AGAIN_MS = 60_000;
/** An engine that lost everything is filled again a few apps at a time; each that is done brings the next look. */
const REPLACED_AT_ONCE = 4;

/** Brings back what should serve and does not. */
export class Restarts {
  readonly #base: Base;
  readonly #replace: (appId: number) => Promise<unknown>;
  /** When the engine last refused to start a container. */
  readonly #refused = new Map<string, number>();
  /** When an app was last deployed again. */
  readonly #replaced = new Map<number, number>();

  constructor(base: Base, replace: (appId: number) => Promise<unknown>) {
    this.#base = base;
    this.#replace = replace;
  }

  /**
   * An instance that passed its check is from then on restarted by the engine; one that is down all the same (it was never
   * told to be kept, or someone stopped it) is started here. One that the engine refuses keeps none of the others from it.
   */
  async startAgain(rows: InstanceRow[], observed: ObservedInstance[], signal: AbortSignal): Promise<void> {
    const { engine, store, now } = this.#base;
    const failures: EngineRefused[] = [];
    const present = new Map(observed.map((seen) => [seen.id, seen]));
    for (const row of rows) {
      const seen = row.container_id === null ? undefined : present.get(row.container_id);
      if (row.role !== 'active' || !seen) continue;
      if (row.kept === 1 && !isDown(seen)) {
        this.#refused.delete(seen.id);
        continue;
      }
      if (!isWanted(store, row.app_id, row.deployment_id)) continue;
      if (now() < (this.#refused.get(seen.id) ?? Number.NEGATIVE_INFINITY) + START_AGAIN_MS) continue;
      try {
        if (row.kept === 0) {
          await engine.keepRunning(seen.id);
          store.tx((tx) => setKept(tx, row.id));
        }
        if (isDown(seen) && !isStoppedForNext(store, row)) await engine.start(seen.id, signal);
      } catch (error) {
        if (!(error instanceof EngineRefused)) throw error;
        this.#refused.set(seen.id, now());
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'the engine refuses to start what should run');
  }

  /**
   * A container that somebody removed cannot be started again: its release is deployed anew, exactly as it was. An app
   * with a deployment under way is left to that.
   */
  async replaceLost(rows: InstanceRow[], observed: ObservedInstance[]): Promise<void> {
    const { store, now } = this.#base;
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
      if (now() < (this.#replaced.get(appId) ?? Number.NEGATIVE_INFINITY) + REPLACE_AGAIN_MS) continue;
      places -= 1;
      this.#replaced.set(appId, now());
      await this.#replace(appId);
    }
  }
}

function isDown({ state }: ObservedInstance): boolean {
  return state === 'exited' || state === 'created';
}

/** Where two releases cannot run at once, a deployment under way has stopped this one on purpose, and starts it again. */
function isStoppedForNext(store: Base['store'], { app_id }: InstanceRow): boolean {
  const isStopping = ({ id }: { id: number }) => stepsOfDeployment(store, id).some(({ name }) => name === 'stop-old');
  return openDeploymentsOfApp(store, app_id).some((row) => row.status === 'running' && isStopping(row));
}
