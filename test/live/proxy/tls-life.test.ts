/** TLS connections while the proxy itself is reloaded, replaced or killed. */

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import type { RouteCertificate, RouteTable } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp, startRpcApp, type TestApp } from '../../support/proxy-apps.ts';
import { openEvents, openHttp2, openSocket, sendHttp2, sendOn, shakeHands } from '../../support/proxy-clients.ts';
import { backend, certificate, ProxyHarness, rules, server, tableOf } from '../../support/proxy-harness.ts';
import { serverOf, startLoad } from '../../support/proxy-load.ts';
import { inLong } from '../../support/tiers.ts';

const HOST = 'app-1.localhost';

describe('the proxy over TLS across reloads and restarts', () => {
  let harness: ProxyHarness;
  let app: TestApp;
  let rpc: Awaited<ReturnType<typeof startRpcApp>>;
  let own: RouteCertificate;

  beforeEach(async () => {
    harness = await ProxyHarness.create();
    [app, rpc] = [await startApp(), await startRpcApp()];
    own = await certificate('c1', [HOST]);
  });

  afterEach(async () => {
    await app[Symbol.asyncDispose]();
    await rpc[Symbol.asyncDispose]();
    await harness[Symbol.asyncDispose]();
  });

  /** Returns a route table with an app in each of these slots, and an HTTP/2 app in slot 2. */
  const table = (...slots: number[]): RouteTable => ({
    ...tableOf(
      backend(2, [server(rpc)], 'h2c'),
      ...slots.map((slot) => backend(slot, [server({ name: app.name, port: app.port })])),
    ),
    certificates: [own],
  });
  const subject = async () => (await shakeHands(harness.httpsPort, HOST)).subject;

  it('reloads under load without losing HTTP/1.1 or HTTP/2 requests or streams', async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    await using socket = await openSocket(harness.httpsPort, HOST, true);
    await using events = await openEvents(harness.httpsPort, HOST, true);
    const load = startLoad(harness.httpsPort, HOST, true);

    for (const slot of [20, 40]) {
      assert.equal((await proxy.sync(table(1, slot))).reloaded, true);
      assert.equal((await sendHttp2(harness.httpsPort, 'app-2.localhost', 'ping', true)).text, 'ping');
      await load.more(3);
    }

    assert.deepEqual((await load.stop()).failures, []);
    await socket.assertOpen();
    await events.assertWhole();
    assert.equal(await subject(), `test ${HOST}`);
  });

  it('forwards requests of a replaced worker with their scheme, port and trailers', async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await harness.getSecurely(HOST, { agent });
    const session = openHttp2(harness.httpsPort, 'app-2.localhost', true);
    await sendOn(session, 'app-2.localhost', 'before');
    const open = harness.getSecurely(HOST, { path: '/hold' });
    await until('the request arrives', () => app.seen.includes('/hold'));
    await proxy.sync(table(1, 20));
    await using next = await startApp();
    const [changed, ...others] = table(1, 20).backends;
    assert.ok(changed);
    const backends = [changed, ...others.map((each) => (each.slot === 1 ? backend(1, [server(next)]) : each))];

    await proxy.sync({ ...table(1, 20), backends });
    const answer = await harness.getSecurely(HOST, { agent, headers: { 'x-forwarded-proto': 'http' } });

    agent.destroy();
    assert.equal(serverOf(answer), next.name);
    assert.partialDeepStrictEqual(JSON.parse(answer.text).headers, {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': String(harness.httpsPort),
    });
    const call = session.closed || session.destroyed ? null : await sendOn(session, 'app-2.localhost', 'ping');
    if (call !== null) assert.deepEqual(call, { status: 200, text: 'ping', trailers: { 'grpc-status': '0' } });
    session.destroy();
    app.release();
    assert.equal(serverOf(await open), app.name);
  });

  it('treats IPv4 clients as IPv4 while listening on IPv4 and IPv6', async () => {
    const proxy = harness.connect({ bindAddress: null });
    const allow = async (networks: string[]) => {
      const only = { host: HOST, slot: 1, rules: rules({ allow: networks }) };
      await proxy.sync({ ...table(1), hosts: [only, { host: 'free.localhost', slot: 1 }] });
      const responses = ['127.0.0.1', '::1'].map((address) => harness.get(HOST, { address }));
      return (await Promise.all(responses)).map(({ status }) => status);
    };
    await proxy.ensure(table(1));

    assert.deepEqual(await allow(['127.0.0.0/8']), [200, 403]);
    assert.deepEqual(await allow(['::1']), [403, 200]);
    const { headers } = JSON.parse((await harness.getSecurely('free.localhost')).text);
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
  });

  it('is replaced by a new container under load without a lost request', inLong, async () => {
    await using before = harness.connect();
    await before.ensure(table(1));
    await using socket = await openSocket(harness.httpsPort, HOST, true);
    const load = startLoad(harness.httpsPort, HOST, true);

    const status = await harness.connect({ socketOwner: { uid: 0, gid: 0 } }).ensure(table(1));
    await load.more(5);

    assert.deepEqual((await load.stop()).failures, []);
    assert.partialDeepStrictEqual(status, { running: true, reloads: 1, problem: null });
    await socket.assertOpen();
  });

  it('restarts with certificates, rules and challenges if killed while no daemon runs', async () => {
    const proxy = harness.connect();
    await proxy.ensure(tableOf());
    const ruled = { ...table(1), challenges: [{ token: 'told', answer: 'told.key' }] };
    ruled.hosts.push({ host: 'ruled.localhost', slot: 1, rules: rules({ httpsOnly: true }) });
    await proxy.sync(ruled);
    await proxy[Symbol.asyncDispose]();
    const pid = await harness.pid();

    process.kill(pid, 'SIGKILL');

    await until('another process answers', async () => {
      const answer = await harness.getSecurely(HOST).catch(() => null);
      return answer?.status === 200 && (await harness.pid()) !== pid;
    });
    assert.equal(await subject(), `test ${HOST}`);
    assert.equal((await harness.get('ruled.localhost')).status, 308);
    assert.equal((await harness.get(HOST, { path: '/.well-known/acme-challenge/told' })).text, 'told.key');
  });

  it('starts with a damaged certificate file and writes the file again', async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    await proxy[Symbol.asyncDispose]();
    for (const { Id } of await harness.containers()) await harness.remove(Id);
    await writeFile(join(harness.dataDir, 'proxy/certs/c1.pem'), 'damaged');

    await harness.connect().ensure(table(1));

    assert.equal(await subject(), `test ${HOST}`);
    assert.deepEqual((await readdir(join(harness.dataDir, 'proxy/certs'))).sort(), ['c1.pem', 'default.pem']);
  });

  it('loads a very long certificate chain with a reload', async () => {
    const proxy = harness.connect();
    await proxy.ensure({ ...table(1), certificates: [] });
    const chain = own.pem().slice(0, own.pem().indexOf('-----BEGIN PRIVATE'));
    const long = { ...own, name: 'long', pem: () => chain.repeat(30) + own.pem().slice(chain.length) };

    const report = await proxy.sync({ ...table(1), certificates: [long] });

    assert.deepEqual(report, { reloaded: true, problems: [], certificateProblems: [] });
    assert.equal(await subject(), `test ${HOST}`);
    assert.equal((await proxy.sync({ ...table(1), certificates: [long] })).reloaded, false);
  });
});
