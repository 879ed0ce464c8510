/** Names by which the apps and databases of an installation reach each other inside their environment. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkName } from '../../src/adapters/engine/names.ts';
import { nameRecords } from '../../src/app-spec/names.ts';
import { environmentBySlugs } from '../../src/db/tables/environment.ts';
import { importTemplate } from '../../src/resources/templates/compose-import.ts';
import { requestInstall, requestUninstall, succeed } from '../support/install-steps.ts';
import { DAVIT_ID } from '../support/simulated-core.ts';
import { TaskHarness } from '../support/task-harness.ts';

const COMPOSE = `services:
  frontend: { image: "acme/frontend:1", expose: [80] }
  Back_End: { image: "acme/backend:1", expose: [80] }
  db: { image: "postgres:15" }
`;

/** Returns a template with one app. */
const template = (key: string, name: string) => `version: 1
project: shop
apps: [{key: ${key}, name: ${name}, image: acme/app, tag: "1", port: 80}]
`;

type How = Parameters<typeof requestInstall>[2];

async function install(harness: TaskHarness, file: string, how: How = {}): Promise<void> {
  await succeed(harness, await requestInstall(harness, file, how));
}

async function installCompose(harness: TaskHarness, compose: string, how: How = {}): Promise<void> {
  const { template: file, valid } = await importTemplate({ compose, project: 'shop' });
  assert.ok(valid, file);
  await install(harness, file, how);
}

/** Returns a function that resolves names in the network of an environment. */
function resolverOf(harness: TaskHarness, environment = 'production'): (name: string) => string[] {
  const id = environmentBySlugs(harness.core.store, 'shop', environment)?.id ?? 0;
  const network = networkName(DAVIT_ID, id);
  return (name) =>
    nameRecords(harness.core).flatMap((record) =>
      record.network === network && record.name === name ? record.addresses : [],
    );
}

describe('the services of a Compose file', () => {
  it('resolve by their names in the file, and only in their environment', async () => {
    await using harness = await TaskHarness.make();
    await installCompose(harness, COMPOSE);
    await installCompose(harness, COMPOSE, { environment: 'staging' });
    const found = ['production', 'staging'].map((environment) => {
      const resolve = resolverOf(harness, environment);
      const inside = `${environment}.shop.internal`;
      const hosts = { frontend: `frontend.${inside}`, back_end: `back-end.${inside}`, db: `shop-db.db.${inside}` };
      for (const [name, host] of Object.entries(hosts)) {
        assert.equal(resolve(host).length, 1, host);
        assert.deepEqual(resolve(name), resolve(host), name);
      }
      return resolve('back_end');
    });

    assert.notDeepEqual(found[0], found[1]);
  });

  it('resolve by their names in the file after the user chose other names', async () => {
    await using harness = await TaskHarness.make();
    await installCompose(harness, COMPOSE, { names: { apps: { frontend: 'web' } } });
    const resolve = resolverOf(harness);

    assert.equal(resolve('frontend').length, 1);
    assert.deepEqual(resolve('frontend'), resolve('web.production.shop.internal'));
  });

  it('no longer resolve by these names after the template was uninstalled', async () => {
    await using harness = await TaskHarness.make();
    await installCompose(harness, COMPOSE);
    await succeed(harness, await requestUninstall(harness));
    const resolve = resolverOf(harness);

    assert.deepEqual(['frontend', 'back_end', 'db'].flatMap(resolve), []);
    assert.equal(resolve('shop-db.db.production.shop.internal').length, 1);
  });
});

describe('a short name', () => {
  it('never refers to another app if an app of the environment has this name', async () => {
    await using harness = await TaskHarness.make();
    await install(harness, template('first', 'backend'));
    await install(harness, template('backend', 'renamed'));
    const resolve = resolverOf(harness);

    assert.deepEqual(resolve('backend'), []);
    assert.equal(resolve('renamed.production.shop.internal').length, 1);
    assert.deepEqual(resolve('first'), resolve('backend.production.shop.internal'));
  });

  it('refers to the app of the earlier installation if two templates have the same key', async () => {
    await using harness = await TaskHarness.make();
    await install(harness, template('job_runner', 'one'));
    await install(harness, template('job_runner', 'two'));
    const resolve = resolverOf(harness);

    assert.deepEqual(resolve('job_runner'), resolve('one.production.shop.internal'));
  });

  it('cannot be a name that Davit gives to another app', async () => {
    await using harness = await TaskHarness.make();
    await install(harness, template('web', 'web'));
    await install(harness, template('cubeship-shop-production-web', 'other'));
    const resolve = resolverOf(harness);

    assert.deepEqual(resolve('cubeship-shop-production-web'), resolve('web.production.shop.internal'));
  });
});
