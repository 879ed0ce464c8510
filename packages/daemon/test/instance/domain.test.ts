/** The host name of the instance: set by a user, detected, or a default. */
import assert from 'node:assert/strict';
import type { NetworkInterfaceInfo } from 'node:os';
import { describe, it } from 'node:test';
import { bootDaemon, deployedApp, keyFor, paramsOf, user } from '@davit/testkit';

describe('the domain of the instance', () => {
  const interfaces = {
    eth0: [{ address: '5.9.1.2', family: 'IPv4', internal: false } as NetworkInterfaceInfo],
  };

  it('takes effect immediately for routes, suggested hosts and the instance status', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);

    await daemon.client.patchSettings({ body: { domain: 'Davit.Example.com' } });
    await daemon.settled();

    const host = `${app.name}.production.${app.project}.davit.example.com`;
    assert.equal((await daemon.client.getInstance()).domain, 'davit.example.com');
    assert.equal((await daemon.client.getApp({ params: paramsOf(app) })).suggested_host, host);
    assert.equal(daemon.proxy.table()?.domain, 'davit.example.com');
    assert.notEqual(daemon.proxy.serving(host), null);
    assert.equal(daemon.proxy.serving(`${app.name}.production.${app.project}.davit.test`), null);

    await daemon.client.patchSettings({ body: { domain: null } });
    assert.equal((await daemon.client.getInstance()).domain, 'davit.test');
  });

  it('keeps the hosts of earlier domains reserved for admins', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const member = keyFor(daemon, { id: user(daemon, 'member').id, role: 'member' });
    const add = async (host: string) =>
      (await daemon.call('POST', `/api/apps/${app.reference}/domains`, { host }, member)).status;

    for (const domain of ['one.example', 'two.example']) await daemon.client.patchSettings({ body: { domain } });

    for (const host of ['davit.test', 'registry.one.example', 'login.one.example'])
      assert.equal(await add(host), 409, host);
    assert.equal(await add('one.example.org'), 201);
    assert.equal((await daemon.call('POST', `/api/apps/${app.reference}/domains`, { host: 'davit.test' })).status, 201);
  });

  it('cannot be a host that an app uses', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'shop.example.com' } });
    const set = (domain: string) => daemon.call('PATCH', '/api/settings', { domain });

    const own = await set('shop.example.com');
    assert.equal(own.status, 409);
    assert.match(own.text, /An app uses the host shop\.example\.com/);
    assert.equal((await set('example.com')).status, 200);
  });

  it('cannot be a former host of an app unless an admin confirms the change', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const member = keyFor(daemon, { id: user(daemon, 'member').id, role: 'member' });
    const domains = `/api/apps/${app.reference}/domains`;
    const set = (query = '') => daemon.call('PATCH', `/api/settings${query}`, { domain: 'deploy.example.com' });
    const added = await daemon.call('POST', domains, { host: 'deploy.example.com' }, member);
    const { id } = JSON.parse(added.text);
    assert.equal((await daemon.call('DELETE', `${domains}/${id}`, undefined, member)).status, 204);

    await daemon.restart();
    for (const query of ['', '?confirm=example.com']) {
      const { status, text } = await set(query);
      assert.equal(status, 409, text);
      assert.match(text, /^domain: .*An app used this host.*confirm=deploy\.example\.com/);
    }
    const confirmed = await set('?confirm=deploy.example.com');

    assert.equal(confirmed.status, 200, confirmed.text);
    assert.equal(JSON.parse(confirmed.text).confirm, undefined);
    assert.equal((await daemon.client.getInstance()).domain, 'deploy.example.com');
  });

  it('cannot be below a host of an app unless an admin confirms the change', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'example.com' } });
    const set = (query = '') => daemon.call('PATCH', `/api/settings${query}`, { domain: 'davit.example.com' });

    const refused = await set();
    assert.equal(refused.status, 409);
    assert.match(refused.text, /^domain: .*uses the parent host example\.com.*confirm=davit\.example\.com/);
    assert.equal((await set('?confirm=davit.example.com')).status, 200);
  });

  it('cannot be reset to a host of an app, or to a former host without confirmation', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const reset = () => daemon.call('PATCH', '/api/settings', { domain: null });
    await daemon.client.patchSettings({ body: { domain: 'new.example' } });
    const { id } = await daemon.client.addDomain({ params: paramsOf(app), body: { host: 'davit.test' } });

    assert.match((await reset()).text, /^domain: An app uses the host davit\.test/);
    await daemon.client.removeDomain({ params: { ...paramsOf(app), domain: `${id}` } });
    assert.match((await reset()).text, /^domain: .*An app used this host/);
    await daemon.client.patchSettings({ query: { confirm: 'davit.test' }, body: { domain: null } });
    assert.equal((await daemon.client.getInstance()).domain, 'davit.test');
  });

  it('is derived from the public listen address with a warning if not set', async () => {
    const settings = { listen: '0.0.0.0:0', domain: '' };
    await using daemon = await bootDaemon({ settings, interfaces });

    const { domain, warnings } = await daemon.client.getInstance();

    assert.equal(domain, '5-9-1-2.sslip.io');
    assert.ok(warnings.includes('No domain is set, so Davit uses 5-9-1-2.sslip.io, which resolves to 5.9.1.2.'));
    await daemon.client.patchSettings({ body: { domain: 'davit.example.com' } });
    assert.equal((await daemon.client.getInstance()).domain, 'davit.example.com');
  });

  it('is localhost if the server has only private addresses', async () => {
    for (const address of ['10.0.0.5', '192.168.1.9', '100.64.0.1', '169.254.1.1', '192.0.2.1', '198.18.0.1']) {
      const own = { eth0: [{ address, family: 'IPv4', internal: false } as NetworkInterfaceInfo] };
      await using daemon = await bootDaemon({ settings: { listen: '0.0.0.0:0', domain: '' }, interfaces: own });

      assert.equal((await daemon.client.getInstance()).domain, 'localhost', address);
    }
  });

  it('is derived from the configured public address, and private addresses are refused', async () => {
    await using daemon = await bootDaemon({ settings: { domain: '' }, interfaces: {} });

    await daemon.client.patchSettings({ body: { public_address: '5.9.1.2' } });
    const refused = await daemon.call('PATCH', '/api/settings', { public_address: '10.0.0.1' });

    assert.equal((await daemon.client.getInstance()).domain, '5-9-1-2.sslip.io');
    assert.equal(refused.status, 400);
    assert.match(refused.text, /^public_address/);
  });

  it('and the ACME settings are refused with invalid values', async () => {
    await using daemon = await bootDaemon();
    const bad: [object, RegExp][] = [
      [{ domain: 'not a host' }, /^domain/],
      [{ domain: '-x.example.com' }, /^domain/],
      [{ acme: { email: 'nobody' } }, /^acme\.email/],
      [{ acme: { directory: 'http://ca.example.com' } }, /^acme\.directory/],
      [{ acme: { directory: 'nothing' } }, /^acme\.directory/],
      [{ acme: { trusted_ca: 'nothing' } }, /^acme\.trusted_ca/],
      [
        { acme: { trusted_ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' } },
        /^acme\.trusted_ca: Certificate 1 of the text is not valid/,
      ],
      ...['dns.example.com', '999.1.1.1', '192.0.2.1:99999', '192.0.2.1:0', '[:::]', '[::1', '2001:db8::1', ''].map(
        (resolver): [object, RegExp] => [{ acme: { resolver } }, /^acme\.resolver/],
      ),
    ];

    for (const [body, message] of bad) {
      const { status, text } = await daemon.call('PATCH', '/api/settings', body);
      assert.equal(status, 400, `${JSON.stringify(body)}: ${text}`);
      assert.match(text, message);
    }
  });
});
