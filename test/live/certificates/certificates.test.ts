/** Certificates of a whole instance, as clients see them over TLS. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { until } from '@davit/testkit/waiting';
import { makeCertificate } from '../../../packages/daemon/test/support/make-certificate.ts';
import { startHttpreq } from '../../support/httpreq.ts';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { type Pebble, startPebble } from '../../support/pebble.ts';
import { inLong } from '../../support/tiers.ts';

const ACCOUNT = { username: 'admin', password: 'correct horse battery' };

describe('certificates on a real instance', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let pebble: Pebble;
  let root = '';

  before(async () => {
    harness = await LiveHarness.create();
    pebble = await startPebble({ httpPort: harness.instance.httpPort });
    root = await pebble.root();
    const { acme } = pebble.settings;
    await harness.client.patchSettings({ body: { acme } });
  });
  after(async () => {
    await harness?.[Symbol.asyncDispose]();
    await pebble?.[Symbol.asyncDispose]();
  });

  const port = () => harness.instance.httpsPort;
  const withDomain = async (host: string): Promise<LiveApp> => {
    const app = await harness.deployedApp({});
    await harness.client.addDomain({ params: app.params, body: { host } });
    return app;
  };
  /** Returns the certificate of a host. A result means that the chain is trusted and contains the host. */
  const trusted = (host: string, ca: string = root) =>
    until(`${host} is served with a trusted certificate`, () => peerOf(port(), host, ca));

  test('a domain and the instance are served with a trusted certificate chain', async () => {
    await withDomain('shop.example.org');

    const peer = await trusted('shop.example.org');
    const answer = await get(port(), 'shop.example.org', root);

    assert.equal(peer.subjectaltname, 'DNS:shop.example.org');
    assert.equal(answer.status, 200);
    await trusted('davit.test');
    await trusted('registry.davit.test');
  });

  test('the instance redirects HTTP to HTTPS and sends an HSTS header', async () => {
    await trusted('davit.test');
    const plain = await until('plain HTTP leads to HTTPS', async () => {
      const answer = await harness.get('davit.test', '/healthz');
      return answer.status === 308 ? answer : null;
    });
    const health = await get(port(), 'davit.test', root, { path: '/healthz' });

    assert.equal(health.status, 200);
    assert.match(String(health.headers['strict-transport-security']), /^max-age=\d+$/);
    assert.match(String(plain.headers.location), /^https:\/\/davit\.test[:/]/);
  });

  test('a login over HTTPS sets a secure host cookie and refuses foreign origins', async () => {
    await trusted('davit.test');
    const origin = `https://davit.test:${port()}`;
    const headers = { host: `davit.test:${port()}`, origin, 'content-type': 'application/json' };
    const body = JSON.stringify(ACCOUNT);

    const signedIn = await get(port(), 'davit.test', root, { path: '/api/auth/login', method: 'POST', headers, body });
    const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
    const own = { ...headers, cookie: cookie.split(';')[0] ?? '' };
    const read = await get(port(), 'davit.test', root, { path: '/api/users/me', headers: own });
    const foreign = { ...own, origin: 'https://shop.example.org' };
    const write = (sent: Record<string, string>) =>
      get(port(), 'davit.test', root, { path: '/api/auth/logout', method: 'POST', headers: sent, body: '{}' });

    assert.equal(signedIn.status, 200, signedIn.text);
    assert.match(cookie, /^__Host-davit_session=[^;]+; Path=\/;.*HttpOnly; SameSite=Lax; Secure$/);
    assert.equal(read.status, 200, read.text);
    assert.equal((await write(foreign)).status, 403);
    assert.ok(((await write(own)).status ?? 500) < 300);
  });

  test('one wildcard certificate covers all hosts of an environment with a DNS provider', async () => {
    await using adapter = await startHttpreq(pebble);
    const token = 'canary-dns-7c51f0';
    const body = {
      name: 'test',
      provider: 'httpreq',
      domains: ['davit.test'],
      credentials: { HTTPREQ_ENDPOINT: adapter.url, HTTPREQ_USERNAME: 'davit', HTTPREQ_PASSWORD: token },
      check_propagation: false,
    };
    const { id } = await harness.client.addDnsProvider({ body });
    try {
      const project = await harness.project();
      const first = await harness.deployedApp({ project });
      const host = harness.instance.hostOf(first.params);

      const peer = await trusted(host);
      const other = await trusted(`other.production.${project}.davit.test`);

      assert.ok(peer && other);
      assert.equal(peer.subjectaltname, `DNS:*.production.${project}.davit.test`);
      assert.equal(other.fingerprint256, peer.fingerprint256);
      assert.ok(adapter.asked.some(({ path, fqdn }) => path === '/present' && fqdn.startsWith('_acme-challenge.')));
      assert.ok(adapter.asked.every(({ authorization }) => atob(authorization.slice(6)) === `davit:${token}`));
      // The certificate is served before the temporary files of the order are removed.
      await until('its folder is gone', async () => !existsSync(join(harness.instance.dataDir, 'lego')));
      assert.doesNotMatch(await readFile(join(harness.instance.dataDir, 'daemon.log'), 'utf8'), new RegExp(token));
      assert.doesNotMatch(JSON.stringify(await harness.client.listDnsProviders()), new RegExp(token));
    } finally {
      await harness.client.removeDnsProvider({ params: { provider: String(id) } });
    }
  });

  test('unknown DNS providers and providers that run commands are refused', async () => {
    const body = { name: 'none', domains: ['davit.test'], credentials: { TOKEN: 'x' } };
    const add = (provider: string) => harness.client.addDnsProvider({ body: { ...body, provider } });

    await assert.rejects(add('cloudflaer'), /not a DNS provider that lego supports/);
    await assert.rejects(add('exec'), /with a network API/);
    await assert.rejects(add('manual'), /with a network API/);
  });

  test('an uploaded certificate is served, replaced without a failed request, and removed', inLong, async () => {
    await withDomain('own.example.net');
    await trusted('own.example.net');
    const authority = await makeCertificate([], { isAuthority: true });
    const first = await makeCertificate(['own.example.net'], { issuer: authority });
    const second = await makeCertificate(['own.example.net'], { issuer: authority });
    const upload = ({ certificate, key }: { certificate: string; key: string }) => ({ certificate, key });

    const { id } = await harness.client.uploadCertificate({ body: upload(first) });
    await until('it is served', () => peerOf(port(), 'own.example.net', authority.certificate));
    const load = requestRepeatedly(port(), 'own.example.net');
    const params = { certificate: String(id) };
    const replaced = await harness.client.replaceCertificate({ params, body: upload(second) });
    await until('the second is served', async () => {
      const peer = await peerOf(port(), 'own.example.net', authority.certificate);
      return peer?.fingerprint256.replaceAll(':', '').toLowerCase() === replaced.fingerprint;
    });
    const { asked: sent, failed } = await load.stop();
    await harness.client.removeCertificate({ params });

    await trusted('own.example.net');
    assert.deepEqual(failed, []);
    assert.ok(sent > 0);
  });

  test('a renewed certificate is served without a failed request', inLong, async () => {
    const before = await trusted('davit.test');
    const [row] = (await harness.client.listCertificates()).filter(({ hosts }) => hosts.includes('davit.test'));
    const load = requestRepeatedly(port(), 'davit.test');

    await harness.client.renewCertificate({ params: { certificate: String(row?.id) } });
    await until('another one is served', async () => {
      const now = await peerOf(port(), 'davit.test', root);
      return now !== null && now.fingerprint256 !== before.fingerprint256;
    });
    const { asked: sent, failed } = await load.stop();

    assert.deepEqual(failed, []);
    assert.ok(sent > 0);
  });

  test('requests for unknown hosts cause no certificate orders', async () => {
    await trusted('registry.davit.test');
    // The authority logs the names that it validates. An order for the app of another test may still be running.
    assert.match(pebble.log, /registry\.davit\.test/);

    const hosts = Array.from({ length: 100 }, (_, i) => `n${i}.production.nothing.davit.test`);
    for (const host of hosts) await peerOf(port(), host, root);
    for (const host of hosts) await get(port(), host, root, { rejectUnauthorized: false }).catch(() => null);

    assert.ok(!pebble.log.includes('nothing.davit.test'));
  });

  test('a domain with wrong DNS reports why the domain has no certificate', inLong, async () => {
    await pebble.resolve('elsewhere.example.org', null);
    const app = await withDomain('elsewhere.example.org');

    const { certificate } = await until('the order failed', async () => {
      const [domain] = await harness.client.listDomains({ params: app.params });
      return domain?.certificate.status === 'failed' ? domain : null;
    });

    assert.match(certificate.problem ?? '', /elsewhere\.example\.org/);
    assert.ok(Date.parse(certificate.next_try_at ?? '') > Date.now());
  });

  test('certificates stay served while the authority is down, and a killed daemon resumes orders', inLong, async () => {
    const before = await trusted('davit.test');
    await pebble.stop();
    const app = await withDomain('late.example.org');
    const said = await until('it is said', async () => {
      const [domain] = await harness.client.listDomains({ params: app.params });
      return domain?.certificate.problem;
    });
    assert.match(said, /cannot be reached/);
    assert.equal((await trusted('davit.test')).fingerprint256, before.fingerprint256);

    await pebble.start();
    const again = { acme: { ...pebble.settings.acme, email: 'operator@example.com' } };
    await harness.client.patchSettings({ body: again });
    await harness.instance.kill();
    assert.equal((await get(port(), 'shop.example.org', '', { rejectUnauthorized: false })).status, 200);
    await harness.instance.start();

    await trusted('late.example.org', await pebble.root());
    const late = (await harness.client.listCertificates()).filter(({ hosts }) => hosts.includes('late.example.org'));
    assert.equal(late.length, 1);
    root = await pebble.root();
  });

  test('a changed instance domain is served immediately without replacing containers', async () => {
    const running = await harness.objects();

    await harness.client.patchSettings({ body: { domain: 'next.test' } });

    await trusted('next.test');
    assert.deepEqual(await harness.objects(), running);
    const health = await get(port(), 'next.test', root, { path: '/healthz' });
    assert.equal(health.status, 200);
    const gone = await get(port(), 'davit.test', '', { path: '/healthz', rejectUnauthorized: false });
    assert.notEqual(gone.status, 200);
  });
});

