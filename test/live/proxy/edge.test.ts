/** Assignment of hosts, responses to challenges of authorities, and the instance's registry behind the proxy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { domainToASCII } from 'node:url';
import { freePort } from '@davit/testkit/ports';
import fc from 'fast-check';
import { desiredState } from '../../../packages/daemon/src/adapters/proxy/haproxy/desired.ts';
import type { Proxy, RouteRules, RouteTable } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { strangeRules } from '../../../packages/daemon/test/support/strange-rules.ts';
import { startApp, type TestApp } from '../../support/proxy-apps.ts';
import { sendHttp2 } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, rules, server, tableOf } from '../../support/proxy-harness.ts';
import { type Answer, serverOf } from '../../support/proxy-load.ts';

const TEXT = 'text/plain; charset=utf-8';

describe('proxy routing', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let app: TestApp;
  let other: TestApp;

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    [app, other] = [await startApp(), await startApp()];
    await proxy.ensure(tableOf());
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const table = (...hosts: RouteTable['hosts']): RouteTable => ({
    ...tableOf(backend(1, [server(app)]), backend(2, [server(other)])),
    hosts,
  });

  it('routes 150 hosts in four spellings and three paths, and no other host', async () => {
    const words = ['shop', 'a-b', 'x.y.z', 'bücher', '例え', 'a_b'];
    const names = Array.from({ length: 150 }, (_, n) => `${words[n % words.length]}${n}.example.org`);
    const hosts = names.map((name, n) => ({ host: domainToASCII(name), slot: (n % 2) + 1 }));
    await proxy.sync(table(...hosts));

    let right = 0;
    for (const { host, slot } of hosts) {
      const spellings = [host, host.toUpperCase(), `${host}.`, `${host}:${harness.httpsPort}`];
      const requests = spellings.flatMap((spelling) => ['/', '/a/b?c', '/%2e'].map((path) => ({ spelling, path })));
      const answers = await Promise.all(
        requests.map(({ spelling, path }, n) =>
          n % 2 ? harness.get(spelling, { path }) : harness.getSecurely(spelling, { path }),
        ),
      );
      right += answers.filter((answer) => serverOf(answer) === (slot === 1 ? app : other).name).length;
    }

    assert.equal(right, 1_800);
    const strangers = [
      'example.org',
      'xshop0.example.org',
      'shop0.example.org.evil',
      'hop0.example.org',
      '127.0.0.1',
      'shop0',
    ];
    for (const host of strangers) assert.equal((await harness.get(host)).status, 404, host);
  });

  it('answers ACME challenges on plain HTTP at any host before all rules', async () => {
    const closed = rules({ httpsOnly: true, allow: ['10.0.0.1'], maintenance: 'Soon.' });
    const challenges = [{ token: 'to_ken-1', answer: 'to_ken-1.THUMB_print-2' }];
    await proxy.sync({
      ...table({ host: 'a.example', slot: 1, rules: closed }, { host: 'b.example', slot: 1 }),
      challenges,
    });
    const path = '/.well-known/acme-challenge/to_ken-1';

    for (const host of ['a.example', 'b.example', 'localhost', 'unknown.example']) {
      const { status, text, headers } = await harness.get(host, { path });
      assert.deepEqual([status, text, headers['content-type']], [200, 'to_ken-1.THUMB_print-2', 'text/plain'], host);
    }
    assert.equal(serverOf(await harness.getSecurely('b.example', { path })), app.name);
    assert.equal(serverOf(await harness.get('b.example', { path: `${path}x` })), app.name);
    assert.equal((await harness.get('a.example', { path: `${path}x` })).status, 308);
    await proxy.sync(table({ host: 'b.example', slot: 1 }));
    assert.equal(serverOf(await harness.get('b.example', { path })), app.name);
    assert.equal((await proxy.status()).reloads, 0);
  });

  it('gives the same responses after a restart with any accepted rules', async () => {
    const isTaken = (own: RouteRules) => {
      try {
        return desiredState(table({ host: 'a.example', slot: 1, rules: own })).routes.size > 0;
      } catch {
        return false;
      }
    };
    // One domain for each kind of response, besides the generated rules.
    const plain = [
      rules({}),
      rules({ httpsOnly: true }),
      rules({ basicAuth: { salt: 's', hashes: ['0'.repeat(64)] } }),
      rules({ allow: ['10.0.0.0/8'] }),
      rules({ maintenance: 'Back soon.' }),
    ];
    const taken = [...plain, ...fc.sample(strangeRules, 1_000).filter(isTaken)];
    const hosts = taken.map((own, n) => ({ host: `h${n}.example`, slot: 1, rules: own }));

    await proxy.sync(table(...hosts));
    const beforeRestart = await Promise.all(hosts.map(({ host }) => harness.get(host)));
    for (const { Id } of await harness.containers()) await harness.remove(Id);
    await proxy.sync(table(...hosts));
    const read = await Promise.all(hosts.map(({ host }) => harness.get(host)));

    assert.ok(taken.length > 250);
    const said = ({ status, headers, text }: Answer) => ({
      status,
      location: headers.location,
      text: status === 200 ? '' : text,
    });
    assert.deepEqual(beforeRestart.map(said), read.map(said));
    assert.deepEqual([...new Set(beforeRestart.map(({ status }) => status))].sort(), [200, 308, 401, 403, 503]);
    assert.deepEqual(
      harness.log.filter((line) => line.includes('refused')),
      [],
    );
  });

  it('routes registry requests, rewrites the token address and sends token requests to the daemon', async () => {
    const uploads: number[] = [];
    const registry = createServer(async (request, response) => {
      let bytes = 0;
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      uploads.push(bytes);
      const realm = 'Bearer realm="http://127.0.0.1:1/v2/token",service="davit",scope="repository:a/b/c:pull"';
      const status = request.url === '/v2/' ? 401 : 202;
      response.writeHead(status, { 'www-authenticate': realm, location: '/v2/a/b/c/blobs/uploads/1?_state=x%3D' });
      response.end(JSON.stringify(request.headers));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    const at = (to: number): RouteTable => ({
      ...table(),
      api: { address: '127.0.0.1', port: other.port },
      registry: { host: 'registry.localhost', address: '127.0.0.1', port: to },
    });
    const report = await proxy.sync(at(port));

    const plain = await harness.get(`registry.localhost:${harness.port}`, { path: '/v2/' });
    const secure = await harness.getSecurely('Registry.localhost', { path: '/v2/' });
    const upload = await harness.getSecurely('registry.localhost', {
      path: '/v2/a/b/c/blobs/uploads/',
      method: 'PATCH',
      body: Buffer.alloc(2 ** 25),
    });
    const tokens = await Promise.all(
      ['/v2/token', '/v2/token?scope=a'].map((path) => harness.get('registry.localhost', { path })),
    );
    const http2 = await sendHttp2(harness.httpsPort, 'registry.localhost', 'x', true);
    registry.close();
    registry.closeAllConnections();
    await proxy.sync(at(await freePort()));
    const away = await harness.get('registry.localhost', { path: '/v2/' });
    await proxy.sync(table());

    assert.equal(report.reloaded, false);
    const scope = 'service="davit",scope="repository:a/b/c:pull"';
    assert.equal(
      plain.headers['www-authenticate'],
      `Bearer realm="http://registry.localhost:${harness.port}/v2/token",${scope}`,
    );
    assert.equal(secure.headers['www-authenticate'], `Bearer realm="https://registry.localhost/v2/token",${scope}`);
    assert.equal(JSON.parse(secure.text)['x-forwarded-proto'], 'https');
    assert.deepEqual([upload.status, upload.headers.location], [202, '/v2/a/b/c/blobs/uploads/1?_state=x%3D']);
    assert.ok(uploads.includes(2 ** 25));
    for (const token of tokens) assert.equal(serverOf(token), other.name);
    assert.equal(http2.status, 202);
    assert.deepEqual([away.status, away.headers['content-type'], away.headers['retry-after']], [503, TEXT, '5']);
    assert.match(away.text, /^The registry of this instance does not respond/);
    assert.equal((await harness.get('registry.localhost')).status, 404);
  });
});
