import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import test from 'node:test';
import { DomainCreate } from '@davit/api';
import type { z } from 'zod';
import { CoreHarness, refusal } from '../../../test/support/core-harness.ts';
import { insertDomain } from '../../db/tables/domain.ts';
import { isInstanceHost } from '../../http/request/own-host.ts';
import { routeTable } from '../../routing/route-table.ts';
import { deleteApp } from '../apps/settings.ts';
import { patchSettings, putSettings } from '../instance/settings.ts';
import { createProject, deleteProject } from '../projects/project.ts';
import { addDomain, patchDomain, removeDomain } from './domain.ts';
import { recordOwnDomain } from './former-domains.ts';
import { domainWarnings } from './host-warnings.ts';
import { refuseTakenDomain, refuseUntrustedDomain } from './taken-hosts.ts';

type Fields = Partial<z.input<typeof DomainCreate>>;

/** Creates the project `shop` with the apps `web` and `api`, and the project `other` with another `api`. */
function twoProjects(): CoreHarness {
  const harness = CoreHarness.withApp();
  harness.addApp('api');
  createProject(harness.core, harness.admin, { slug: 'other' });
  harness.addApp('api', { project: 'other' });
  return harness;
}

function add(harness: CoreHarness, host: string, fields: Fields = {}, app = harness.app(), ctx = harness.admin) {
  return addDomain(harness.core, ctx, app, DomainCreate.parse({ host, ...fields }));
}

test('a path belongs to one app, and apps of a project can share a host', async () => {
  using harness = twoProjects();
  await add(harness, 'a.example');
  await add(harness, 'a.example', { path: '/api/' }, harness.app('api'));

  await assert.rejects(
    add(harness, 'a.example', { path: '/api' }),
    refusal('conflict', /a\.example\/api belongs to .*api/),
  );
  await assert.rejects(
    add(harness, 'A.example.', { path: '/' }),
    refusal('conflict', /^The app already has the domain a\.example/),
  );
  assert.deepEqual(
    routeTable(harness.core)
      .hosts.filter(({ host }) => host === 'a.example')
      .map(({ path, slot }) => [path, slot]),
    [
      [undefined, 1],
      ['/api', 2],
    ],
  );
});

test('a host belongs to one project, regardless of the paths in use', async () => {
  using harness = twoProjects();
  await add(harness, 'a.example', { path: '/shop' });
  const other = harness.app('api', 'production', 'other');

  await assert.rejects(add(harness, 'a.example', {}, other), refusal('conflict', /a\.example belongs to shop/));
  await assert.rejects(
    add(harness, 'a.example', { path: '/else' }, other, harness.as('member', ['other'])),
    (error: Error) => refusal('conflict', /is already in use/)(error) && !/shop/.test(error.message),
  );
});

test('another project can use a host after its last path is removed', async () => {
  using harness = twoProjects();
  const whole = await add(harness, 'a.example');
  const part = await add(harness, 'a.example', { path: '/b' });
  const other = harness.app('api', 'production', 'other');

  await removeDomain(harness.core, harness.admin, harness.app(), `${whole.id}`);
  await assert.rejects(add(harness, 'a.example', {}, other), refusal('conflict'));
  await removeDomain(harness.core, harness.admin, harness.app(), `${part.id}`);

  assert.equal((await add(harness, 'a.example', {}, other)).host, 'a.example');
});

test('a patch changes a path only to an unused path', async () => {
  using harness = twoProjects();
  await add(harness, 'a.example', { path: '/a' });
  const b = await add(harness, 'a.example', { path: '/b' }, harness.app('api'));
  const move = (path: string | null) =>
    patchDomain(harness.core, harness.admin, harness.app('api'), `${b.id}`, { path });

  await assert.rejects(move('/%61'), refusal('conflict', /a\.example\/a belongs/));
  assert.equal((await move('/c')).path, '/c');
  assert.equal((await move(null)).path, null);
});

test('exactly one of a hundred concurrent requests gets a host', async () => {
  using harness = twoProjects();
  const spellings = ['a.example', 'A.EXAMPLE', 'a.example.', 'A.example.'];
  const apps = [harness.app(), harness.app('api', 'production', 'other')];

  const claims = Array.from({ length: 100 }, (_, n) => add(harness, spellings[n % 4] ?? '', {}, apps[n % 2]));
  const results = await Promise.allSettled(claims);

  const kept = results.filter(({ status }) => status === 'fulfilled');
  assert.equal(kept.length, 1);
  for (const result of results) if (result.status === 'rejected') assert.ok(refusal('conflict')(result.reason));
});

