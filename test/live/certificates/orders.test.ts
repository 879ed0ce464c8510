/**
 * Certificates from a real authority, for a daemon with a simulated proxy. The tests check the route table that the
 * proxy gets.
 */

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import type { Certificate } from '@davit/api';
import { deployedApp } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { unchecked } from '../../../packages/daemon/src/db/select.ts';
import { certificateOf } from '../../../packages/daemon/src/resources/certificates/certificate-of.ts';
import { noteFirstRequest } from '../../../packages/daemon/src/resources/certificates/first-request.ts';
import { makeCertificate } from '../../../packages/daemon/test/support/make-certificate.ts';
import { CertificateHarness } from '../../support/certificate-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('a certificate from a real authority', () => {
  let harness: CertificateHarness;
  const start = async (options: Parameters<typeof CertificateHarness.start>[0] = {}) => {
    harness = await CertificateHarness.start(options);
    return harness;
  };
  afterEach(() => harness[Symbol.asyncDispose]());

  const list = async () => (await harness.daemon.client.listCertificates()) as Certificate[];
  const covering = async (host: string) => (await list()).find(({ hosts }) => hosts.includes(host));
  const served = (host: string) =>
    harness.daemon.proxy.table()?.certificates?.find(({ hosts }) => hosts.includes(host));
  const issued = (host: string) =>
    until(`${host} has a certificate`, async () => ((await covering(host)) && served(host) ? covering(host) : null));
  const stateOf = (host: string) => certificateOf(harness.daemon.core, host);

  it('is ordered for the instance and for a domain, with its full chain', async () => {
    await start();
    await harness.orderHere();
    await harness.appWithDomain('shop.example.org');

    const certificate = await issued('shop.example.org');
    await issued('davit.test');

    const pem = served('shop.example.org')?.pem() ?? '';
    const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const [leaf, issuer] = blocks.map((block) => new X509Certificate(block));
    assert.equal(leaf?.subjectAltName, 'DNS:shop.example.org');
    assert.ok(issuer && leaf?.checkIssued(issuer));
    assert.match(pem, /-----BEGIN PRIVATE KEY-----/);
    assert.deepEqual(certificate.hosts, ['shop.example.org']);
    assert.equal(certificate.status, 'active');
    assert.equal(certificate.used_by.length, 1);
    assert.equal(stateOf('shop.example.org').status, 'active');
    await until('the proxy has no challenge', async () => harness.daemon.proxy.table()?.challenges?.length === 0);
  });

  it('is issued although the authority refuses every fourth nonce', inLong, async () => {
    await start({ pebble: { rejectNonces: 25 } });
    await harness.orderHere();

    await issued('davit.test');

    assert.match(harness.pebble.log, /nonce/i);
  });

  it('is issued for an app’s own host after the host name resolves', async () => {
    await start();
    const { app: found } = await deployedApp(harness.daemon, { name: 'found' });
    const { app: lost } = await deployedApp(harness.daemon, { name: 'lost', project: found.project });
    const hostOf = (name: string) => `${name}.production.${found.project}.davit.test`;
    await harness.pebble.resolve(hostOf('lost'), null);
    await harness.orderHere();

    await issued(hostOf('found'));
    await harness.daemon.settled();
    assert.equal(await covering(hostOf('lost')), undefined);
    assert.equal(stateOf(hostOf('lost')).status, 'waiting');

    await harness.pebble.resolve(hostOf('lost'), '127.0.0.1');
    assert.equal(noteFirstRequest(harness.daemon.core, hostOf('lost')), true);
    assert.equal(noteFirstRequest(harness.daemon.core, hostOf('lost')), false);
    assert.deepEqual((await issued(hostOf('lost'))).used_by, [lost.reference]);
  });

  it('is not ordered for unknown host names', inLong, async () => {
    await start();
    await harness.orderHere();
    await issued('registry.davit.test');
    await harness.daemon.settled();
    const before = harness.pebble.orders;

    for (let i = 0; i < 200; i++) {
      for (const host of [`h${i}.example.com`, `a${i}.production.shop.davit.test`, `${i}.davit.test`, '', '*']) {
        assert.equal(noteFirstRequest(harness.daemon.core, host), false);
      }
    }
    harness.nudge();
    await harness.daemon.settled();

    assert.equal(harness.pebble.orders, before);
  });

  it('reports a failed order, waits, and is issued once the host name resolves correctly', async () => {
    await start();
    await harness.pebble.resolve('elsewhere.example.org', '127.0.0.2');
    await harness.orderHere();
    await harness.appWithDomain('elsewhere.example.org');

    const failed = await until('the order failed', async () => {
      const state = stateOf('elsewhere.example.org');
      return state.status === 'failed' ? state : null;
    });
    await harness.daemon.settled();
    assert.match(failed.problem ?? '', /elsewhere\.example\.org/);
    assert.doesNotMatch(
      failed.problem ?? '',
      /127\.0\.0\.2|acme-challenge/,
      'the authority’s own words are for the log',
    );
    const waitMs = Date.parse(failed.next_try_at ?? '') - Date.now();
    assert.ok(waitMs > 0 && waitMs <= 60_000, `${waitMs} ms`);
    const before = harness.pebble.orders;
    harness.nudge();
    await harness.daemon.settled();
    assert.equal(harness.pebble.orders, before);

    await harness.pebble.names('/clear-a', { host: 'elsewhere.example.org.' });
    harness.clock.ahead += 120_000;
    harness.nudge();
    await issued('elsewhere.example.org');

    assert.equal(stateOf('elsewhere.example.org').problem, null);
  });

  it('is renewed after two thirds of its lifetime and keeps its ID', async () => {
    await start({ pebble: { validitySeconds: 3_600 } });
    await harness.orderHere();
    const before = await issued('davit.test');
    await harness.daemon.settled();
    const renewsAt = Date.parse(before.renews_at ?? '');
    const life = Date.parse(before.not_after) - Date.parse(before.not_before);
    const share = (renewsAt - Date.parse(before.not_before)) / life;
    assert.ok(share >= 2 / 3 && share <= 2 / 3 + 1 / 30, String(share));

    harness.clock.ahead = renewsAt - Date.now() - 60_000;
    harness.nudge();
    await harness.daemon.settled();
    assert.equal((await covering('davit.test'))?.fingerprint, before.fingerprint);

    harness.clock.ahead = renewsAt - Date.now() + 60_000;
    harness.nudge();
    const after = await until('it is another one', async () => {
      const now = await covering('davit.test');
      return now?.fingerprint === before.fingerprint ? null : (now ?? null);
    });

    assert.equal(after.id, before.id);
    assert.notEqual(after.serial, before.serial);
  });

  it('is renewed on request and stays served if the renewal fails', inLong, async () => {
    await start();
    await harness.orderHere();
    const before = await issued('davit.test');
    await harness.pebble.resolve('davit.test', null);

    const { status, text } = await harness.daemon.call('POST', `/api/certificates/${before.id}/renew`);
    assert.equal(status, 202, text);
    const failing = await until(
      'the renewal failed',
      () => stateOf('davit.test'),
      ({ problem }) => problem !== null,
    );

    assert.equal(failing.status, 'active');
    assert.equal(failing.id, before.id);
    assert.notEqual(failing.next_try_at, null);
    assert.equal((await covering('davit.test'))?.fingerprint, before.fingerprint);
    assert.match((await covering('davit.test'))?.problem ?? '', /davit\.test/);
    assert.match(served('davit.test')?.name ?? '', new RegExp(before.fingerprint.slice(0, 16)));

    await harness.pebble.resolve('davit.test', '127.0.0.1');
    await harness.daemon.call('POST', `/api/certificates/${before.id}/renew`);
    await until('it was renewed', async () => (await covering('davit.test'))?.fingerprint !== before.fingerprint);
  });

  it('is issued after an outage of the authority, although the authority lost the account', inLong, async () => {
    await start();
    await harness.orderHere();
    await issued('registry.davit.test');
    await harness.daemon.settled();

    await harness.pebble.stop();
    await harness.appWithDomain('late.example.org');
    harness.nudge();
    const waiting = await until('the authority is known to be away', async () => {
      const state = stateOf('late.example.org');
      return state.problem === null ? null : state;
    });
    assert.match(waiting.problem ?? '', /cannot be reached/);
    assert.notEqual(waiting.next_try_at, null);
    const { warnings } = await harness.daemon.client.getInstance();
    assert.ok(warnings.some((text) => text.includes('Davit requests no certificates from')));

    await harness.pebble.start();
    harness.clock.ahead += 600_000;
    harness.nudge();
    await issued('late.example.org');

    const authority = await harness.daemon.client.getAuthority();
    assert.equal(authority.problem, null);
  });

  it('is ordered again exactly once if the daemon stops during an order', inLong, async () => {
    await start();
    const holding = holdChallenge(harness);
    await harness.orderHere();
    const stuck = await holding;

    const stopped = harness.daemon.stop();
    stuck.open();
    await stopped;
    await harness.daemon.start();
    await issued('davit.test');
    await issued('registry.davit.test');
    await harness.daemon.settled();

    assert.equal((await list()).length, 2);
    const orders = harness.daemon.core.store.all(
      unchecked<{ outcome: string }>('SELECT outcome FROM certificate_orders'),
    );
    assert.equal(orders.filter(({ outcome }) => outcome === 'running').length, 0);
    assert.equal(orders.filter(({ outcome }) => outcome === 'interrupted').length, 1);
    assert.equal(orders.filter(({ outcome }) => outcome === 'issued').length, 2);
  });

  it('is issued by an authority that requires an external account', inLong, async () => {
    const key = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
    await start({ pebble: { externalAccounts: { 'kid-1': key } } });
    await harness.orderHere();
    const refused = await until('the account was refused', async () => {
      const { problem } = await harness.daemon.client.getAuthority();
      return problem;
    });
    assert.match(refused, /requires external account|did not accept the account/);

    const bound = await harness.daemon.client.bindExternalAccount({ body: { kid: 'kid-1', hmac_key: key } });
    assert.equal(bound.external_account, 'kid-1');
    assert.doesNotMatch(JSON.stringify(bound), new RegExp(key));

    await issued('davit.test');
  });

  it('is issued for a new instance domain after the change', inLong, async () => {
    await start();
    await harness.orderHere();
    await issued('davit.test');

    await harness.daemon.client.patchSettings({ body: { domain: 'next.test' } });

    assert.deepEqual((await issued('next.test')).used_by, ['instance']);
    assert.equal(harness.daemon.proxy.table()?.domain, 'next.test');
    assert.deepEqual((await covering('davit.test'))?.used_by, []);
  });

  it('is not ordered for a host until a covering uploaded certificate is removed', inLong, async () => {
    await start();
    await harness.orderHere();
    await issued('registry.davit.test');
    await harness.daemon.settled();
    const { certificate, key } = await makeCertificate(['*.example.net']);
    const uploaded = await harness.daemon.client.uploadCertificate({ body: { certificate, key } });
    await harness.appWithDomain('www.example.net');
    harness.nudge();
    await harness.daemon.settled();

    assert.equal(await covering('www.example.net'), undefined);
    const covered = stateOf('www.example.net');
    assert.deepEqual([covered.status, covered.id], ['active', uploaded.id]);

    await harness.daemon.call('DELETE', `/api/certificates/${uploaded.id}`);
    await issued('www.example.net');
  });
});

/** Pauses the proxy when the daemon sends the next route table with a challenge of the authority. */
async function holdChallenge({ daemon }: CertificateHarness) {
  for (;;) {
    const gate = daemon.proxy.gate();
    const { challenges = [] } = await gate.entered;
    if (challenges.some(({ token }) => !token.startsWith('davit-'))) return gate;
    gate.open();
  }
}
