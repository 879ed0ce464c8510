import assert from 'node:assert/strict';
import test from 'node:test';
import type { RouteBackend, RouteTable } from '../proxy.ts';
import { desiredState, keepServing } from './desired.ts';

const backend: RouteBackend = {
  slot: 3,
  app: 'shop/production/web',
  protocol: 'http',
  servers: [
    { name: 'i2', address: '10.208.0.3', port: 8080, state: 'active' },
    { name: 'i1', address: 'fd00::2', port: 8080, state: 'draining' },
  ],
};

const table: RouteTable = {
  domain: 'example.com',
  api: { address: '127.0.0.1', port: 3000 },
  backends: [backend],
  hosts: [{ host: 'web.production.shop.example.com', slot: 3 }],
};

test('hosts and servers get the names that the proxy knows them by', () => {
  const { backends, hosts } = desiredState(table);

  assert.deepEqual(
    [...hosts],
    [
      ['example.com', 'api'],
      ['web.production.shop.example.com', 'b3'],
    ],
  );
  assert.deepEqual(backends.get('b3')?.servers, [
    { name: 'i2', endpoint: '10.208.0.3:8080', active: true },
    { name: 'i1', endpoint: '[fd00::2]:8080', active: false },
  ]);
  assert.deepEqual(backends.get('api')?.servers, [
    { name: '127.0.0.1:3000', endpoint: '127.0.0.1:3000', active: true },
  ]);
});

test('a table that could break the file is refused with the reason', () => {
  const server = { name: 'i1', address: '10.0.0.1', port: 80, state: 'active' } as const;
  const refused: [RegExp, Partial<RouteTable>][] = [
    [/slot 0/, { backends: [{ ...backend, slot: 0 }] }],
    [/slot 3 is given twice/, { backends: [backend, backend] }],
    [/server name/, { backends: [{ ...backend, servers: [{ ...server, name: 'i1 0.0.0.0:1\n' }] }] }],
    [/a server twice/, { backends: [{ ...backend, servers: [server, server] }] }],
    [/address/, { backends: [{ ...backend, servers: [{ ...server, address: 'localhost' }] }] }],
    [/port 0/, { backends: [{ ...backend, servers: [{ ...server, port: 0 }] }] }],
    [/app/, { backends: [{ ...backend, app: 'a\nb' }] }],
    [/not a lower-case host/, { hosts: [{ host: 'Web.example.com', slot: 3 }] }],
    [/not a lower-case host/, { hosts: [{ host: 'a b1\nb', slot: 3 }] }],
    [/given twice/, { hosts: [{ host: 'example.com', slot: 3 }] }],
    [/slot 9, which has no backend/, { hosts: [{ host: 'a.example.com', slot: 9 }] }],
    [/domain/, { domain: 'example.com:80' }],
    [/port 70000/, { api: { address: '127.0.0.1', port: 70_000 } }],
  ];

  for (const [words, change] of refused) assert.throws(() => desiredState({ ...table, ...change }), words);
});

test('what serves while new servers do not answer are the draining ones, too', () => {
  const desired = desiredState(table);

  const active = (state: typeof desired) => state.backends.get('b3')?.servers.filter((server) => server.active).length;

  assert.equal(active(desired), 1);
  assert.equal(active(keepServing(desired, new Set([3]))), 2);
  assert.equal(active(keepServing(desired, new Set([4]))), 1);
});