test('a redirect must lead to a different host without a redirect', async () => {
  using harness = twoProjects();
  await add(harness, 'shop.example');
  const www = await add(harness, 'www.shop.example', { redirect_to: 'shop.example' });

  await assert.rejects(
    add(harness, 'old.example', { redirect_to: 'www.shop.example' }),
    refusal('conflict', /is itself redirected to shop\.example/),
  );
  const shop = { path: '/x', redirect_to: 'www.shop.example' };
  await assert.rejects(add(harness, 'shop.example', shop), refusal('conflict', /is itself redirected/));
  await assert.rejects(
    add(harness, 'shop.example', { path: '/x', redirect_to: 'else.example' }),
    refusal('conflict', /^www\.shop\.example is redirected to shop\.example/),
  );
  const toItself = patchDomain(harness.core, harness.admin, harness.app(), `${www.id}`, {
    redirect_to: 'WWW.shop.example',
  });
  await assert.rejects(toItself, refusal('invalid_input', /cannot be redirected to its own host/));
});

test('redirects on different paths do not conflict', async () => {
  using harness = twoProjects();
  await add(harness, 'a.example', { path: '/one', redirect_to: 'b.example' });

  const { redirect_to } = await add(harness, 'b.example', { path: '/two', redirect_to: 'a.example' });

  assert.equal(redirect_to, 'a.example');
});

test('a redirect in another project does not block a redirect', async () => {
  using harness = twoProjects();
  await add(harness, 'theirs.example', { redirect_to: 'mine.example' }, harness.app('api', 'production', 'other'));

  assert.equal((await add(harness, 'mine.example', { redirect_to: 'new.example' })).redirect_to, 'new.example');
});

test('a worker can redirect a host without a port', async () => {
  using harness = CoreHarness.withApp({ port: null });
  const domain = await add(harness, 'a.example', { redirect_to: 'b.example' });

  assert.equal(routeTable(harness.core).hosts[0]?.rules?.redirectTo, 'b.example');
  const answered = patchDomain(harness.core, harness.admin, harness.app(), `${domain.id}`, { redirect_to: null });
  await assert.rejects(answered, refusal('invalid_input', /^port: /));
});

test('the instance domain must not turn hosts of apps into platform hosts', async () => {
  using harness = CoreHarness.withApp();
  for (const host of ['new.example', 'registry.second.example', 'a.b.c.third.example', 'www.fourth.example']) {
    await add(harness, host);
  }

  for (const domain of ['new.example', 'second.example', 'third.example']) {
    assert.throws(() => refuseTakenDomain(harness.core.store, domain), refusal('conflict', /An app uses the host/));
  }
  for (const domain of ['fourth.example', 'example', 'ew.example', 'davit.test']) {
    refuseTakenDomain(harness.core.store, domain);
  }
});

/** Operations after which an app does not have a host any more. */
const LOSSES: Record<string, (world: CoreHarness, id: number) => unknown> = {
  'the removal of the domain': (harness, id) => removeDomain(harness.core, harness.admin, harness.app(), `${id}`),
  'the deletion of the app': (harness) => deleteApp(harness.core, harness.admin, harness.app()),
  'the deletion of the project': (harness) => deleteProject(harness.core, harness.admin, harness.project()),
  'the deletion of the row of the app': ({ core }) =>
    core.store.tx((tx) => tx.run('DELETE FROM apps WHERE id IN (SELECT app_id FROM domains)')),
  'a change of the host': ({ core }, id) =>
    core.store.tx((tx) => tx.run("UPDATE domains SET host = 'other.example' WHERE id = ?", id)),
};

