/** Uploaded certificates, and the selection of the authority for ordered ones, with the simulated engine. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Certificate } from '@davit/api';
import { bootDaemon, deployedApp, paramsOf, type TestDaemon, user } from '@davit/testkit';
import { listChallenges } from '../../src/db/tables/certificate.ts';
import { findUsedHosts } from '../../src/resources/certificates/probe.ts';
import { isUsed } from '../../src/resources/certificates/wanted.ts';
import { addressNames } from '../support/address-names.ts';
import { makeCertificate } from '../support/make-certificate.ts';

const parse = <T>(answer: { text: string }) => JSON.parse(answer.text) as T;

describe('uploaded certificates', () => {
  let daemon: TestDaemon;
  const clock = { ahead: 0 };
  before(async () => {
    daemon = await bootDaemon({ now: () => Date.now() + clock.ahead });
  });
  afterEach(async () => {
    for (const { id } of await list()) await daemon.call('DELETE', `/api/certificates/${id}`);
  });
  after(() => daemon[Symbol.asyncDispose]());

  const list = async (key?: string) =>
    parse<Certificate[]>(await daemon.call('GET', '/api/certificates', undefined, key));
  const made = async (hosts: string[], days?: number) => {
    const { certificate, key } = await makeCertificate(hosts, days === undefined ? {} : { days });
    return { certificate, key };
  };
  const upload = async (hosts: string[], days?: number) => {
    const answer = await daemon.call('POST', '/api/certificates', await made(hosts, days));
    assert.equal(answer.status, 201, answer.text);
    return parse<Certificate>(answer);
  };
  const servedFor = (host: string) =>
    daemon.proxy.table()?.certificates?.find(({ hosts }) => hosts.includes(host))?.name ?? null;

  it('are served immediately, and their key is never shown', async () => {
    const body = await made(['shop.example.com']);
    const answer = await daemon.call('POST', '/api/certificates', body);

    const certificate = parse<Certificate>(answer);
    assert.equal(answer.headers.get('location'), `/api/certificates/${certificate.id}`);
    assert.equal(certificate.kind, 'custom');
    assert.equal(certificate.status, 'active');
    assert.equal(certificate.renews_at, null);
    assert.equal(servedFor('shop.example.com'), `c${certificate.id}-${certificate.fingerprint.slice(0, 16)}`);
    const middle = body.key.split('\n')[1] ?? '';
    const everything = [answer.text, (await daemon.call('GET', '/api/certificates')).text, ...daemon.log.lines];
    assert.ok(everything.every((text) => !text.includes(middle)));
    assert.deepEqual(parse(await daemon.call('GET', `/api/certificates/${certificate.id}`)), certificate);
  });

  it('are refused without a change if they are not valid', async () => {
    const [good, other] = [await made(['a.example.com']), await made(['b.example.com'])];
    const bad: [object, RegExp][] = [
      [{ ...good, key: other.key }, /^key: The private key does not match/],
      [await made(['old.example.com'], -1), /^certificate: The certificate expired/],
      [await made([]), /^certificate: The certificate has no host name/],
      [{ certificate: 'x', key: good.key }, /^certificate: The certificate must be in PEM format/],
      [{ certificate: good.certificate }, /^key/],
      [{ ...good, name: 'x' }, /^name/],
      [{ ...good, key: 7 }, /^key/],
    ];

    for (const [body, message] of bad) {
      const { status, text } = await daemon.call('POST', '/api/certificates', body);
      assert.equal(status, 400, text);
      assert.match(text, message);
    }
    assert.deepEqual(await list(), []);
  });

  it('are replaced under the same id and cannot be stored twice', async () => {
    const first = await upload(['shop.example.com']);
    const body = await made(['shop.example.com', 'www.example.com']);

    const answer = await daemon.call('PUT', `/api/certificates/${first.id}`, body);
    const again = await daemon.call('POST', '/api/certificates', body);

    const replaced = parse<Certificate>(answer);
    assert.equal(replaced.id, first.id);
    assert.deepEqual(replaced.hosts, ['shop.example.com', 'www.example.com']);
    assert.notEqual(servedFor('shop.example.com'), null);
    assert.equal(servedFor('shop.example.com'), servedFor('www.example.com'));
    assert.equal(again.status, 409);
    assert.match(again.text, new RegExp(`certificate ${first.id}`));
  });

  it('serve the newer certificate of a host until its deletion', async () => {
    const older = await upload(['shop.example.com']);
    const newer = await upload(['shop.example.com']);

    assert.match(servedFor('shop.example.com') ?? '', new RegExp(`^c${newer.id}-`));
    await daemon.call('DELETE', `/api/certificates/${newer.id}`);
    assert.match(servedFor('shop.example.com') ?? '', new RegExp(`^c${older.id}-`));
  });

  it('cause a warning if the proxy refuses a certificate', async () => {
    const certificate = await upload(['shop.example.com']);
    daemon.proxy.setRefused(servedFor('shop.example.com') ?? '', 'its key is another one.');
    daemon.core.nudgeRoutes();
    await daemon.settled();

    const { warnings } = await daemon.client.getInstance();
    assert.ok(warnings.includes(`The proxy does not use certificate ${certificate.id}: its key is another one.`));
  });

  it('cause a warning before and after expiry only for hosts in use', async () => {
    const { app } = await deployedApp(daemon);
    await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'soon.example.com' } });
    await upload(['soon.example.com'], 10);
    await upload(['unused.example.com'], 10);
    const warnings = async () =>
      (await daemon.client.getInstance()).warnings.filter((text) => /certificate/.test(text));

    assert.deepEqual(await warnings(), [
      'The uploaded certificate of soon.example.com expires within two weeks. Replace it.',
    ]);
    clock.ahead = 11 * 86_400_000;
    try {
      assert.match((await warnings()).join(), /^The certificate of soon\.example\.com has expired/);
    } finally {
      clock.ahead = 0;
    }
  });

  it('are hidden from users without access and cannot be renewed', async () => {
    const { app } = await deployedApp(daemon);
    await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'seen.example.com' } });
    const { app: hidden } = await deployedApp(daemon);
    await daemon.client.addDomain({ params: paramsOf(hidden), body: { host: 'hidden.example.com' } });
    const [seen, unseen] = [await upload(['seen.example.com']), await upload(['hidden.example.com'])];
    const limited = user(daemon, 'viewer', [app.project]);

    assert.deepEqual(
      (await list(limited.key)).map(({ id }) => id),
      [seen.id],
    );
    const invisible = await daemon.call('GET', `/api/certificates/${unseen.id}`, undefined, limited.key);
    const missing = await daemon.call('GET', '/api/certificates/999999', undefined, limited.key);
    assert.deepEqual([invisible.status, invisible.text], [404, missing.text]);
    assert.deepEqual((await list()).find(({ id }) => id === seen.id)?.used_by, [app.reference]);
    assert.equal((await daemon.call('POST', `/api/certificates/${seen.id}/renew`)).status, 409);
  });

  it('can be uploaded only by an admin of all projects', async () => {
    const { app } = await deployedApp(daemon);
    const body = await made(['shop.example.com']);
    const member = user(daemon, 'member');
    const limited = user(daemon, 'admin', [app.project]);

    for (const { key } of [member, limited]) {
      assert.equal((await daemon.call('POST', '/api/certificates', body, key)).status, 403);
    }
    const limits = await daemon.call('GET', '/api/certificates/authority', undefined, member.key);
    assert.equal(limits.status, 403);
  });

  it('for the instance domain enforce HTTPS', async () => {
    assert.equal(daemon.proxy.table()?.domainRules, undefined);

    await upload(['davit.test']);

    assert.equal(daemon.proxy.table()?.domainRules?.httpsOnly, true);
    assert.match(daemon.proxy.table()?.domainRules?.hsts ?? '', /^max-age=\d+$/);
  });
});

describe('certificate authority settings', () => {
  it('require a contact, and each domain reports a missing contact', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const domain = await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'shop.example.com' } });

    assert.equal(domain.certificate.status, 'none');
    assert.match(domain.certificate.problem ?? '', /`davit settings set acme\.email=you@example\.com`/);
    assert.equal(domain.certificate.problem_code, 'contact_missing');
    const authority = await daemon.client.getAuthority();
    assert.equal(authority.name, 'Let’s Encrypt');
    assert.deepEqual(authority.limits, [
      { limit: 'orders', subject: null, used: 0, most: 300, window_s: 10_800, frees_at: null },
    ]);
  });

  for (const host of ['shop.test', 'shop.example', 'shop.home.arpa']) {
    it(`name the next step for the local name ${host}`, async () => {
      await using daemon = await bootDaemon();
      const { app } = await deployedApp(daemon);

      const { certificate } = await daemon.client.addDomain({ params: paramsOf(app), body: { host } });

      assert.deepEqual([certificate.status, certificate.problem_code], ['none', 'name_not_public']);
      assert.match(certificate.problem ?? '', /Add a domain that you own, upload a certificate .* acme\.directory/);
    });
  }

  it('never return the key of an external account', async () => {
    await using daemon = await bootDaemon();
    const hmac_key = randomBytes(32).toString('base64url');
    const path = '/api/certificates/authority/external-account';

    const bound = await daemon.call('PUT', path, { kid: 'kid-1', hmac_key });
    const bad = await daemon.call('PUT', path, { kid: 'kid 1', hmac_key: '*' });

    assert.equal(parse<{ external_account: string }>(bound).external_account, 'kid-1');
    assert.equal(bad.status, 400);
    const everything = [bound.text, (await daemon.call('GET', '/api/audit')).text, ...daemon.log.lines];
    assert.ok(everything.every((text) => !text.includes(hmac_key)));
    assert.equal((await daemon.call('DELETE', path)).status, 204);
    assert.equal((await daemon.client.getAuthority()).external_account, null);
  });
});

describe('default hosts', () => {
  /**
   * Checks for used default hosts of an instance with this domain. An HTTP server at 127.0.0.7 represents the target of
   * the hosts.
   */
  async function probed(domain: string, name: string) {
    await using names = await addressNames();
    await using daemon = await bootDaemon();
    const { core } = daemon;
    const hosts: (string | undefined)[] = [];
    const server = createServer(({ headers, url }, response) => {
      hosts.push(headers.host);
      response.end(listChallenges(core.store).find(({ token }) => url?.endsWith(token))?.answer);
    });
    server.listen(0, '127.0.0.7');
    await once(server, 'listening');
    try {
      const acme = {
        email: 'a@example.com',
        directory: 'https://ca.internal.example/directory',
        resolver: names.server,
      };
      const set = await daemon.call('PATCH', '/api/settings', { domain, acme });
      assert.equal(set.status, 200, set.text);
      const { app } = await deployedApp(daemon, { name });
      // The daemon's own reconciler deletes all challenges at its start. It must not run at the same time as the check.
      await daemon.settled();
      const host = `${name}.production.${app.project}.${domain}`;
      const ports = { ...core.facts.ports, http: (server.address() as AddressInfo).port };
      const base = { ...core, facts: { ...core.facts, domain, ports } };
      await findUsedHosts(base, new Map(), new AbortController().signal);
      assert.ok(names.names.has(host));
      return { host, hosts, isUsed: isUsed(core, host) };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('are found by a request if they resolve to the domain address', async () => {
    const { host, hosts, isUsed: isFound } = await probed('127-0-0-7.sslip.io', 'web');
    assert.deepEqual([hosts, isFound], [[host], true]);
  });

  it('get no request if they resolve to another address', async () => {
    const { hosts, isUsed: isFound } = await probed('203-0-113-5.sslip.io', 'x-127-0-0-7');
    assert.deepEqual([hosts, isFound], [[], false]);
  });
});
