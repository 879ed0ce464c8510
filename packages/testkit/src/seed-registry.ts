import { appBySlugs } from '@davit/daemon/db/tables/app.ts';
import { recordRelease } from '@davit/daemon/db/tables/release-tag.ts';
import { recordGrant, recordRepository } from '@davit/daemon/db/tables/repository.ts';
import type { TestDaemon } from './daemon.ts';
import { appFieldsOf, paramsOf } from './factories.ts';
import { SEEDED } from './seed.ts';

/** Repositories that `seedRegistry` creates in the Docker registry, in the form `project/environment/app`. */
export const PUSHED = {
  app: 'shop/production/docs',
  /** Repository of a deleted app. The repository still exists in the Docker registry. */
  leftover: 'shop/production/gone',
} as const;

/**
 * Adds sample data for the registry pages of the dashboard to a test daemon. The data contains pushed releases, a
 * release of a deleted app, and volumes in each state.
 */
export async function seedRegistry(daemon: TestDaemon): Promise<void> {
  const { client } = daemon;
  for (const reference of Object.values(PUSHED)) {
    await client.createApp({ body: { ...appFieldsOf(reference), source: 'registry', port: 8080 } });
    for (const tag of ['1.0', '1.1', '1.2']) pushed(daemon, reference, tag);
  }
  const path = paramsOf(PUSHED.app);
  daemon.engine.controls.addImage(`localhost:${daemon.core.facts.ports.registry}/${PUSHED.app}:1.1`);
  await client.deployApp({ params: path, query: { wait: 'true' }, body: { tag: '1.1' } });
  await client.addVolume({ params: paramsOf(PUSHED.leftover), body: { path: '/var/lib/kept' } });
  await client.deleteApp({ params: paramsOf(PUSHED.leftover) });
  const unowned = { name: PUSHED.leftover, tags: 3, bytes: 24, unowned_since: daemon.core.now() };
  daemon.core.store.tx((tx) => recordRepository(tx, unowned));
  const worker = paramsOf(SEEDED.worker);
  await client.addVolume({ params: worker, body: { path: '/var/lib/queue' } });
  const old = await client.addVolume({ params: worker, body: { path: '/var/lib/old' } });
  await client.removeVolume({ params: { ...worker, volume: String(old.id) }, query: { confirm: old.name } });
}

/** Simulates a push of an image. The daemon receives the same notification as after a real push to the registry. */
export function pushed(daemon: TestDaemon, reference: string, tag: string): void {
  const { store, now } = daemon.core;
  const { project, environment, app } = paramsOf(reference);
  const appId = appBySlugs(store, project, environment, app)?.id ?? 0;
  const digest = daemon.registry.push(reference, tag);
  store.tx((tx) => {
    recordGrant(tx, { name: reference, at: now(), push: true });
    recordRelease(tx, { appId, tag, digest, at: now(), by: 'admin' });
  });
}
