import assert from 'node:assert/strict';
import test from 'node:test';
import { DomainCreate, type DomainPatch, Slug } from '@davit/api';
import fc from 'fast-check';
import type { z } from 'zod';
import { CoreHarness, refusal } from '../../../test/support/core-harness.ts';
import { defaultHost } from '../../adapters/proxy/routes.ts';
import { insertDomain } from '../../db/tables/domain.ts';
import { createProject } from '../projects/project.ts';
import { addDomain, listDomains, patchDomain, readDomain, removeDomain } from './domain.ts';

type Fields = Partial<z.input<typeof DomainCreate>>;

function add(harness: CoreHarness, host: string, fields: Fields = {}, app = harness.app(), ctx = harness.admin) {
  return addDomain(harness.core, ctx, app, DomainCreate.parse({ host, ...fields }));
}

function change(harness: CoreHarness, { id }: { id: number }, patch: DomainPatch, app = harness.app()) {
  return patchDomain(harness.core, harness.admin, app, `${id}`, patch);
}

test('a new domain applies immediately with a normalized host name', async () => {
  using harness = CoreHarness.withApp();
  harness.release();

  const domain = await add(harness, 'Shop.EXAMPLE.com.');

  const { id, created_at, certificate, ...rest } = domain;
  assert.equal(certificate.status, 'none');
  assert.deepEqual(rest, {
    host: 'shop.example.com',
    path: null,
    port: null,
    protocol: 'http',
    https: 'auto',
    hsts: null,
    redirect_to: null,
    basic_auth: null,
    allow: [],
    rate_limit: null,
    maintenance: null,
    headers: {},
  });
  assert.deepEqual(harness.proxy.serving('shop.example.com'), ['i1']);
  assert.deepEqual(listDomains(harness.core, harness.admin, harness.app()).items, [domain]);
  assert.deepEqual(readDomain(harness.core, harness.admin, harness.app(), `${id}`), domain);
});

test('addDomain refuses an invalid host name', async () => {
  using harness = CoreHarness.withApp();

  for (const host of ['*.example.com', 'a b', 'a.example:80', 'http://a.example', `${'a'.repeat(64)}.example`]) {
    await assert.rejects(add(harness, host), refusal('invalid_input', /^host: /), host);
  }
});

test('addDomain refuses wildcards, IP addresses and names without a dot with specific reasons', async () => {
  using harness = CoreHarness.withApp();

  for (const [host, reason] of [
    ['*.example.com', /without a wildcard/],
    ['127.0.0.1', /not an IP address/],
    ['0x7f.1', /not an IP address/],
    ['2130706433', /not an IP address/],
    ['[::1]', /must be a host name/],
    ['localhost', /with a dot/],
    ['SHOP.', /with a dot/],
    ['.', /must be a host name/],
  ] as const) {
    await assert.rejects(add(harness, host), refusal('invalid_input', reason), host);
  }
  assert.deepEqual(listDomains(harness.core, harness.admin, harness.app()).items, []);
});

test('an international host name is stored as ASCII and belongs to one app', async () => {
  using harness = CoreHarness.withApp();

  assert.equal((await add(harness, 'Läden.例え.テスト.')).host, 'xn--lden-loa.xn--r8jz45g.xn--zckzah');
  await assert.rejects(add(harness, 'läden.例え.テスト'), refusal('conflict'));
  await assert.rejects(add(harness, 'XN--LDEN-LOA.xn--r8jz45g.xn--zckzah'), refusal('conflict'));
});

test('a host belongs to one app, named only to users with access', async () => {
  using harness = CoreHarness.withApp();
  createProject(harness.core, harness.admin, { slug: 'other' });
  harness.addApp('api', { project: 'other' });
  await add(harness, 'a.example');
  const other = harness.app('api', 'production', 'other');

  await assert.rejects(add(harness, 'A.example'), refusal('conflict', /^The app already has the domain a\.example/));
  await assert.rejects(add(harness, 'a.example', {}, other), refusal('conflict', /shop\/production\/web/));
  await assert.rejects(
    add(harness, 'a.example', {}, other, harness.as('member', ['other'])),
    (error: Error) => refusal('conflict', /already in use/)(error) && !error.message.includes('shop'),
  );
});

test('a host that no user can add is invalid input', async () => {
  using harness = CoreHarness.withApp();
  const ofPlatform = ['davit.test', 'registry.davit.test', 'a.b.c.davit.test', 'WEB.production.shop.davit.test'];
  const ofServer = ['foo.localhost', 'a.b.localhost.', 'nas.local', 'db.internal'];

  for (const host of [...ofPlatform, ...ofServer]) {
    await assert.rejects(add(harness, host), refusal('invalid_input', /^host: /), host);
  }
  for (const host of ['www.davit.test', 'a.b.davit.test', 'a.b.c.d.davit.test', 'a.b.c.otherdavit.test']) {
    assert.equal((await add(harness, host)).host, host);
  }
});

