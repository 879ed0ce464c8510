import type { TestDaemon } from './daemon.ts';
import { paramsOf } from './factories.ts';
import { SEEDED } from './seed.ts';

/**
 * Databases and object stores that `seedData` creates. A database has a reference such as `project/environment/name`.
 * An object store has only a name.
 */
export const DATA = {
  main: 'shop/production/main',
  cache: 'shop/production/cache',
  posts: 'blog/production/posts',
  /** Reference of a database in the trash. */
  gone: 'shop/staging/old',
  store: 'offsite',
  /** Name of the managed object store that the sample data creates in `shop/production`. */
  managed: 'files',
} as const;

export function databaseAt(reference: string) {
  const { project, environment, app: database } = paramsOf(reference);
  return { project, environment, database };
}

const wait = { wait: 'true' } as const;

/**
 * Adds example databases and object stores for the pages of the dashboard. Some databases are in use, stopped, or in
 * the trash. The object stores are managed or external.
 */
export async function seedData(daemon: TestDaemon): Promise<void> {
  const { client } = daemon;
  const make = async (reference: string, body: object) => {
    const { database: name, ...environmentPath } = databaseAt(reference);
    await client.createDatabase({ query: wait, body: { ...environmentPath, name, engine: 'postgres', ...body } });
  };
  await make(DATA.main, { description: 'Orders and customers', extensions: ['pg_trgm'] });
  await make(DATA.cache, { engine: 'redis' });
  await make(DATA.posts, { engine: 'mariadb' });
  await make(DATA.gone, {});
  const main = databaseAt(DATA.main);
  const { app } = paramsOf(SEEDED.web);
  await client.attachDatabase({ params: { ...main, app }, body: { prefix: '' } });
  await client.putBackupSchedule({ params: main, body: { cron: '0 3 * * *', keep: 7 } });
  await client.backUpDatabase({ params: main, query: wait });
  await client.stopDatabase({ params: databaseAt(DATA.posts), query: wait });
  await client.deleteDatabase({ params: databaseAt(DATA.gone), query: { confirm: 'old' } });
  const keys = { access_key: 'AKIAEXAMPLE', secret_key: 'nobody-reads-this' };
  const body = { name: DATA.store, provider: 'aws' as const, region: 'eu-central-1', bucket: 'davit-offsite', ...keys };
  // Do not check the connection, because no code contacts the example object store.
  await client.linkObjectStore({ query: { check: 'false' }, body: { ...body, description: 'Off the machine' } });
  const params = { project: main.project, environment: main.environment };
  await client.createObjectStore({
    params,
    query: wait,
    body: { name: DATA.managed, description: 'Pictures of products' },
  });
  await client.attachBucket({
    params: { object_store: DATA.managed, bucket: 'products', ...params, app },
    body: { prefix: '' },
  });
}