for (const [name, lose] of Object.entries(LOSSES)) {
  test(`a former host of an app becomes the instance domain only after confirmation: ${name}`, async () => {
    using harness = CoreHarness.withApp();
    const { core, admin } = harness;
    const { id } = await add(harness, 'Deploy.Example', {}, harness.app(), harness.as('member', ['shop']));
    const set = (domain: string, confirm?: string) => patchSettings(core, admin, { domain }, confirm);
    assert.throws(() => set('deploy.example', 'deploy.example'), refusal('conflict', /An app uses the host/));

    await lose(harness, id);

    const refused = refusal('conflict', /^domain: .*An app used this host.*confirm=deploy\.example/);
    assert.throws(() => set('deploy.example'), refused);
    assert.throws(() => set('DEPLOY.example', 'else.example'), refused);
    assert.throws(() => putSettings(core, admin, { ...core.settings(), domain: 'deploy.example' }), refused);
    assert.equal(core.settings().domain, null);
    assert.equal(set('free.example').domain, 'free.example');
    assert.equal(set('deploy.example', 'Deploy.Example').domain, 'deploy.example');
  });
}

test('a host with a remaining path still belongs to the app', async () => {
  using harness = CoreHarness.withApp();
  const { id } = await add(harness, 'a.example', { path: '/a' });
  await add(harness, 'a.example', { path: '/b' });
  await removeDomain(harness.core, harness.admin, harness.app(), `${id}`);

  const set = () => patchSettings(harness.core, harness.admin, { domain: 'a.example' }, 'a.example');
  assert.throws(set, refusal('conflict', /An app uses the host/));
});

test('a default host below an instance domain becomes the instance domain only after confirmation', () => {
  using harness = new CoreHarness();
  const { store } = harness.core;
  recordOwnDomain(store, 'Davit.Test', 0);
  const host = 'web.production.shop.davit.test';

  assert.throws(
    () => refuseUntrustedDomain(store, host, undefined),
    refusal('conflict', /An app may have used this host/),
  );
  refuseUntrustedDomain(store, host, host);
  for (const free of [
    'davit.test',
    'production.shop.davit.test',
    'a.b.c.d.davit.test',
    'web.production.shop.else.test',
  ])
    refuseUntrustedDomain(store, free, undefined);
});

test('a domain equal to the instance domain gets no route, but other domains do', async () => {
  using harness = CoreHarness.withApp();
  await add(harness, 'new.example');
  await add(harness, 'mine.example');

  const { hosts } = routeTable({ ...harness.core, facts: { ...harness.core.facts, domain: 'new.example' } });

  assert.deepEqual(
    hosts.map(({ host }) => host),
    ['web.production.shop.new.example', 'mine.example'],
  );
});

/**
 * Names of the server under which the dashboard answers. One of them has no dot and is therefore never valid for an
 * app.
 */
const MACHINE = [
  'wiki.local',
  'WIKI.Local.',
  'a.b.corp.internal',
  'localhost.localhost',
  'web.localhost',
  `${hostname()}.local`,
];

test('apps cannot use a host of the dashboard', async () => {
  using harness = CoreHarness.withApp();
  const { domain } = harness.core.facts;
  const free = ['wiki.local.example', 'notlocal.example', 'internal.example', 'x.davit.test'];

  for (const host of [...MACHINE, domain, `registry.${domain}`, `a.b.c.${domain}`]) {
    await assert.rejects(add(harness, host), refusal('invalid_input', /Choose another host/), host);
  }
  for (const host of free) {
    assert.equal(isInstanceHost(host, domain), false, host);
    await add(harness, host);
  }
  for (const host of MACHINE) assert.equal(isInstanceHost(host, domain), true, host);
});

test('an app keeps its existing server host, and a warning recommends another domain', async () => {
  using harness = CoreHarness.withApp();
  const settings = { path: '', port: null, protocol: 'http', https: 'auto', redirect_to: null, rules: '{}' } as const;
  assert.deepEqual(domainWarnings(harness.core), []);
  const { id } = harness.core.store.tx((tx) => {
    const row = { ...settings, app_id: harness.app().id, host: 'wiki.local', created_at: harness.core.now() };
    return { id: insertDomain(tx, row) };
  });

  const { maintenance } = await patchDomain(harness.core, harness.admin, harness.app(), `${id}`, { maintenance: {} });

  assert.notEqual(maintenance, null);
  assert.ok(routeTable(harness.core).hosts.some(({ host }) => host === 'wiki.local'));
  assert.match(domainWarnings(harness.core).join(), /wiki\.local.*another domain/);
  await removeDomain(harness.core, harness.admin, harness.app(), `${id}`);
  assert.deepEqual(domainWarnings(harness.core), []);
});
