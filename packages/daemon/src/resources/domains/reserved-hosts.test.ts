import assert from 'node:assert/strict';
import test from 'node:test';
import { DomainCreate } from '@davit/api';
import { CoreHarness, refusal } from '../../../test/support/core-harness.ts';
import type { OpContext } from '../../auth/context.ts';
import { insertDomain } from '../../db/tables/domain.ts';
import { routeTable } from '../../routing/route-table.ts';
import { createProject } from '../projects/project.ts';
import { addDomain, patchDomain } from './domain.ts';
import { recordOwnDomain } from './former-domains.ts';
import { domainWarnings } from './host-warnings.ts';
import { reservedProblem } from './reserved-hosts.ts';

/** Creates the project `shop` with the app `web`, and the project `other` with the app `api`. */
function twoProjects(): CoreHarness {
  const harness = CoreHarness.withApp();
  createProject(harness.core, harness.admin, { slug: 'other' });
  harness.addApp('api', { project: 'other' });
  return harness;
}

function add(harness: CoreHarness, host: string, ctx: OpContext = harness.admin, path: string | null = null) {
  return addDomain(harness.core, ctx, harness.app(), DomainCreate.parse({ host, path }));
}

const addToOther = (harness: CoreHarness, host: string, ctx: OpContext = harness.admin) =>
  addDomain(harness.core, ctx, harness.app('api', 'production', 'other'), DomainCreate.parse({ host }));

/** Users without rights for all projects, with and without access to the project `other`. */
const limited = (harness: CoreHarness) => [
  harness.as('member'),
  harness.as('member', ['shop']),
  harness.as('admin', ['shop']),
  harness.as('admin', ['shop', 'other']),
];

const unnamed = (error: unknown) => refusal('conflict')(error) && !/other\/|api/.test((error as Error).message);

test('only a project can use hosts below its project name, at any depth', async () => {
  using harness = twoProjects();
  const hosts = [
    'shop.davit.test',
    'production.shop.davit.test',
    'x.web.production.shop.davit.test',
    'a.b.c.d.e.shop.davit.test',
  ];

  for (const host of hosts) {
    await assert.rejects(addToOther(harness, host), refusal('conflict', /is reserved for the project shop/), host);
    await assert.rejects(addToOther(harness, host, harness.as('member', ['other'])), refusal('conflict'), host);
    assert.equal((await add(harness, host, harness.as('member', ['shop']))).host, host);
  }
});

test('only an admin of all projects can use other hosts below the instance domain', async () => {
  using harness = twoProjects();
  const hosts = [
    'www.davit.test',
    'login.davit.test',
    'v2.registry.davit.test',
    'a.b.davit.test',
    'WWW2.ＤＡＶＩＴ.test',
  ];

  for (const host of hosts) {
    for (const ctx of limited(harness)) {
      await assert.rejects(
        add(harness, host, ctx),
        refusal('conflict', /ask an admin with access to all projects/),
        host,
      );
    }
    await add(harness, host);
  }
});

test('the refusal of a reserved host does not reveal hidden projects', async () => {
  using harness = twoProjects();
  const problem = (project: string) =>
    reservedProblem(harness.core.store, harness.as('admin', ['shop']), {
      ...{ host: `x.${project}.davit.test`, project: 'shop', domain: 'davit.test' },
    })?.message.replace(`x.${project}.`, '');

  assert.equal(problem('other'), problem('missing'));
});

