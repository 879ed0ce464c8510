import type { TestDaemon } from './daemon.ts';
import { paramsOf } from './factories.ts';

/** References of the apps that `seed` creates, in the form `project/environment/app`. */
export const SEEDED = {
  web: 'shop/production/web',
  api: 'shop/production/api',
  worker: 'shop/production/worker',
  stagedWeb: 'shop/staging/web',
  broken: 'blog/production/site',
  fresh: 'blog/production/next',
} as const;

/**
 * Creates two example projects with apps on a test daemon. Some apps are healthy, one app is down, one app was never
 * deployed, and the deployment of one app failed.
 */
export async function seed(daemon: TestDaemon): Promise<void> {
  const { client } = daemon;
  await client.createProject({ body: { slug: 'shop' } });
  await client.createProject({ body: { slug: 'blog' } });
  await client.createEnvironment({ params: { project: 'shop' }, body: { slug: 'staging' } });
  await client.setProjectEnv({ params: { project: 'shop' }, body: { set: { REGION: 'eu', LOG_LEVEL: 'info' } } });
  await makeApp(daemon, SEEDED.web, { scale: 2 }, ['v1', 'v2', 'v3']);
  await makeApp(daemon, SEEDED.api, { health: { path: '/healthz' } }, ['2026.10', '2026.11', '2026.12-crash']);
  await makeApp(daemon, SEEDED.worker, { port: null }, ['v1']);
  await makeApp(daemon, SEEDED.stagedWeb, {}, ['v3', 'v4']);
  await makeApp(daemon, SEEDED.broken, {}, ['v1']);
  await makeApp(daemon, SEEDED.fresh, {}, []);
  const params = paramsOf(SEEDED.web);
  await client.setAppEnv({ params, body: { set: { LOG_LEVEL: 'debug', API_TOKEN: 's3cret' }, secret: ['API_TOKEN'] } });
  await client.addDomain({ params, body: { host: 'shop.example.com' } });
  for (const { name } of (await client.getApp({ params: paramsOf(SEEDED.broken) })).replicas) {
    const found = daemon.engine.controls.containers().find((one) => one.name === name);
    if (found) daemon.engine.controls.kill(found.id);
  }
}

async function makeApp(daemon: TestDaemon, reference: string, settings: object, tags: string[]): Promise<void> {
  const params = paramsOf(reference);
  const { project, environment, app: name } = params;
  const body = {
    project,
    environment,
    name,
    source: 'image' as const,
    image: `example/${name}`,
    port: 8080,
    ...settings,
  };
  await daemon.client.createApp({ body });
  for (const tag of tags) await daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag } });
}
