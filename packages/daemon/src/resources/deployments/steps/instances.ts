import { type AppLimits, DavitError } from '@davit/api';
import { instanceName, networkName } from '../../../adapters/engine/names.ts';
import type { Network } from '../../../adapters/engine/network.ts';
import { pickAddresses } from '../../../app-spec/addresses.ts';
import { readRevisionSpec } from '../../../app-spec/revision.ts';
import type { Tx } from '../../../db/store.ts';
import { deploymentById } from '../../../db/tables/deployment.ts';
import {
  type InstanceRole,
  type InstanceRow,
  insertInstance,
  instancesOfApp,
  instancesOfDeployment,
  moveInstances,
  setContainer,
  takenAddresses,
} from '../../../db/tables/instance.ts';
import { appSpec } from '../../../db/tables/release.ts';
import { demandPids, withinQuota } from '../../../quotas/quota.ts';
import { createContainers } from '../containers.ts';
import { applyAppLimits } from '../limits.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';

/**
 * Step that creates the containers of the replicas. The step first saves the names and IP addresses of the containers.
 * If the step is repeated, it can then find existing containers.
 */
export const create: Step = {
  name: 'create',
  phase: 'starting',
  async run(work, signal) {
    const network = await work.base.engine.ensureNetwork(networkName(work.base.facts.id, work.app.environment.id));
    claim(work, network);
    const replicas = () => instancesOfDeployment(work.base.store, work.deploymentId);
    await createContainers(work, network.name, { replicas, signal }, (created) =>
      work.base.store.tx((tx) => {
        for (const [{ id }, container] of created) setContainer(tx, id, container);
      }),
    );
    // Apply the current limits of the app, because they may have changed since the replicas were saved in the database.
    await applyAppLimits(work, work.app.id, (row) => row.deployment_id === work.deploymentId);
  },
  async undo(work) {
    const { store, engine } = work.base;
    const rows = instancesOfDeployment(store, work.deploymentId);
    await Promise.all(rows.map((row) => engine.remove(row.container_id ?? row.name)));
    /*
     * Keep the rows of replicas with the role `gone` while the HAProxy configuration contains the IP addresses of these
     * replicas.
     */
    store.tx((tx) => {
      for (const role of ['starting', 'active', 'draining'] as const)
        moveInstances(
          tx,
          rows.map((row) => row.id),
          role,
          'gone',
        );
    });
    work.base.nudgeRoutes();
  },
};

export const start: Step = {
  name: 'start',
  phase: 'starting',
  async run(work, signal) {
    const rows = instancesOfDeployment(work.base.store, work.deploymentId);
    await Promise.all(rows.map((row) => work.base.engine.start(containerOf(row), signal)));
  },
};

/**
 * Step that stops the live release before the new release starts. The step runs only if the app has a volume or a
 * published TCP port.
 */
export const stopOld: Step = {
  name: 'stop-old',
  phase: 'starting',
  async run(work) {
    /*
     * Also stop containers of replicas with the role `draining`. These containers still process requests, so they still
     * use the volume or the port.
     */
    const holding = others(work, ['active', 'draining']).filter((row) => row.container_id !== null);
    await Promise.all(holding.map((row) => work.base.engine.stop(containerOf(row), stopOf(work, row))));
  },
  async undo(work) {
    await Promise.all(others(work, ['active']).map((row) => work.base.engine.start(containerOf(row))));
  },
};

/**
 * Returns the stop signal and grace period for a replica. The values are settings of the replica's own release. The
 * settings of the new release may be wrong for the old program.
 */
function stopOf({ base, app, row: own }: Work, row: InstanceRow): { signal: string; graceS: number } {
  const { revision } = deploymentById(base.store, row.deployment_id) ?? own();
  const { signal, grace_s: graceS } = readRevisionSpec(base, app.id, revision).stop;
  return { signal, graceS };
}

/**
 * Returns the container id of a replica.
 * @throws DeployFailed if the container was not created
 */
export function containerOf(row: InstanceRow): string {
  if (row.container_id === null)
    throw new DeployFailed(`The container of replica ${row.name} was not created. Deploy again.`);
  return row.container_id;
}

function others(work: Work, roles: readonly InstanceRole[]): InstanceRow[] {
  return instancesOfApp(work.base.store, work.app.id).filter(
    (row) => row.deployment_id !== work.deploymentId && roles.includes(row.role),
  );
}

/**
 * Saves the replicas of a deployment with their IP addresses and limits. If the replicas are already saved, the
 * function does nothing.
 * @throws DeployFailed if the project's quota is exceeded
 */
function claim(work: Work, network: Network): void {
  const { app, base, deploymentId, spec } = work;
  try {
    base.store.tx((tx) => {
      if (instancesOfDeployment(tx, deploymentId).length > 0) return;
      // Use the app's current limits and not the limits of the release, because limits can change without a deployment.
      const limits = appSpec(tx, app.id)?.limits ?? spec.limits;
      withinQuota(tx, app.project.id, () => claimNew(work, tx, network, limits));
      // Check the limit of processes again, because the app's settings may have changed since the first check.
      demandPids(tx, app.project.id, { scale: spec.scale, limits });
    });
  } catch (error) {
    if (error instanceof DavitError && error.code === 'quota_exceeded')
      throw new DeployFailed(error.message, [], { code: 'quota_exceeded' });
    throw error;
  }
}

function claimNew(work: Work, tx: Tx, network: Network, limits: AppLimits): void {
  const { facts } = work.base;
  const environmentId = work.app.environment.id;
  const taken = takenAddresses(tx, environmentId);
  const addresses = pickAddresses(network, taken, taken.at(-1) ?? null, work.spec.scale);
  if (!addresses) {
    throw new DeployFailed(
      `The environment ${work.app.environment.slug} does not have ${work.spec.scale} free addresses. Remove apps, or lower a scale.`,
    );
  }
  for (const [i, address] of addresses.entries()) {
    insertInstance(tx, {
      appId: work.app.id,
      deploymentId: work.deploymentId,
      environmentId,
      ordinal: i + 1,
      name: instanceName(facts.id, work.deploymentId, i + 1),
      address,
      limits: JSON.stringify(limits),
    });
  }
}