test('the default host of an app cannot become a domain of another app', async () => {
  using harness = CoreHarness.withApp();
  const slug = fc
    .stringMatching(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/)
    .filter((text) => Slug.safeParse(text).success && !text.startsWith('xn--'));

  await fc.assert(
    fc.asyncProperty(slug, slug, slug, async (project, environment, app) => {
      const host = defaultHost({ project, environment, app }, harness.core.facts.domain);
      await assert.rejects(add(harness, host.toUpperCase()), refusal('invalid_input'));
    }),
  );
});

test('a domain of a worker needs a port', async () => {
  using harness = CoreHarness.withApp({ port: null });
  harness.release({ port: null });

  await assert.rejects(add(harness, 'a.example'), refusal('invalid_input', /^port: /));
  const domain = await add(harness, 'a.example', { port: 9_000, protocol: 'h2c' });

  assert.deepEqual(harness.proxy.serving('a.example'), ['i1']);
  const toAppPort = patchDomain(harness.core, harness.admin, harness.app(), `${domain.id}`, { port: null });
  await assert.rejects(toAppPort, refusal('invalid_input', /^port: /));
});

test('a domain patch changes the port or the protocol and keeps the other', async () => {
  using harness = CoreHarness.withApp();
  const added = await add(harness, 'a.example', { port: 9_000 });

  assert.deepEqual(await change(harness, added, { protocol: 'h2c' }), { ...added, protocol: 'h2c' });
  assert.deepEqual(await change(harness, added, { port: null }), { ...added, port: null, protocol: 'h2c' });
  assert.deepEqual(await change(harness, added, {}), { ...added, port: null, protocol: 'h2c' });
  assert.deepEqual(await change(harness, added, { protocol: null }), { ...added, port: null, protocol: 'http' });
});

test('an app cannot have more than 1000 domains', async () => {
  using harness = CoreHarness.withApp();
  harness.addApp('api');
  harness.core.store.tx((tx) => {
    for (let n = 0; n < 1_000; n++) {
      const fields = { path: '', port: null, protocol: 'http', https: 'auto', redirect_to: null, rules: '{}' } as const;
      insertDomain(tx, { app_id: harness.app().id, host: `h${n}.example`, created_at: 0, ...fields });
    }
  });

  await assert.rejects(add(harness, 'one.more.example'), refusal('conflict', /has 1000 domains/));
  assert.equal((await add(harness, 'one.more.example', {}, harness.app('api'))).host, 'one.more.example');
});

test('an app cannot use more than 64 different ports for its domains', async () => {
  using harness = CoreHarness.withApp();
  const { id } = await add(harness, 'a.example');
  const lead = (port: number | null) => patchDomain(harness.core, harness.admin, harness.app(), `${id}`, { port });
  for (let port = 1; port < 64; port++) await lead(port);

  await assert.rejects(lead(64), refusal('conflict', /have used 64 different ports/));
  await assert.rejects(add(harness, 'b.example', { port: 64 }), refusal('conflict', /have used 64 different ports/));
  assert.deepEqual(
    listDomains(harness.core, harness.admin, harness.app()).items.map(({ host, port }) => [host, port]),
    [['a.example', 63]],
  );
  assert.equal((await lead(1)).port, 1);
  assert.equal((await lead(null)).port, null);
});

test('a removed domain stops routing immediately, and another app can use the host', async () => {
  using harness = CoreHarness.withApp();
  harness.addApp('api');
  const { id } = await add(harness, 'a.example');

  await removeDomain(harness.core, harness.admin, harness.app(), `${id}`);

  assert.equal(harness.proxy.serving('a.example'), null);
  assert.equal((await add(harness, 'a.example', {}, harness.app('api'))).host, 'a.example');
});

test('a domain id is valid only for the app that owns the domain', async () => {
  using harness = CoreHarness.withApp();
  harness.addApp('api');
  const { id } = await add(harness, 'a.example');

  for (const number of [`${id + 1}`, 'x', '0', undefined]) {
    await assert.rejects(removeDomain(harness.core, harness.admin, harness.app(), number), refusal('not_found'));
  }
  await assert.rejects(patchDomain(harness.core, harness.admin, harness.app('api'), `${id}`, {}), refusal('not_found'));
});

test('adding and removing a domain succeeds while the proxy is unavailable', async () => {
  using harness = CoreHarness.withApp();
  harness.proxy.setUnavailable('the proxy is away');
  const nudges = harness.routeNudges;

  const { id } = await add(harness, 'a.example');
  await removeDomain(harness.core, harness.admin, harness.app(), `${id}`);

  assert.equal(harness.routeNudges, nudges + 2);
});
