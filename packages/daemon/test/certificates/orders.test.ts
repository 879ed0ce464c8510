/** Conditions for ordering certificates, with a simulated authority. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Authority } from '@davit/api';
import { bootDaemon, deployedApp, paramsOf, type TestDaemon } from '@davit/testkit';
import { putCertificate } from '../../src/db/tables/certificate.ts';
import { endOrder, insertOrder, ordersSince } from '../../src/db/tables/certificate-order.ts';
import { parseCertificate } from '../../src/resources/certificates/pem.ts';
import { orderShares } from '../../src/resources/certificates/shares.ts';
import { makeCertificate } from '../support/make-certificate.ts';
import { startAuthority, type TestAuthority } from '../support/test-authority.ts';

const DAY_MS = 86_400_000;
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

describe('limits of a certificate authority', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  it('postpone all affected names, even names with a certificate from another authority', async () => {
    const { app } = await deployedApp(daemon);
    const hosts = ['a', 'b', 'c'].map((name) => `${name}.example.com`);
    for (const host of hosts) await daemon.client.addDomain({ params: paramsOf(app), body: { host } });
    const { certificate, key } = await makeCertificate(['a.example.com']);
    const { key: _, ...read } = parseCertificate(certificate, key, Date.now());
    daemon.core.store.tx((tx) => {
      const at = Date.now();
      const directory = 'https://acme-staging-v02.api.letsencrypt.org/directory';
      putCertificate(tx, null, { ...read, kind: 'acme', directory, created_at: at, updated_at: at }, () => 'sealed');
      for (let i = 0; i < 50; i++) {
        const id = insertOrder(tx, {
          directory: LETS_ENCRYPT,
          name: `h${i}.example.com`,
          renewal: false,
          at: at - i,
          project: null,
        });
        endOrder(tx, id, 'issued', null, at);
      }
    });

    await daemon.client.patchSettings({ body: { acme: { email: 'ops@example.com' } } });
    await daemon.settled();

    const domains = await daemon.client.listDomains({ params: paramsOf(app) });
    assert.deepEqual(
      domains.map(({ certificate: { status } }) => status),
      ['active', 'waiting', 'waiting'],
    );
    for (const { certificate: shown } of domains) {
      assert.match(shown.problem ?? '', /is reached: 50 certificates a week/);
      assert.equal(shown.problem_code, 'authority_limit');
    }

    // A requested renewal hides the earlier problem until Davit postpones the name again.
    const [first] = await daemon.client.listCertificates();
    const certificatePath = { certificate: String(first?.id) };
    const renewing = await daemon.client.renewCertificate({ params: certificatePath });
    await daemon.settled();
    const postponed = await daemon.client.getCertificate({ params: certificatePath });
    assert.deepEqual([renewing.problem, postponed.problem_code], [null, 'authority_limit']);
  });
});

describe('certificate authority', () => {
  let daemon: TestDaemon;
  let authority: TestAuthority | undefined;
  const clock = { ahead: 0 };
  beforeEach(async () => {
    daemon = await bootDaemon({ now: () => Date.now() + clock.ahead });
  });
  afterEach(async () => {
    await daemon[Symbol.asyncDispose]();
    await authority?.[Symbol.asyncDispose]();
    clock.ahead = 0;
  });

  const orderAt = (url: string, more: object = {}) =>
    daemon.client.patchSettings({ body: { acme: { email: 'ops@example.com', directory: `${url}/dir`, ...more } } });
  const shown = (): Promise<Authority> => daemon.client.getAuthority();
  const aheadMs = async () => Date.parse((await shown()).paused_until ?? '') - Date.now();

  it('with an endless retry delay is paused for a week', async () => {
    authority = await startAuthority((_, response) => {
      response.writeHead(429, { 'retry-after': '9'.repeat(30), 'content-type': 'application/problem+json' });
      response.end('{"type": "urn:ietf:params:acme:error:rateLimited", "detail": "later"}');
    });

    await orderAt(authority.url, { trusted_ca: authority.trustedCa });
    await daemon.settled();

    const ahead = await aheadMs();
    assert.ok(ahead > 6 * DAY_MS && ahead <= 7 * DAY_MS, `${ahead} ms`);
    assert.match((await shown()).problem ?? '', /rate limit .* is reached/);
    assert.equal((await shown()).problem_code, 'authority_rate_limited');
  });

  it('with a limit for a single domain still gets orders of all projects in turn', async () => {
    const [crowd, single] = [await deployedApp(daemon), await deployedApp(daemon)];
    for (let i = 0; i < 5; i += 1) {
      await daemon.client.addDomain({ params: paramsOf(crowd.app), body: { host: `a${i}.crowd.example.com` } });
    }
    await daemon.client.addDomain({ params: paramsOf(single.app), body: { host: 'z.single.example.org' } });
    const orderedNames: string[] = [];
    authority = await startAuthority(async (request, response) => {
      const json = { 'content-type': 'application/json' };
      if (request.url === '/account') {
        response.writeHead(201, { ...json, location: 'https://localhost/account/1' }).end('{"status":"valid"}');
        return;
      }
      const { payload } = JSON.parse(await text(request)) as { payload: string };
      const { identifiers } = JSON.parse(Buffer.from(payload, 'base64url').toString());
      orderedNames.push(identifiers[0].value);
      response.writeHead(429, { 'retry-after': '3600', 'content-type': 'application/problem+json' });
      const detail = 'too many certificates already issued for "example.com"';
      response.end(JSON.stringify({ type: 'urn:ietf:params:acme:error:rateLimited', detail }));
    });

    await orderAt(authority.url, { trusted_ca: authority.trustedCa });
    await daemon.settled();

    const ofApps = orderedNames.filter((name) => name.includes('.example.'));
    assert.equal(ofApps.length, 6);
    assert.ok(ofApps.indexOf('z.single.example.org') <= 1, ofApps.join());
    assert.equal((await shown()).paused_until, null);
    const [domain] = await daemon.client.listDomains({ params: paramsOf(single.app) });
    assert.match(domain?.certificate.problem ?? '', /rate limit .* is reached/);
  });

  it('counts orders of a project even for removed domains', async () => {
    const [busy, quiet] = [await deployedApp(daemon), await deployedApp(daemon)];
    const { store, now } = daemon.core;
    const project = busy.app.project;
    store.tx((tx) => {
      for (let n = 0; n < 3; n += 1) {
        insertOrder(tx, { directory: LETS_ENCRYPT, name: `gone-${n}.example`, renewal: false, at: now(), project });
      }
    });
    await daemon.client.addDomain({ params: paramsOf(busy.app), body: { host: 'a.example.com' } });
    await daemon.client.addDomain({ params: paramsOf(quiet.app), body: { host: 'z.example.com' } });

    const ordersOf = orderShares(daemon.core, ordersSince(store, LETS_ENCRYPT, 0));

    const names = ['a.example.com', 'z.example.com', daemon.core.facts.domain];
    assert.deepEqual(names.map(ordersOf), [3, 0, -1]);
  });

  it('is not paused for a year after a wrong clock', async () => {
    clock.ahead = 365 * DAY_MS;
    await orderAt('https://127.0.0.1:1');
    await daemon.settled();
    assert.ok((await aheadMs()) > 364 * DAY_MS);

    clock.ahead = 0;
    daemon.core.nudgeCertificates();
    await daemon.settled();

    assert.ok((await aheadMs()) < DAY_MS);
  });

  it('reports a problem if the account key cannot be decrypted', async () => {
    await orderAt('https://127.0.0.1:1');
    await daemon.settled();
    daemon.core.store.tx((tx) => tx.run(`UPDATE acme_accounts SET key = 'x', paused_until = NULL`));

    daemon.core.nudgeCertificates();
    await daemon.settled();

    assert.match((await shown()).problem ?? '', /changed outside Davit/);
    assert.equal((await shown()).problem_code, 'account_unreadable');
  });

  it('keeps its account after the settings change to another authority', async () => {
    const requestReceived = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    authority = await startAuthority(async ({ url }, response) => {
      requestReceived.resolve();
      await changed.promise;
      if (url === '/account') response.writeHead(201, { location: 'https://localhost/account/1' }).end('{}');
      else response.writeHead(500).end();
    });
    await orderAt(authority.url, { trusted_ca: authority.trustedCa });
    await requestReceived.promise;

    await orderAt('https://127.0.0.1:1');
    changed.resolve();
    await daemon.settled();

    assert.equal((await shown()).account, null);
    await orderAt(authority.url);
    assert.equal((await shown()).account, 'https://localhost/account/1');
  });
});
