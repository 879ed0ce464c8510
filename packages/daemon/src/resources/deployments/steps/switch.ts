import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailable } from '../../../adapters/engine/errors.ts';
import { ProxyUnavailable, type RouteTable } from '../../../adapters/proxy/proxy.ts';
import { nameRecords } from '../../../app-spec/names.ts';
import type { Tx } from '../../../db/store.ts';
import { type InstanceRow, instancesOfApp, moveInstances } from '../../../db/tables/instance.ts';
import { isStopped, liveOf } from '../../../db/tables/release.ts';
import { routeTable } from '../../../routing/route-table.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';

/**
 * Step that switches the traffic to the new release. The step changes the database before HAProxy, so that it can be
 * repeated after a crash.
 */
export const switchTraffic: Step = {
  name: 'switch',
  phase: 'switching',
  async run(work, signal) {
    const drainUntil = work.base.now() + work.spec.stop.drain_s * 1_000;
    move(work, (tx, mine, others) => {
      moveInstances(tx, mine, 'starting', 'active');
      moveInstances(tx, others, 'active', 'draining', drainUntil);
    });
    const [problem] = await Promise.all([routed(work, signal), publishNames(work)]);
    if (problem) throw new DeployFailed(problem);
  },
  async undo(work) {
    move(work, (tx, mine, others) => {
      moveInstances(tx, mine, 'active', 'starting');
      moveInstances(tx, others, 'draining', 'active');
    });
    /*
     * The old release gets the traffic again. Do not wait for HAProxy, because HAProxy may also load these routes
     * later.
     */
    await Promise.all([routedNow(work), publishNames(work)]);
  },
};

/**
 * Error message for users. It does not contain the error message of HAProxy, which can contain routes of other
 * projects. Davit writes HAProxy's message only to the log.
 */
const NO_PROXY =
  'Davit cannot switch the traffic to the new release, because the proxy does not respond or rejects its configuration. Find the reason in the log of the instance.';

const PROXY_RETRY_MS = 500;

/**
 * Updates the HAProxy routes. If HAProxy does not respond, the function tries again, because a restarted HAProxy
 * responds within seconds.
 * @returns an error message, or `null` on success
 */
async function routed(work: Work, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + work.limits.proxyAwayMs;
  for (;;) {
    const problem = await routedNow(work);
    if (problem !== NO_PROXY || performance.now() >= deadline) return problem;
    await sleep(PROXY_RETRY_MS, undefined, { signal });
  }
}

async function routedNow(work: Work): Promise<string | null> {
  const table = routeTable(work.base);
  const mine = slotsOf(work.app.reference, table);
  try {
    const { problems } = await work.base.proxy.sync(table);
    const problem = problems.find(({ slot }) => mine.has(slot));
    return problem ? `The proxy cannot connect to the new release: ${problem.reason}.` : null;
  } catch (error) {
    if (!(error instanceof ProxyUnavailable)) throw error;
    // If Docker is unavailable, throw Docker's error. The deployment then waits for Docker and runs this step again.
    if (error.cause instanceof EngineUnavailable) throw error.cause;
    // An app without a port has no routes, so its deployment does not need HAProxy.
    if (mine.size === 0) return null;
    work.log.warn(
      { deployment: work.deploymentId, error },
      'the proxy could not send the traffic of an app to its new release',
    );
    return NO_PROXY;
  }
}

function slotsOf(app: string, { backends }: RouteTable): Set<number> {
  return new Set(backends.filter((backend) => backend.app === app).map(({ slot }) => slot));
}

function publishNames({ base }: Work): Promise<void> {
  return base.engine.publishNames(nameRecords(base));
}

/**
 * Changes the roles of replicas. Calls `change` with the ids of the new and the live replicas. Replicas of older
 * deployments keep the role `draining`.
 */
function move(work: Work, change: (tx: Tx, mine: number[], others: number[]) => void): void {
  work.base.store.tx((tx) => {
    /*
     * Replicas of a stopped app have the role `draining` and must stop. So do not change their role, even if this
     * deployment fails.
     */
    const live = isStopped(tx, work.app.id) ? undefined : liveOf(tx, work.app.id)?.id;
    const rows = instancesOfApp(tx, work.app.id);
    const ids = (of: (row: InstanceRow) => boolean) => rows.filter(of).map((row) => row.id);
    change(
      tx,
      ids((row) => row.deployment_id === work.deploymentId),
      ids((row) => row.deployment_id === live && row.deployment_id !== work.deploymentId),
    );
  });
}
