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

test('desiredState assigns the proxy’s names to hosts and servers', () => {
  const { backends, routes } = desiredState(table);

  assert.deepEqual(
    [...routes].map(([key, { value }]) => [key, value]),
    [
      ['example.com/', 'api'],
      ['web.production.shop.example.com/', 'b3'],
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

test('desiredState refuses an invalid route table and names the reason', () => {
  const server = { name: 'i1', address: '10.0.0.1', port: 80, state: 'active' } as const;
  const refused: [RegExp, Partial<RouteTable>][] = [
    [/backend number 0/, { backends: [{ ...backend, slot: 0 }] }],
    [/backend number 3 occurs twice/, { backends: [backend, backend] }],
    [/server name/, { backends: [{ ...backend, servers: [{ ...server, name: 'i1 0.0.0.0:1\n' }] }] }],
    [/a server twice/, { backends: [{ ...backend, servers: [server, server] }] }],
    [/address/, { backends: [{ ...backend, servers: [{ ...server, address: 'localhost' }] }] }],
    [/port 0/, { backends: [{ ...backend, servers: [{ ...server, port: 0 }] }] }],
    [/app/, { backends: [{ ...backend, app: 'a\nb' }] }],
    [/not a lower-case host/, { hosts: [{ host: 'Web.example.com', slot: 3 }] }],
    [/not a lower-case host/, { hosts: [{ host: 'a b1\nb', slot: 3 }] }],
    [/occurs twice/, { hosts: [{ host: 'example.com', slot: 3 }] }],
    [/the backend with number 9, which does not exist/, { hosts: [{ host: 'a.example.com', slot: 9 }] }],
    [/not a lower-case host/, { domain: 'example.com:80' }],
    [/path "\/\.\."/, { hosts: [{ host: 'a.example.com', path: '/..', slot: 3 }] }],
    [/path "shop"/, { hosts: [{ host: 'a.example.com', path: 'shop', slot: 3 }] }],
    [/path "\/shop\/"/, { hosts: [{ host: 'a.example.com', path: '/shop/', slot: 3 }] }],
    [/path "\/a b"/, { hosts: [{ host: 'a.example.com', path: '/a b', slot: 3 }] }],
    [
      /a\.example\.com\/x occurs twice/,
      { hosts: ['/x', '/x'].map((path) => ({ host: 'a.example.com', path, slot: 3 })) },
    ],
    [/token/, { challenges: [{ token: 'a b', answer: 'x' }] }],
    [/response to the ACME challenge/, { challenges: [{ token: 'a', answer: '%[x]\n' }] }],
    [/port 0/, { registry: { host: 'registry.example.com', address: '127.0.0.1', port: 0 } }],
    [/example\.com occurs twice/, { registry: { host: 'example.com', address: '127.0.0.1', port: 5000 } }],
    [/port 70000/, { api: { address: '127.0.0.1', port: 70_000 } }],
  ];

  for (const [words, change] of refused) assert.throws(() => desiredState({ ...table, ...change }), words);
});

test('keepServing also activates the draining servers of the given backends', () => {
  const desired = desiredState(table);

  const active = (state: typeof desired) => state.backends.get('b3')?.servers.filter((server) => server.active).length;

  assert.equal(active(desired), 1);
  assert.equal(active(keepServing(desired, new Set([3]))), 2);
  assert.equal(active(keepServing(desired, new Set([4]))), 1);
});

test('desiredState gives the registry its own backend and routes tokens to the daemon', () => {
  const registry = { host: 'registry.example.com', address: '::1', port: 5000 };

  const { backends, routes } = desiredState({ ...table, registry });

  assert.deepEqual(backends.get('registry')?.servers, [{ name: '::1:5000', endpoint: '[::1]:5000', active: true }]);
  assert.equal(routes.get('registry.example.com/')?.value, 'registry||P');
  assert.equal(routes.get('registry.example.com/v2/token/')?.value, 'api||P');
  assert.deepEqual(desiredState(table).backends.get('registry')?.servers, []);
});
