import assert from 'node:assert/strict';
import test from 'node:test';
import { DomainCreate } from '@davit/api';
import { CoreHarness } from '../../test/support/core-harness.ts';
import { instancesOfApp, moveInstances } from '../db/tables/instance.ts';
import { deleteApp, patchApp } from '../resources/apps/settings.ts';
import { addDomain } from '../resources/domains/domain.ts';
import { routeTable } from './route-table.ts';

test('an app with a port has a backend and default host before any replica runs', () => {
  using harness = CoreHarness.withApp();

  assert.deepEqual(routeTable(harness.core), {
    domain: 'davit.test',
    api: { address: '127.0.0.1', port: 3000 },
    registry: { host: 'registry.davit.test', address: '127.0.0.2', port: 5000 },
    backends: [{ slot: 1, app: 'shop/production/web', protocol: 'http', servers: [] }],
    hosts: [{ host: 'web.production.shop.davit.test', slot: 1 }],
    certificates: [],
    challenges: [],
  });
});

test('live replicas serve and old replicas drain on the port of their release', () => {
  using harness = CoreHarness.withApp();
  harness.release({ port: 3000 });
  const [old] = instancesOfApp(harness.core.store, harness.app().id);
  harness.core.store.tx((tx) => moveInstances(tx, [old?.id ?? 0], 'active', 'draining', 1));
  harness.release({ port: 4000 });

  const [backend] = routeTable(harness.core).backends;

  assert.deepEqual(
    backend?.servers.map(({ name, port, state }) => ({ name, port, state })),
    [
      { name: 'i1', port: 3000, state: 'draining' },
      { name: 'i2', port: 4000, state: 'active' },
    ],
  );
});

test('a worker has no backend in the route table', () => {
  using harness = CoreHarness.withApp({ port: null });
  harness.release({ port: null });

  assert.deepEqual(routeTable(harness.core).backends, []);
});

test('an app that becomes a worker serves until a worker release is live', async () => {
  using harness = CoreHarness.withApp();
  harness.release({ port: 8080 });

  await patchApp(harness.core, harness.admin, harness.app(), { port: null });
  assert.equal(routeTable(harness.core).backends[0]?.servers.length, 1);
  const ids = instancesOfApp(harness.core.store, harness.app().id).map((row) => row.id);
  harness.core.store.tx((tx) => moveInstances(tx, ids, 'active', 'gone'));
  harness.release({ port: null });

  assert.deepEqual(routeTable(harness.core).backends, []);
});

test('domains with their own port or protocol have separate backends', async () => {
  using harness = CoreHarness.withApp();
  harness.release({ port: 8080 });
  const add = (host: string, port: number | null, protocol: 'http' | 'h2c') =>
    addDomain(harness.core, harness.admin, harness.app(), DomainCreate.parse({ host, port, protocol }));
  await add('a.example', null, 'http');
  await add('b.example', 9000, 'http');
  await add('c.example', null, 'h2c');
  await add('d.example', 9000, 'http');

  const { backends, hosts } = routeTable(harness.core);

  const seen = backends.map(({ slot, protocol, servers }) => [slot, protocol, servers.map(({ port }) => port)]);
  assert.deepEqual(seen, [
    [1, 'http', [8080]],
    [2, 'http', [9000]],
    [3, 'h2c', [8080]],
  ]);
  assert.deepEqual(Object.fromEntries(hosts.map(({ host, slot }) => [host, slot])), {
    'web.production.shop.davit.test': 1,
    'a.example': 1,
    'b.example': 2,
    'd.example': 2,
    'c.example': 3,
  });
});

test('a deleted app leaves the route table but keeps its slot reserved', async () => {
  using harness = CoreHarness.withApp();

  await deleteApp(harness.core, harness.admin, harness.app());
  harness.addApp('api');

  assert.deepEqual(
    routeTable(harness.core).backends.map(({ slot, app }) => `${slot} ${app}`),
    ['2 shop/production/api'],
  );
});