test('parent domains and subdomains of another project need an admin of all projects', async () => {
  using harness = twoProjects();
  await addToOther(harness, 'mid.company.example');

  for (const host of ['company.example', 'sub.mid.company.example', 'a.b.c.mid.company.example']) {
    for (const ctx of limited(harness))
      await assert.rejects(add(harness, host, ctx), refusal('conflict', /ask an admin/), host);
    await assert.rejects(add(harness, host, harness.as('member', ['shop'])), unnamed);
    await assert.rejects(
      add(harness, host, harness.as('member')),
      refusal('conflict', /mid\.company\.example, .* other\//),
    );
    assert.equal((await add(harness, host)).host, host);
  }
  for (const host of ['amid.company.example', 'side.xcompany.example', 'mid.company.example.org']) {
    assert.equal((await add(harness, host, harness.as('member', ['shop']))).host, host);
  }
});

test('a project can nest its own hosts', async () => {
  using harness = twoProjects();
  const member = harness.as('member', ['shop']);

  for (const host of ['a.example', 'b.a.example', 'c.b.a.example']) await add(harness, host, member);
});

test('only an admin of all projects can add a parent of the instance domain', () => {
  using harness = twoProjects();
  const claim = { host: 'company.example', project: 'shop', domain: 'davit.company.example' };

  for (const ctx of limited(harness))
    assert.match(reservedProblem(harness.core.store, ctx, claim)?.message ?? '', /ask an admin/);
  assert.equal(reservedProblem(harness.core.store, harness.admin, claim), null);
});

test('hosts of a former instance domain stay reserved for the instance and their projects', () => {
  using harness = twoProjects();
  recordOwnDomain(harness.core.store, 'Davit.Test', 0);
  const problem = (host: string, ctx: OpContext, domain = 'new.example') =>
    reservedProblem(harness.core.store, ctx, { host, project: 'shop', domain });
  const kept = ['davit.test', 'registry.davit.test', 'api.production.other.davit.test', 'login.davit.test'];

  for (const host of kept) {
    for (const ctx of limited(harness))
      assert.match(problem(host, ctx)?.message ?? '', /davit[.]test was a domain of this instance/, host);
    assert.equal(problem(host, harness.admin), null, host);
  }
  for (const ctx of limited(harness)) {
    assert.equal(problem('web.production.shop.davit.test', ctx), null);
    assert.match(problem('test.example', ctx, 'a.test.example')?.message ?? '', /is a parent domain of/);
    assert.equal(problem('davit.test.example', ctx), null);
  }
});

test('createProject refuses a name whose hosts another project uses', async () => {
  using harness = twoProjects();
  const settings = { path: '', port: null, protocol: 'http', https: 'auto', redirect_to: null, rules: '{}' } as const;
  await add(harness, 'www.davit.test');
  await add(harness, 'a.login.davit.test');
  // The row is inserted directly, like a domain from a version that did not reserve such hosts.
  const host = 'web.production.blog.davit.test';
  harness.core.store.tx((tx) => insertDomain(tx, { ...settings, app_id: harness.app().id, host, created_at: 0 }));

  for (const slug of ['www', 'login', 'blog'])
    assert.throws(
      () => createProject(harness.core, harness.admin, { slug }),
      refusal('conflict', /another project uses/),
    );
  for (const slug of ['ww', 'a', 'web', 'production', 'w'])
    assert.equal(createProject(harness.core, harness.admin, { slug }).slug, slug);
});

test('host names of DNS records cannot become domains of an app', async () => {
  using harness = twoProjects();

  for (const host of ['_acme-challenge.davit.test', '_dmarc.a.example', 'a._tcp.a.example', '_x.shop.davit.test']) {
    for (const ctx of [harness.admin, harness.as('member', ['shop'])]) {
      await assert.rejects(add(harness, host, ctx), refusal('invalid_input', /^host: .*DNS records/), host);
    }
  }
  assert.equal((await add(harness, 'a_b.a.example')).host, 'a_b.a.example');
});

test('a project keeps its existing reserved hosts, and a warning lists hosts of another project', async () => {
  using harness = twoProjects();
  const settings = { path: '', port: null, protocol: 'http', https: 'auto', redirect_to: null, rules: '{}' } as const;
  const hosts = ['www.davit.test', 'production.other.davit.test', '_x.a.example'];
  const ids = harness.core.store.tx((tx) =>
    hosts.map((host) =>
      insertDomain(tx, { ...settings, app_id: harness.app().id, host, created_at: harness.core.now() }),
    ),
  );
  const member = harness.as('member', ['shop']);

  for (const [i, host] of hosts.entries()) {
    const { maintenance } = await patchDomain(harness.core, member, harness.app(), `${ids[i]}`, { maintenance: {} });
    assert.notEqual(maintenance, null);
    assert.equal((await add(harness, host, member, '/blog')).path, '/blog');
    assert.ok(routeTable(harness.core).hosts.some((route) => route.host === host));
  }
  const [warning = '', ...more] = domainWarnings(harness.core);
  assert.deepEqual(more, []);
  assert.deepEqual(
    hosts.map((host) => warning.includes(host)),
    [false, true, false],
  );
});
