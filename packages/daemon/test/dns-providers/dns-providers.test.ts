/** DNS providers, with a program that writes no records. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import type { DnsProvider } from '@davit/api';
import { bootDaemon, deployedApp, paramsOf, type TestDaemon } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { simulatedLego } from '../support/simulated-lego.ts';

const parse = <T>(answer: { text: string }) => JSON.parse(answer.text) as T;

describe('DNS providers API', () => {
  it('refuses a DNS provider on an instance with a simulated engine', async () => {
    await using daemon = await bootDaemon();
    const body = {
      name: 'main',
      provider: 'cloudflare',
      credentials: { CF_DNS_API_TOKEN: 'x' },
      domains: ['example.com'],
    };

    const { status, text } = await daemon.call('POST', '/api/dns-providers', body);

    assert.equal(status, 409);
    assert.match(text, /Docker is simulated/);
    assert.deepEqual(await daemon.client.listDnsProviders(), []);
  });

  it('refuses credentials that control the lego program, and providers that run commands', async () => {
    await using daemon = await bootDaemon();
    const body = { name: 'main', provider: 'cloudflare', credentials: { TOKEN: 'x' }, domains: ['example.com'] };
    const bad: [object, RegExp][] = [
      [{ provider: 'exec' }, /^provider/],
      [{ provider: 'manual' }, /^provider/],
      [{ provider: '../x' }, /^provider/],
      [{ credentials: {} }, /^credentials/],
      [{ credentials: { LD_PRELOAD: '/x' } }, /^credentials/],
      [{ credentials: { LEGO_CA_CERTIFICATES: '/x' } }, /^credentials/],
      [{ credentials: { HTTPREQ_PASSWORD_FILE: '/lego/accounts/key' } }, /^credentials.*_FILE/],
      [{ credentials: { https_proxy: 'x' } }, /^credentials/],
      [{ credentials: { HTTPS_PROXY: 'x' } }, /^credentials/],
      [{ credentials: { TOKEN: '' } }, /^credentials/],
      [{ domains: [] }, /^domains/],
      [{ domains: ['*.example.com'] }, /^domains/],
      [{ name: 'Not A Name' }, /^name/],
    ];

    for (const [change, message] of bad) {
      const { status, text } = await daemon.call('POST', '/api/dns-providers', { ...body, ...change });
      assert.equal(status, 400, `${JSON.stringify(change)}: ${text}`);
      assert.match(text, message);
    }
  });
});

describe('DNS providers API with lego', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon({ lego: simulatedLego });
  });
  afterEach(async () => {
    for (const { id } of await daemon.client.listDnsProviders()) {
      await daemon.call('DELETE', `/api/dns-providers/${id}`);
    }
  });
  after(() => daemon[Symbol.asyncDispose]());

  const secret = `canary-${randomBytes(8).toString('hex')}`;
  const body = { name: 'main', provider: 'sample', credentials: { TOKEN: secret }, domains: ['Example.com'] };
  const add = (change: object = {}) => daemon.call('POST', '/api/dns-providers', { ...body, ...change });

  it('updates single fields and keeps plain-text credentials out of responses, logs and the database', async () => {
    const added = parse<DnsProvider>(await add());
    const path = `/api/dns-providers/${added.id}`;
    const patched = await daemon.call('PATCH', path, { domains: ['example.org'], credentials: { A: secret, B: 'x' } });

    assert.deepEqual(added.domains, ['example.com']);
    assert.deepEqual(added.variables, ['TOKEN']);
    const { domains, variables, provider, check_propagation } = parse<DnsProvider>(patched);
    assert.deepEqual([domains, variables, provider, check_propagation], [['example.org'], ['A', 'B'], 'sample', true]);
    const said = [patched.text, (await daemon.call('GET', path)).text, (await daemon.call('GET', '/api/audit')).text];
    const stored = JSON.stringify(daemon.core.store.all(unchecked('SELECT * FROM dns_providers')));
    for (const text of [...said, stored, ...daemon.log.lines]) assert.ok(!text.includes(secret));
  });

  it('refuses an unknown provider, a duplicate name and a domain of another provider', async () => {
    assert.match(
      (await add({ provider: 'cloudflaer' })).text,
      /^provider: “cloudflaer” is not a DNS provider that lego supports/,
    );
    assert.equal((await add({ provider: 'cloudflaer', name: 'other' })).status, 400);
    assert.equal((await add()).status, 201);

    const sameName = await add({ domains: ['example.net'] });
    const sameDomain = await add({ name: 'second' });

    assert.deepEqual([sameName.status, sameDomain.status], [409, 409]);
    assert.match(sameDomain.text, /example\.com belongs to the DNS provider main/);
    const unchecked = await daemon.call('POST', '/api/dns-providers?check=false', {
      ...body,
      name: 'third',
      provider: 'brand-new',
      domains: ['example.net'],
    });
    assert.equal(unchecked.status, 201);
  });

  it('shows the reason for a failed certificate order on the domain', async () => {
    await add({ domains: ['example.com'] });
    const { app } = await deployedApp(daemon);
    await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'shop.example.com' } });
    // No server listens there, so the registration of the account fails first.
    const acme = { email: 'ops@example.com', directory: 'https://127.0.0.1:1/dir' };
    await daemon.client.patchSettings({ body: { acme } });
    await daemon.settled();

    const [domain] = await daemon.client.listDomains({ params: paramsOf(app) });
    assert.match(domain?.certificate.problem ?? '', /cannot be reached/);
    await daemon.client.patchSettings({ body: { acme: null } });
  });
});
