/** When certificates are ordered and when not, with an authority that a test plays itself. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Authority } from '@davit/api';
import { bootDaemon, deployedApp, paramsOf, type TestDaemon } from '@davit/testkit';
import { readCertificate } from '../src/certificates/pem.ts';
import { putCertificate } from '../src/store/certificate.ts';
import { endOrder, insertOrder } from '../src/store/certificate-order.ts';
import { makeCertificate } from './support/make-certificate.ts';
import { startAuthority, type TestAuthority } from './support/test-authority.ts';

const DAY_MS = 86_400_000;
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

describe('the limits of an authority', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  it('put off all names that they concern, one that another authority gave a certificate for too', async () => {
    const { app } = await deployedApp(daemon);
    const hosts = ['a', 'b', 'c'].map((name) => `${name}.example.com`);
    for (const host of hosts) await daemon.client.addDomain({ params: paramsOf(app), body: { host } });
    const { certificate, key } = await makeCertificate(['a.example.com']);
    const { key: _, ...read } = readCertificate(certificate, key, Date.now());
    daemon.core.store.tx((tx) => {
      const at = Date.now();
      const directory = 'https://acme-staging-v02.api.letsencrypt.org/directory';
      putCertificate(tx, null, { ...read, kind: 'acme', directory, created_at: at, updated_at: at }, () => 'sealed');
      for (let i = 0; i < 50; i++) {
        const id = insertOrder(tx, { directory: LETS_ENCRYPT, name: `h${i}.example.com`, renewal: false, at: at - i });
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
    for (const { certificate: shown } of domains) assert.match(shown.problem ?? '', /gives 50 certificates a week/);
  });
});

describe('an authority', () => {
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

  it('that asks for patience without an end is asked again after a week', async () => {
    authority = await startAuthority((_, response) => {
      response.writeHead(429, { 'retry-after': '9'.repeat(30), 'content-type': 'application/problem+json' });
      response.end('{"type": "urn:ietf:params:acme:error:rateLimited", "detail": "later"}');
    });

    await orderAt(authority.url, { trusted_ca: authority.trustedCa });
    await daemon.settled();

    const ahead = await aheadMs();
    assert.ok(ahead > 6 * DAY_MS && ahead <= 7 * DAY_MS, `${ahead} ms`);
    assert.equal((await shown()).problem, 'later.');
  });

  it('is not left alone for a year because the clock was wrong', async () => {
    clock.ahead = 365 * DAY_MS;
    await orderAt('https://127.0.0.1:1');
    await daemon.settled();
    assert.ok((await aheadMs()) > 364 * DAY_MS);

    clock.ahead = 0;
    daemon.core.nudgeCertificates();
    await daemon.settled();

    assert.ok((await aheadMs()) < DAY_MS);
  });

  it('is left alone, and it is said why, while the key of the account there cannot be opened', async () => {
    await orderAt('https://127.0.0.1:1');
    await daemon.settled();
    daemon.core.store.tx((tx) => tx.run(`UPDATE acme_accounts SET key = 'x', paused_until = NULL`));

    daemon.core.nudgeCertificates();
    await daemon.settled();

    assert.match((await shown()).problem ?? '', /changed outside Davit/);
  });

  it('keeps what it said for itself when the settings name another one meanwhile', async () => {
    const asked = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    authority = await startAuthority(async ({ url }, response) => {
      asked.resolve();
      await changed.promise;
      if (url === '/account') response.writeHead(201, { location: 'https://localhost/account/1' }).end('{}');
      else response.writeHead(500).end();
    });
    await orderAt(authority.url, { trusted_ca: authority.trustedCa });
    await asked.promise;

    await orderAt('https://127.0.0.1:1');
    changed.resolve();
    await daemon.settled();

    assert.equal((await shown()).account, null);
    await orderAt(authority.url);
    assert.equal((await shown()).account, 'https://localhost/account/1');
  });
});
