import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import type { RouteTable } from '../proxy.ts';
import { type ConfigSettings, parseMark, renderConfig } from './config.ts';
import { desiredState } from './desired.ts';

const settings: ConfigSettings = { binds: ['*:80'], reserve: 2, socketOwner: null };

const table: RouteTable = {
  domain: 'example.com',
  api: { address: '127.0.0.1', port: 3000 },
  backends: [
    {
      slot: 2,
      app: 'shop/production/web',
      protocol: 'http',
      servers: [
        { name: 'i7', address: '10.208.0.7', port: 8080, state: 'active' },
        { name: 'i6', address: '10.208.0.6', port: 8080, state: 'draining' },
      ],
    },
    {
      slot: 1,
      app: 'shop/production/rpc',
      protocol: 'h2c',
      servers: [{ name: 'i5', address: 'fd00::5', port: 50_051, state: 'active' }],
    },
  ],
  hosts: [
    { host: 'web.production.shop.example.com', slot: 2 },
    { host: 'rpc.example.org', slot: 1 },
  ],
};

function render(change: Partial<RouteTable> = {}, over: Partial<ConfigSettings> = {}) {
  return renderConfig(desiredState({ ...table, ...change }), { ...settings, ...over });
}

test('the configuration and the map are these', async () => {
  const { config, hosts } = render();

  assert.equal(config, await readFile(new URL('./golden/haproxy.cfg', import.meta.url), 'utf8'));
  assert.equal(hosts, await readFile(new URL('./golden/hosts.map', import.meta.url), 'utf8'));
});

test('the same state in another order is the same file', () => {
  const reordered = { backends: table.backends.toReversed(), hosts: table.hosts.toReversed() };

  assert.deepEqual(render(reordered), render());
});

test('apps, servers and hosts change nothing that the running proxy would have to reload', () => {
  const { mark } = render();

  const changes: Partial<RouteTable>[] = [
    { backends: [], hosts: [] },
    { domain: 'example.net' },
    { api: { address: '127.0.0.1', port: 4000 } },
  ];

  for (const change of changes) assert.equal(render(change).mark.hash, mark.hash);
  assert.notEqual(render({}, { binds: ['*:8080'] }).mark.hash, mark.hash);
  assert.notEqual(render({}, { socketOwner: { uid: 1000, gid: 1000 } }).mark.hash, mark.hash);
});

test('free backends are kept beyond the highest slot, and their number grows in steps', () => {
  const slots = [0, 1, 256, 257].map((slot) => {
    const backends = slot === 0 ? [] : [{ slot, app: 'a/b/c', protocol: 'http' as const, servers: [] }];
    return render({ backends, hosts: [] }, { reserve: 256 }).mark.slots;
  });

  assert.deepEqual(slots, [256, 512, 512, 768]);
});

test('the running proxy says which configuration it has', () => {
  const { config, mark } = render();
  const description = /description "(.*)"/.exec(config)?.[1] ?? '';

  assert.deepEqual(parseMark(description), mark);
  assert.equal(parseMark('another proxy'), null);
});
