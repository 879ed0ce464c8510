/** Requests through the proxy and their destinations. */

import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import type { Proxy } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp, startRpcApp, type TestApp } from '../../support/proxy-apps.ts';
import { openEvents, openSocket, sendHttp2 } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';
import { send, serverOf, startLoad } from '../../support/proxy-load.ts';

describe('the HAProxy proxy', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  const apps: AsyncDisposable[] = [];

  async function app(): Promise<TestApp> {
    const started = await startApp();
    apps.push(started);
    return started;
  }

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    await proxy.ensure(tableOf());
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    for (const each of apps) await each[Symbol.asyncDispose]();
  });

  it('serves a new host without a reload', async () => {
    const one = await app();

    const report = await proxy.sync(tableOf(backend(1, [server(one)])));

    assert.deepEqual(report, { reloaded: false, problems: [], certificateProblems: [] });
    assert.equal(serverOf(await harness.get('app-1.localhost')), one.name);
  });

  it('replaces servers under load without lost requests and without closing connections of other apps', async () => {
    const [neighbour, first] = [await app(), await app()];
    const table = (...servers: Parameters<typeof backend>[1]) =>
      tableOf(backend(1, servers), backend(2, [server(neighbour)]));
    await proxy.sync(table(server(first)));
    await using socket = await openSocket(harness.port, 'app-2.localhost');
    await using events = await openEvents(harness.port, 'app-2.localhost');
    const load = startLoad(harness.port, 'app-1.localhost');

    let old = first;
    for (let swap = 0; swap < 5; swap += 1) {
      const next = await app();
      assert.deepEqual((await proxy.sync(table(server(next), server(old, 'draining')))).problems, []);
      assert.equal(serverOf(await harness.get('app-1.localhost')), next.name);
      await load.more(3);
      old = next;
    }

    const { failures } = await load.stop();
    assert.deepEqual(failures, []);
    await socket.assertOpen();
    await events.assertWhole();
    assert.equal((await proxy.status()).reloads, 0);
  });

  it('sends no new request to a draining server and lets the open request finish', async () => {
    const [old, next] = [await app(), await app()];
    await proxy.sync(tableOf(backend(1, [server(old)])));
    const open = harness.get('app-1.localhost', { path: '/hold' });
    await until('the request arrives', () => old.seen.includes('/hold'));

    await proxy.sync(tableOf(backend(1, [server(next), server(old, 'draining')])));

    for (let n = 0; n < 5; n += 1) assert.equal(serverOf(await harness.get('app-1.localhost')), next.name);
    assert.equal(await proxy.openSessions(1, old.name), 1);
    old.release();
    assert.equal(serverOf(await open), old.name);
    assert.equal(await proxy.openSessions(1, old.name), 0);
    assert.equal(await proxy.openSessions(1, 'i999'), 0);
  });

  it('reports a new server that does not listen, and keeps using the old server', async () => {
    const old = await app();
    await proxy.sync(tableOf(backend(1, [server(old)])));
    const missing = { name: 'i900', port: await freePort() };

    const report = await proxy.sync(tableOf(backend(1, [server(missing), server(old, 'draining')])));

    assert.equal(report.problems.length, 1);
    assert.partialDeepStrictEqual(report.problems[0], { slot: 1, server: 'i900' });
    assert.match(report.problems[0]?.reason ?? '', /Connection refused/);
    assert.equal(serverOf(await harness.get('app-1.localhost')), old.name);
  });

  it('stops using a failed server and sends all requests to the other server', async () => {
    const [one, two] = [await app(), await app()];
    await proxy.sync(tableOf(backend(1, [server(one), server(two)])));

    await two[Symbol.asyncDispose]();

    for (let n = 0; n < 20; n += 1) assert.equal(serverOf(await harness.get('app-1.localhost')), one.name);
    await until('the proxy sees it down', async () => {
      const { problems } = await proxy.sync(tableOf(backend(1, [server(one), server(two)])));
      return problems.some((problem) => problem.server === two.name);
    });
  });

  it('refuses an invalid route table and keeps serving', async () => {
    const one = await app();
    await proxy.sync(tableOf(backend(1, [server(one)])));
    const broken = tableOf(backend(1, [{ ...server(one), address: '127.0.0.1\nbackend x' }]));

    await assert.rejects(proxy.sync(broken), /route table: address/);

    assert.equal(serverOf(await harness.get('app-1.localhost')), one.name);
    assert.equal((await proxy.status()).running, true);
  });

  it('returns a plain-text message for unknown hosts, stopped apps and a stopped daemon', async () => {
    await proxy.sync(tableOf(backend(1, [])));

    const [unknown, stopped, daemon] = await Promise.all([
      harness.get('unknown.localhost'),
      harness.get('app-1.localhost'),
      harness.get('localhost'),
    ]);

    for (const { headers } of [unknown, stopped, daemon]) {
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    }
    assert.deepEqual([unknown.status, stopped.status, daemon.status], [404, 503, 503]);
    assert.deepEqual([stopped.headers['retry-after'], daemon.headers['retry-after']], ['5', '5']);
    assert.match(unknown.text, /^No app has this host name/);
    assert.match(daemon.text, /^The Davit daemon does not respond/);
    assert.equal(daemon.headers['davit-proxy'], '1', 'clients show this text');
  });

  it('routes the instance’s own host to the daemon’s current address', async () => {
    const [one, two] = [await app(), await app()];

    await proxy.sync({ ...tableOf(), api: { address: '127.0.0.1', port: one.port } });
    assert.equal(serverOf(await harness.get('localhost')), one.name);

    await proxy.sync({ ...tableOf(), api: { address: '127.0.0.1', port: two.port } });
    assert.equal(serverOf(await harness.get('localhost')), two.name);
    assert.equal((await proxy.status()).reloads, 0);
  });

  it('matches a host in any spelling', async () => {
    const one = await app();
    await proxy.sync(tableOf(backend(1, [server(one)])));

    for (const host of [
      'APP-1.LocalHost',
      'app-1.localhost.',
      `app-1.localhost:${harness.port}`,
      'APP-1.localhost.:80',
    ]) {
      assert.equal(serverOf(await harness.get(host)), one.name, host);
    }
  });

  it('sets forwarding headers from the connection and ignores values of the client', async () => {
    const one = await app();
    await proxy.sync(tableOf(backend(1, [server(one)])));
    const spoofed = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '6.6.6.6',
      forwarded: 'for=6.6.6.6',
    };

    const { text } = await harness.get('app-1.localhost', { headers: spoofed });

    const { headers } = JSON.parse(text) as { headers: Record<string, string> };
    assert.partialDeepStrictEqual(headers, {
      host: 'app-1.localhost',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'app-1.localhost',
      'x-real-ip': '127.0.0.1',
    });
    assert.equal(headers.forwarded, undefined);
  });

  it('removes forwarding headers of clients in any spelling', async () => {
    const one = await app();
    await proxy.sync(tableOf(backend(1, [server(one)])));
    const names = ['Forwarded_For', 'forwarded.proto', 'FORWARDED_HOST', 'Forwarded-Port', 'Real_IP', 'real+ip'];
    const others = ['X-Forwarded-Ssl', 'x_original_url', 'X-Rewrite-URL', 'Proxy'];
    const all = [...names.flatMap((name) => [`X_${name}`, `x-${name}`]), ...others];
    const spoofed = Object.fromEntries(all.map((name) => [name, '6.6']));

    const { text } = await harness.get('app-1.localhost', { headers: { ...spoofed, x_api_key: 'kept' } });

    const { headers } = JSON.parse(text) as { headers: Record<string, string> };
    const received = Object.entries(headers).filter(([, value]) => value === '6.6');
    assert.deepEqual(received, []);
    assert.equal(headers.x_api_key, 'kept');
  });

  it('forwards HTTP/2 without TLS to HTTP/1.1 and h2c apps, including trailers', async () => {
    const one = await app();
    const rpc = await startRpcApp();
    apps.push(rpc);
    await proxy.sync(tableOf(backend(1, [server(one)]), backend(2, [server(rpc)], 'h2c')));

    const web = await sendHttp2(harness.port, 'app-1.localhost', 'hello');
    const call = await sendHttp2(harness.port, 'app-2.localhost', 'ping');

    assert.equal(JSON.parse(web.text).bytes, 5);
    assert.deepEqual(call, { status: 200, text: 'ping', trailers: { 'grpc-status': '0' } });
  });

  it('accepts a request body of 32 MiB', async () => {
    const one = await app();
    await proxy.sync(tableOf(backend(1, [server(one)])));
    const body = Buffer.alloc(32 * 2 ** 20);

    const { text } = await harness.get('app-1.localhost', { method: 'PUT', body });

    assert.equal(JSON.parse(text).bytes, body.length);
  });

  it('removes servers that are no longer in the route table', async () => {
    const [one, two] = [await app(), await app()];
    await proxy.sync(tableOf(backend(1, [server(one)]), backend(2, [server(two)])));
    const agent = new Agent({ keepAlive: true });
    await send({ port: harness.port, host: 'app-2.localhost', agent });

    await proxy.sync(tableOf(backend(1, [server(one)])));

    agent.destroy();
    assert.equal((await harness.get('app-2.localhost')).status, 404);
    assert.deepEqual(
      harness.log.filter((line) => line.includes('refused')),
      [],
    );
  });
});
