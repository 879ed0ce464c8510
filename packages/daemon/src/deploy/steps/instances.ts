import type { Group } from '../../engine/group.ts';
import { instanceName, networkName } from '../../engine/names.ts';
import type { Network } from '../../engine/network.ts';
import { releaseFiles } from '../../release/app-files.ts';
import { readRevisionSpec } from '../../release/revision.ts';
import { deploymentById } from '../../store/deployment.ts';
import {
  type InstanceRole,
  type InstanceRow,
  insertInstance,
  instancesOfApp,
  instancesOfDeployment,
  moveInstances,
  setContainer,
  takenAddresses,
} from '../../store/instance.ts';
import { pickAddresses } from '../addresses.ts';
import { engineLimits, releaseEnvironment } from '../environment.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';
import { imageId } from './image.ts';

/** Gives every instance its name and its address, on record first, then creates the containers. */
export const create: Step = {
  name: 'create',
  phase: 'starting',
  async run(work, signal) {
    const network = await work.base.engine.ensureNetwork(networkName(work.base.facts.id, work.app.environment.id));
    const rows = claim(work, network);
    const containers = await work.base.engine.createGroup(group(work, network.name, rows), signal);
    work.base.store.tx((tx) => {
      for (const [i, row] of rows.entries()) setContainer(tx, row.id, containers[i] ?? '');
    });
  },
  async undo(work) {
    const { store, engine } = work.base;
    const rows = instancesOfDeployment(store, work.deploymentId);
    await Promise.all(rows.map((row) => engine.remove(row.container_id ?? row.name)));
    // The rows, and with them the addresses, go once the proxy's file is known not to name them.
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

/** Stops the live release before the new one starts: only where the two cannot run at once. */
export const stopOld: Step = {
  name: 'stop-old',
  phase: 'starting',
  async run(work) {
    // Those of an app that was stopped a moment ago drain, and hold what cannot be shared all the same.
    const holding = others(work, ['active', 'draining']).filter((row) => row.container_id !== null);
    await Promise.all(holding.map((row) => work.base.engine.stop(containerOf(row), stopOf(work, row))));
  },
  async undo(work) {
    await Promise.all(others(work, ['active']).map((row) => work.base.engine.start(containerOf(row))));
  },
};

/** As its own release says: what the new one asks for is nothing that the old program knows. */
function stopOf({ base, app, row: own }: Work, row: InstanceRow): { signal: string; graceS: number } {
  const { revision } = deploymentById(base.store, row.deployment_id) ?? own();
  const { signal, grace_s: graceS } = readRevisionSpec(base, app.id, revision).stop;
  return { signal, graceS };
}

/** The container of an instance that was created. */
export function containerOf(row: InstanceRow): string {
  if (row.container_id === null) throw new DeployFailed(`Instance ${row.name} was not created.`);
  return row.container_id;
}

function others(work: Work, roles: readonly InstanceRole[]): InstanceRow[] {
  return instancesOfApp(work.base.store, work.app.id).filter(
    (row) => row.deployment_id !== work.deploymentId && roles.includes(row.role),
  );
}

/** The instances of this deployment; recorded now when they are not yet. */
function claim(work: Work, network: Network): InstanceRow[] {
  const { store, facts } = work.base;
  return store.tx((tx) => {
    const existing = instancesOfDeployment(tx, work.deploymentId);
    if (existing.length > 0) return existing;
    const environmentId = work.app.environment.id;
    const taken = takenAddresses(tx, environmentId);
    const addresses = pickAddresses(network, taken, taken.at(-1) ?? null, work.spec.scale);
    if (!addresses) {
      throw new DeployFailed(
        `The environment ${work.app.environment.slug} has no ${work.spec.scale} free addresses left: remove apps or lower a scale.`,
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
      });
    }
    return instancesOfDeployment(tx, work.deploymentId);
  });
}

function group(work: Work, network: string, rows: InstanceRow[]): Group {
  const { spec } = work;
  return {
    kind: 'app',
    app: work.app.reference,
    deployment: work.deploymentId,
    imageId: imageId(work),
    network,
    env: releaseEnvironment(work),
    command: spec.command,
    args: spec.args,
    limits: engineLimits(work.spec),
    stopSignal: spec.stop.signal,
    volumes: work.volumes,
    tcpPorts: work.tcpPorts,
    files: releaseFiles(work.base, work.app.id, spec),
    members: rows.map((row) => ({ name: row.name, address: row.address, env: { DAVIT_INSTANCE: row.name } })),
  };
}
