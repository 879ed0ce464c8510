import assert from 'node:assert/strict';
import test from 'node:test';
import type { RouteServer, RouteTable } from '../proxy.ts';
import { createMemoryProxy } from './memory-proxy.ts';

function server(name: string, state: RouteServer['state'] = 'active'): RouteServer {
  return { name, address: '10.0.0.1', port: 8080, state };
}

function tableOf(...servers: RouteServer[]): RouteTable {
  return {
    domain: 'localhost',
    api: { address: '127.0.0.1', port: 3000 },
    backends: [{ slot: 1, app: 'a/production/web', protocol: 'http', servers }],
    hosts: [{ host: 'web.localhost', slot: 1 }],
  };
}

test('the memory proxy sends new requests to the active servers of the newest table', async () => {
  await using proxy = createMemoryProxy();
  await proxy.ensure(tableOf(server('i1')));

  const report = await proxy.sync(tableOf(server('i2'), server('i1', 'draining')));

  assert.deepEqual(report, { reloaded: false, problems: [], certificateProblems: [] });
  assert.deepEqual(proxy.serving('web.localhost'), ['i2']);
  assert.equal(proxy.serving('other.localhost'), null);
});

test('the memory proxy keeps the old server and reports a new server that is down', async () => {
  await using proxy = createMemoryProxy();
  await proxy.ensure(tableOf(server('i1')));
  proxy.setDown('i2', 'refuses connections');

  const report = await proxy.sync(tableOf(server('i2'), server('i1', 'draining')));

  assert.deepEqual(report.problems, [{ slot: 1, server: 'i2', reason: 'refuses connections' }]);
  assert.deepEqual(proxy.serving('web.localhost'), ['i1']);
});

test('the memory proxy’s gate holds a sync and later calls share the next sync', async () => {
  await using proxy = createMemoryProxy();
  const gate = proxy.gate();
  const first = proxy.sync(tableOf(server('i1')));
  assert.deepEqual(await gate.entered, tableOf(server('i1')));
  const others = [proxy.sync(tableOf(server('i2'))), proxy.sync(tableOf(server('i3')))];

  assert.equal(proxy.table(), null);
  gate.open();
  await Promise.all([first, ...others]);

  assert.deepEqual(
    proxy.tables.map((table) => table.backends[0]?.servers[0]?.name),
    ['i1', 'i3'],
  );
});

test('the memory proxy refuses calls while unavailable and recovers afterwards', async () => {
  await using proxy = createMemoryProxy();
  proxy.setUnavailable('the proxy is gone');

  await assert.rejects(proxy.sync(tableOf(server('i1'))), { name: 'ProxyUnavailable', message: 'the proxy is gone' });
  assert.equal((await proxy.status()).problem, 'the proxy is gone');

  proxy.setUnavailable(null);
  await proxy.sync(tableOf(server('i1')));
  assert.deepEqual(proxy.serving('web.localhost'), ['i1']);
});

test('the memory proxy returns the configured number of open sessions or zero', async () => {
  await using proxy = createMemoryProxy();
  proxy.setOpenSessions('i1', 2);

  assert.equal(await proxy.openSessions(1, 'i1'), 2);
  assert.equal(await proxy.openSessions(1, 'i2'), 0);
});

test('the memory proxy reports a refused certificate and applies the rest of the table', async () => {
  await using proxy = createMemoryProxy();
  proxy.setRefused('c1', 'its key is another one');
  const certificates = ['c1', 'c2'].map((name) => ({ name, hosts: [`${name}.localhost`], pem: () => '' }));

  const report = await proxy.sync({ ...tableOf(server('i1')), certificates });

  assert.deepEqual(report.certificateProblems, [{ name: 'c1', reason: 'its key is another one' }]);
  assert.deepEqual(proxy.serving('web.localhost'), ['i1']);
});
