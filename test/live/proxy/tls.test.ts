/** Requests through the proxy over TLS, and the presented certificates. */
import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Proxy, RouteCertificate, RouteTable } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp, startRpcApp, type TestApp } from '../../support/proxy-apps.ts';
import { openEvents, openSocket, sendHttp2, shakeHands } from '../../support/proxy-clients.ts';
import { backend, certificate, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';
import { serverOf, startLoad } from '../../support/proxy-load.ts';
import { inLong } from '../../support/tiers.ts';

const HOST = 'app-1.localhost';
const DEFAULT = 'Davit has no certificate for this host yet';

describe('the proxy over TLS', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let app: TestApp;
  let rpc: Awaited<ReturnType<typeof startRpcApp>>;

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    [app, rpc] = [await startApp(), await startRpcApp()];
    await proxy.ensure(table());
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await rpc[Symbol.asyncDispose]();
  });

  const table = (certificates: RouteCertificate[] = []): RouteTable => ({
    ...tableOf(backend(1, [server(app)]), backend(2, [server(rpc)], 'h2c')),
    certificates,
  });
  const subject = async (name: string) => (await shakeHands(harness.httpsPort, name)).subject;
  const files = async () => (await readdir(join(harness.dataDir, 'proxy/certs'))).sort();

  it('presents the default certificate for names without a certificate', async () => {
    assert.equal(await subject(HOST), DEFAULT);
    assert.equal(serverOf(await harness.getSecurely(HOST)), app.name);
  });

  it('presents the newest certificate of each name and removes unused certificates without a reload', async () => {
    const [one, two] = [
      await certificate('c1', [HOST, 'other.localhost']),
      await certificate('c2', ['*.wild.localhost']),
    ];
    const three = await certificate('c3', [HOST]);

    const report = await proxy.sync(table([one, two]));
    const first = await Promise.all([HOST, 'a.wild.localhost', 'a.b.wild.localhost', 'wild.localhost'].map(subject));
    await proxy.sync(table([one, two, three]));
    const renewed = await Promise.all([HOST, 'other.localhost'].map(subject));
    const kept = await files();
    await proxy.sync(table([three]));

    assert.deepEqual(report, { reloaded: false, problems: [], certificateProblems: [] });
    assert.deepEqual(first, [`test ${HOST}`, 'test *.wild.localhost', DEFAULT, DEFAULT]);
    assert.deepEqual(renewed, [`test ${HOST}`, `test ${HOST}`]);
    assert.deepEqual(kept, ['c1.pem', 'c2.pem', 'c3.pem', 'default.pem']);
    assert.deepEqual(await Promise.all([HOST, 'other.localhost'].map(subject)), [`test ${HOST}`, DEFAULT]);
    assert.deepEqual(await files(), ['c3.pem', 'default.pem']);
    assert.equal((await proxy.status()).reloads, 0);
    assert.deepEqual(
      harness.log.filter((line) => /refused|not removed/.test(line)),
      [],
    );
  });

  it('keeps certificate files private and reads each certificate once', async () => {
    const made = await certificate('c9', [HOST]);
    let reads = 0;
    const counted = {
      ...made,
      pem: () => {
        reads += 1;
        return made.pem();
      },
    };

    for (let n = 0; n < 3; n += 1) await proxy.sync(table([counted]));

    assert.equal(reads, 1);
    assert.equal((await stat(join(harness.dataDir, 'proxy/certs/c9.pem'))).mode & 0o777, 0o600);
    assert.equal((await stat(join(harness.dataDir, 'proxy/certs'))).mode & 0o777, 0o700);
  });

  it('serves the other hosts if a certificate is invalid, and reports its name', async () => {
    const good = await certificate('c10', [HOST]);
    const other = await certificate('c11', [HOST]);
    const [chain = '', key = ''] = [good.pem(), other.pem().slice(other.pem().indexOf('-----BEGIN PRIVATE'))];
    const broken: RouteCertificate[] = [
      { name: 'garbage', hosts: ['a.localhost'], pem: () => 'garbage' },
      { name: 'mixed', hosts: ['b.localhost'], pem: () => chain.slice(0, chain.indexOf('-----BEGIN PRIVATE')) + key },
      { name: 'empty', hosts: ['c.localhost'], pem: () => '' },
      { name: 'sealed', hosts: ['d.localhost'], pem: () => assert.fail('it could not be opened') },
    ];

    const report = await proxy.sync(table([...broken, good]));

    assert.deepEqual(report.certificateProblems.map(({ name }) => name).sort(), [
      'empty',
      'garbage',
      'mixed',
      'sealed',
    ]);
    for (const { reason } of report.certificateProblems) assert.match(reason, /^The certificate cannot be used: .+\.$/);
    assert.deepEqual(await Promise.all([HOST, 'a.localhost'].map(subject)), [`test ${HOST}`, DEFAULT]);
    assert.deepEqual(await files(), ['c10.pem', 'default.pem']);
  });

  it('supports TLS 1.2 and 1.3, HTTP/1.1 and HTTP/2, and resumes sessions', async () => {
    for (const protocol of ['TLSv1.2', 'TLSv1.3'] as const) {
      const options = { minVersion: protocol, maxVersion: protocol };
      const first = await shakeHands(harness.httpsPort, HOST, options);
      const again = await shakeHands(harness.httpsPort, HOST, { ...options, session: first.session });

      assert.deepEqual([first.protocol, first.resumed, again.resumed], [protocol, false, true]);
    }
    await assert.rejects(
      shakeHands(harness.httpsPort, HOST, {
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
    );
    assert.equal((await shakeHands(harness.httpsPort, HOST, { ALPNProtocols: ['http/1.1'] })).alpn, 'http/1.1');
    assert.equal(JSON.parse((await sendHttp2(harness.httpsPort, HOST, 'hello', true)).text).bytes, 5);
  });

  it('forwards gRPC trailers, WebSockets, event streams and large bodies', inLong, async () => {
    const call = await sendHttp2(harness.httpsPort, 'app-2.localhost', 'ping', true);
    await using socket = await openSocket(harness.httpsPort, HOST, true);
    await using events = await openEvents(harness.httpsPort, HOST, true);
    const body = Buffer.alloc(32 * 2 ** 20);
    const { text } = await harness.getSecurely(HOST, { method: 'PUT', body });

    assert.deepEqual(call, { status: 200, text: 'ping', trailers: { 'grpc-status': '0' } });
    await socket.assertOpen();
    await events.assertWhole();
    assert.equal(JSON.parse(text).bytes, body.length);
  });

  it('sets forwarding headers from the connection and ignores values of the client', async () => {
    const names = [
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-forwarded-port',
      'x-forwarded-host',
      'x-real-ip',
      'forwarded',
    ];
    const spoofed = Object.fromEntries(names.map((name) => [name, '6.6.6.6']));

    const secure = JSON.parse((await harness.getSecurely(HOST, { headers: spoofed })).text);
    const plain = JSON.parse((await harness.get(HOST, { headers: spoofed })).text);

    const common = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': HOST, 'x-real-ip': '127.0.0.1' };
    assert.partialDeepStrictEqual(secure.headers, {
      ...common,
      'x-forwarded-proto': 'https',
      'x-forwarded-port': String(harness.httpsPort),
    });
    assert.partialDeepStrictEqual(plain.headers, {
      ...common,
      'x-forwarded-proto': 'http',
      'x-forwarded-port': String(harness.port),
    });
    assert.equal(secure.headers.forwarded, undefined);
  });

  it('loses no request while certificates change under load', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => certificate(`load${n}`, [HOST, `l${n}.localhost`])));
    await proxy.sync(table(made.slice(0, 1)));
    await using socket = await openSocket(harness.httpsPort, HOST, true);
    const load = startLoad(harness.httpsPort, HOST, true);

    for (const next of made.slice(1)) {
      await proxy.sync(table([next]));
      await load.more(3);
    }

    const { failures } = await load.stop();
    assert.deepEqual(failures, []);
    await socket.assertOpen();
    assert.equal((await proxy.status()).reloads, 0);
  });

  it('presents the default certificate for 1,000 unknown names and stores no files', async () => {
    const before = await files();
    const names = Array.from({ length: 1_000 }, (_, n) => `${Math.random().toString(36).slice(2)}-${n}.example`);

    const subjects = new Set<string>();
    for (let from = 0; from < names.length; from += 50) {
      for (const found of await Promise.all(names.slice(from, from + 50).map(subject))) subjects.add(found);
    }

    assert.deepEqual([...subjects], [DEFAULT]);
    assert.deepEqual(await files(), before);
  });
});
