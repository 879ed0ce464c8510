import { heldTag, networkName } from '../../adapters/engine/names.ts';
import { ProxyUnavailable } from '../../adapters/proxy/proxy.ts';
import { nameRecords } from '../../app-spec/names.ts';
import {
  deletedApps,
  emptyDeletedEnvironments,
  forgetApp,
  forgetEmptyProject,
  forgetEnvironment,
  projectsWithDeleted,
} from '../../db/tables/deleted.ts';
import { succeededDeployments } from '../../db/tables/deployment.ts';
import { instancesOfApp } from '../../db/tables/instance.ts';
import { appSpec } from '../../db/tables/release.ts';
import { routeTable } from '../../routing/route-table.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Removes the deleted apps, environments and projects. The function can safely be called again, also after a crash.
 * Volumes are not removed. Projects are removed in parallel. If an app's deployments do not end, only the project of
 * this app has to wait.
 * @param quiesce cancels the deployments of an app and resolves when the deployments have ended
 * @param projectId project whose deleted apps are removed. Default: all projects.
 * @throws the first error, after everything else is removed
 */
export async function removeDeletedApps(
  base: DeploymentsDeps,
  quiesce: (appId: number) => Promise<void>,
  projectId?: number,
): Promise<void> {
  const projects = projectId === undefined ? projectsWithDeleted(base.store) : [projectId];
  if (projects.some((id) => deletedApps(base.store, id).length > 0)) {
    await syncRoutesAndNames(base).catch((error) => {
      // Remove the containers even if HAProxy is unavailable. HAProxy reads the new configuration at its next start.
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
      /*
       * First remove the IP addresses of the deleted containers from HAProxy. Otherwise, other containers could get the
       * same IP addresses.
       */
      await syncRoutesAndNames(base);
      base.store.tx((tx) => forgetApp(tx, app.id));
    } catch (error) {
      errors.push(error);
    }
  }
  await removeEnvironments(base, projectId);
  base.store.tx((tx) => forgetEmptyProject(tx, projectId));
  if (errors.length > 0) throw errors[0];
}

/**
 * Updates the HAProxy routes and the internal DNS names from the database. Call this function before containers are
 * removed. Otherwise, routes would lead to removed containers.
 */
export async function syncRoutesAndNames(base: DeploymentsDeps): Promise<void> {
  await Promise.all([base.proxy.sync(routeTable(base)), base.engine.publishNames(nameRecords(base))]);
}

async function removeContainers(
  { engine, store, facts }: DeploymentsDeps,
  app: { id: number; reference: string },
): Promise<void> {
  const instances = instancesOfApp(store, app.id);
  const spec = appSpec(store, app.id);
  // If the app has no database row any more, another call of this function has already removed its containers.
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