/** Returns the certificate of a host if it is trusted with `ca`, otherwise null. */
async function peerOf(port: number, host: string, ca: string): Promise<DetailedPeerCertificate | null> {
  const socket = connect({ host: '127.0.0.1', port, servername: host, ca });
  const { promise, resolve } = Promise.withResolvers<DetailedPeerCertificate | null>();
  socket.once('secureConnect', () => resolve(socket.getPeerCertificate(true)));
  socket.once('error', () => resolve(null));
  socket.once('close', () => resolve(null));
  const peer = await promise;
  socket.destroy();
  return peer;
}

interface RequestInput {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  rejectUnauthorized?: boolean;
}

async function get(
  port: number,
  host: string,
  ca: string,
  { path = '/', method = 'GET', headers = {}, body, rejectUnauthorized = true }: RequestInput = {},
) {
  const tls = { servername: host, ca, rejectUnauthorized };
  const to = { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false as const };
  const clientRequest = request({ ...to, ...tls }).end(body);
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

/** Requests a host repeatedly, each time on a new connection, without verification of the certificate. */
function requestRepeatedly(port: number, host: string) {
  const failed: string[] = [];
  let sent = 0;
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      sent += 1;
      const answer = await get(port, host, '', { rejectUnauthorized: false }).catch((error: Error) => error);
      if (answer instanceof Error) failed.push(answer.message);
      else if ((answer.status ?? 0) >= 500) failed.push(String(answer.status));
    }
  };
  const workers = Array.from({ length: 4 }, work);
  return {
    async stop() {
      isOver = true;
      await Promise.all(workers);
      return { asked: sent, failed };
    },
  };
}
