import { heldTag, networkName } from '../engine/names.ts';
import { ProxyUnavailable } from '../proxy/proxy.ts';
import type { Base } from '../release/base.ts';
import { nameRecords } from '../release/names.ts';
import { routeTable } from '../release/routing.ts';
import {
  deletedApps,
  emptyDeletedEnvironments,
  forgetApp,
  forgetEmptyProjects,
  forgetEnvironment,
} from '../store/deleted.ts';
import { succeededDeployments } from '../store/deployment.ts';
import { instancesOfApp } from '../store/instance.ts';
import { appSpec } from '../store/release.ts';

/**
 * Takes down the apps, environments and projects that are marked deleted: the mark is the decision, this only makes it
 * true, so it may be called at any time and again after a crash. Named volumes stay.
 * @param quiesce ends the deployments of an app and resolves when none runs
 */
export async function removeDeletedApps(base: Base, quiesce: (appId: number) => Promise<void>): Promise<void> {
  const apps = deletedApps(base.store);
  if (apps.length > 0) {
    await withdraw(base).catch((error) => {
      // A proxy that is away reads from its file that they are gone; what runs need not wait for it.
      if (!(error instanceof ProxyUnavailable)) throw error;
    });
  }
  for (const app of apps) {
    await quiesce(app.id);
    await removeContainers(base, app);
    // The proxy's file no longer names the addresses: they may be given to others.
    await withdraw(base);
    base.store.tx((tx) => forgetApp(tx, app.id));
  }
  await removeEnvironments(base);
  base.store.tx(forgetEmptyProjects);
}

/** Makes the proxy and the names follow what is on record: what was taken out there is gone before its containers are. */
export async function withdraw(base: Base): Promise<void> {
  await Promise.all([base.proxy.sync(routeTable(base)), base.engine.publishNames(nameRecords(base))]);
}

async function removeContainers({ engine, store, facts }: Base, app: { id: number; reference: string }): Promise<void> {
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

async function removeEnvironments({ engine, store, facts }: Base): Promise<void> {
  for (const id of emptyDeletedEnvironments(store)) {
    await engine.removeNetwork(networkName(facts.id, id));
    store.tx((tx) => forgetEnvironment(tx, id));
  }
}
