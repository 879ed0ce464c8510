import assert from 'node:assert/strict';
import test from 'node:test';
import { DomainCreate } from '@davit/api';
import { CoreWorld } from '../../test/support/core-world.ts';
import { instancesOfApp, moveInstances } from '../db/tables/instance.ts';
import { deleteApp, patchApp } from '../resources/apps/settings.ts';
import { addDomain } from '../resources/domains/domain.ts';
import { routeTable } from './route-table.ts';

test('an app with a port has a backend and default host before any replica runs', () => {
  using world = CoreWorld.withApp();

  assert.deepEqual(routeTable(world.core), {
    domain: 'davit.test',
    api: { address: '127.0.0.1', port: 3000 },
    registry: { host: 'registry.davit.test', address: '127.0.0.1', port: 5000 },
    backends: [{ slot: 1, app: 'shop/production/web', protocol: 'http', servers: [] }],
    hosts: [{ host: 'web.production.shop.davit.test', slot: 1 }],
    certificates: [],
    challenges: [],
  });
});

test('live replicas serve and old replicas drain on the port of their release', () => {
  using world = CoreWorld.withApp();
  world.release({ port: 3000 });
  const [old] = instancesOfApp(world.core.store, world.app().id);
  world.core.store.tx((tx) => moveInstances(tx, [old?.id ?? 0], 'active', 'draining', 1));
  world.release({ port: 4000 });

  const [backend] = routeTable(world.core).backends;

  assert.deepEqual(
    backend?.servers.map(({ name, port, state }) => ({ name, port, state })),
    [
      { name: 'i1', port: 3000, state: 'draining' },
      { name: 'i2', port: 4000, state: 'active' },
    ],
  );
});

test('a worker has no backend in the route table', () => {
  using world = CoreWorld.withApp({ port: null });
  world.release({ port: null });

  assert.deepEqual(routeTable(world.core).backends, []);
});

test('an app that becomes a worker serves until a worker release is live', async () => {
  using world = CoreWorld.withApp();
  world.release({ port: 8080 });

  await patchApp(world.core, world.admin, world.app(), { port: null });
  assert.equal(routeTable(world.core).backends[0]?.servers.length, 1);
  const ids = instancesOfApp(world.core.store, world.app().id).map((row) => row.id);
  world.core.store.tx((tx) => moveInstances(tx, ids, 'active', 'gone'));
  world.release({ port: null });

  assert.deepEqual(routeTable(world.core).backends, []);
});

test('domains with their own port or protocol have separate backends', async () => {
  using world = CoreWorld.withApp();
  world.release({ port: 8080 });
  const add = (host: string, port: number | null, protocol: 'http' | 'h2c') =>
    addDomain(world.core, world.admin, world.app(), DomainCreate.parse({ host, port, protocol }));
  await add('a.example', null, 'http');
  await add('b.example', 9000, 'http');
  await add('c.example', null, 'h2c');
  await add('d.example', 9000, 'http');

  const { backends, hosts } = routeTable(world.core);

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
  using world = CoreWorld.withApp();

  await deleteApp(world.core, world.admin, world.app());
  world.addApp('api');

  assert.deepEqual(
    routeTable(world.core).backends.map(({ slot, app }) => `${slot} ${app}`),
    ['2 shop/production/api'],
  );
});
