import { heldTag, networkName } from '../../adapters/engine/names.ts';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import { nameRecords } from '../../app-spec/names.ts';
import {
  deletedApps,
  emptyDeletedEnvironments,
  forgetApp,
  forgetEmptyProjects,
  forgetEnvironment,
  projectsWithDeleted,
} from '../../db/tables/deleted.ts';
import { succeededDeployments } from '../../db/tables/deployment.ts';
import { instancesOfApp } from '../../db/tables/instance.ts';
import { appSpec } from '../../db/tables/release.ts';
import { routeTable } from '../../routing/route-table.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Takes down the apps, environments and projects that are marked deleted: the mark is the decision, this only makes it
 * true, so it may be called at any time and again after a crash. Named volumes stay. Projects do not wait for each other:
 * an app whose deployments do not end must not keep what other projects deleted.
 * @param quiesce ends the deployments of an app and resolves when none runs
 * @param projectId the project to look at; absent: all of them
 * @throws the first error, after everything that can be taken down is
 */
export async function removeDeletedApps(
  base: DeploymentsDeps,
  quiesce: (appId: number) => Promise<void>,
  projectId?: number,
): Promise<void> {
  const projects = projectId === undefined ? projectsWithDeleted(base.store) : [projectId];
  if (projects.some((id) => deletedApps(base.store, id).length > 0)) {
    await syncRoutesAndNames(base).catch((error) => {
      // A proxy that is away reads from its file that they are gone; what runs need not wait for it.
      if (!(error instanceof ProxyUnavailable)) throw error;
    });
  }
  const removals = projects.map((id) => removeOfProject(base, quiesce, id));
  const [failed] = (await Promise.allSettled(removals)).filter(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function removeOfProject(
  base: DeploymentsDeps,
  quiesce: (appId: number) => Promise<void>,
  projectId: number,
): Promise<void> {
  const errors: unknown[] = [];
  for (const app of deletedApps(base.store, projectId)) {
    try {
      await quiesce(app.id);
      await removeContainers(base, app);
      // The proxy's file no longer names the addresses: they may be given to others.
      await syncRoutesAndNames(base);
      base.store.tx((tx) => forgetApp(tx, app.id));
    } catch (error) {
      errors.push(error);
    }
  }
  await removeEnvironments(base, projectId);
  base.store.tx(forgetEmptyProjects);
  if (errors.length > 0) throw errors[0];
}

/** Makes the proxy and the names follow what is on record: what was taken out there is gone before its containers are. */
export async function syncRoutesAndNames(base: DeploymentsDeps): Promise<void> {
  await Promise.all([base.proxy.sync(routeTable(base)), base.engine.publishNames(nameRecords(base))]);
}

async function removeContainers(
  { engine, store, facts }: DeploymentsDeps,
  app: { id: number; reference: string },
): Promise<void> {
  const instances = instancesOfApp(store, app.id);
  const spec = appSpec(store, app.id);
  // Another pass was quicker.
  if (!spec) return;
  const { signal, grace_s: graceS } = spec.stop;
  await Promise.all(instances.map((row) => engine.stop(row.container_id ?? row.name, { signal, graceS })));
  await Promise.all(instances.map((row) => engine.remove(row.container_id ?? row.name)));
  const held = succeededDeployments(store, app.id, Number.MAX_SAFE_INTEGER).map((d) =>
    heldTag(facts.id, app.reference, d.id),
  );
  const present = new Set(await engine.heldImages());
  for (const tag of held) if (present.has(tag)) await engine.releaseImage(tag);
}

async function removeEnvironments({ engine, store, facts }: DeploymentsDeps, projectId: number): Promise<void> {
  for (const id of emptyDeletedEnvironments(store, projectId)) {
    await engine.removeNetwork(networkName(facts.id, id));
    store.tx((tx) => forgetEnvironment(tx, id));
  }
}
