import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { DomainCreate, type DomainPatch } from '@davit/api';
import type { z } from 'zod';
import { CoreHarness, refusal } from '../../../test/support/core-harness.ts';
import { desiredState } from '../../adapters/proxy/haproxy/desired.ts';
import { allDomains } from '../../db/tables/domain.ts';
import { routeTable } from '../../routing/route-table.ts';
import { addDomain, listDomains, patchDomain, readDomain } from './domain.ts';

type Fields = Partial<z.input<typeof DomainCreate>>;

const HOST = 'shop.example';

function add(harness: CoreHarness, fields: Fields = {}) {
  return addDomain(harness.core, harness.admin, harness.app(), DomainCreate.parse({ host: HOST, ...fields }));
}

function change(harness: CoreHarness, { id }: { id: number }, patch: DomainPatch) {
  return patchDomain(harness.core, harness.admin, harness.app(), `${id}`, patch);
}

/** Returns the rules of a host in the proxy's configuration. */
function rulesOf(harness: CoreHarness, host = HOST) {
  return routeTable(harness.core).hosts.find((one) => one.host === host)?.rules;
}

const OFF = {
  httpsOnly: false,
  hsts: null,
  redirectTo: null,
  basicAuth: null,
  allow: [],
  requestsPerMinute: null,
  maintenance: null,
  headers: {},
};

test('a domain without special settings has no proxy rules', async () => {
  using harness = CoreHarness.withApp();

  await add(harness);

  assert.equal(rulesOf(harness), undefined);
});

for (const [what, fields, rules] of [
  ['redirects HTTP to HTTPS', { https: 'only' }, { httpsOnly: true }],
  ['never redirects HTTP to HTTPS', { https: 'both' }, undefined],
  ['uses HSTS', { hsts: {} }, { hsts: 'max-age=15768000' }],
  [
    'uses HSTS with preload',
    { hsts: { max_age_s: 63_072_000, include_subdomains: true, preload: true } },
    { hsts: 'max-age=63072000; includeSubDomains; preload' },
  ],
  ['redirects to another host', { redirect_to: 'WWW.Other.Example.' }, { redirectTo: 'www.other.example' }],
  ['allows only some addresses', { allow: ['10.1.2.3/8', '::FFFF:192.0.2.1'] }, { allow: ['10.0.0.0/8', '192.0.2.1'] }],
  ['has a rate limit', { rate_limit: { requests_per_minute: 60 } }, { requestsPerMinute: 60 }],
  ['is in maintenance', { maintenance: { message: 'Back at 5 pm.' } }, { maintenance: 'Back at 5 pm.' }],
  [
    'sets headers',
    { headers: { 'X-Frame-Options': 'DENY', Server: '' } },
    { headers: { 'x-frame-options': 'DENY', server: '' } },
  ],
] as const) {
  test(`the proxy rules are correct for a domain that ${what}`, async () => {
    using harness = CoreHarness.withApp();

    await add(harness, fields as Fields);

    assert.deepEqual(rulesOf(harness), rules === undefined ? undefined : { ...OFF, ...rules });
  });
}

test('a patch merges fields into the domain, and null removes a field', async () => {
  using harness = CoreHarness.withApp();
  const added = await add(harness, {
    hsts: { max_age_s: 60 },
    headers: { 'X-One': '1', 'x-two': '2' },
    allow: ['10.0.0.0/8'],
    maintenance: { message: 'Soon.' },
  });

  const changed = await change(harness, added, {
    hsts: { include_subdomains: true },
    headers: { 'X-TWO': null, 'X-Three': '3' },
    allow: ['192.0.2.1'],
  });

  assert.deepEqual(changed, {
    ...added,
    hsts: { max_age_s: 60, include_subdomains: true, preload: false },
    headers: { 'x-one': '1', 'x-three': '3' },
    allow: ['192.0.2.1'],
  });
  const off = await change(harness, added, { hsts: null, headers: null, allow: null, maintenance: null });
  assert.deepEqual(off, { ...added, hsts: null, headers: {}, allow: [], maintenance: null });
  assert.equal(rulesOf(harness), undefined);
});

test('a patch that is invalid with the existing fields changes nothing', async () => {
  using harness = CoreHarness.withApp();
  const added = await add(harness, { hsts: { max_age_s: 60, include_subdomains: true }, headers: { a: '1' } });
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x-${n}`, '1']));

  for (const [patch, reason] of [
    [{ hsts: { preload: true } }, /^hsts\.preload: requires include_subdomains/],
    [{ headers: many }, /^headers: .*50/],
    [{ headers: { b: '1', B: '2' } }, /^headers: /],
    [{ path: '/a/../b' }, /^path: /],
    [{ redirect_to: HOST }, /^redirect_to: A domain cannot be redirected to its own host/],
    [{ redirect_to: '*.example' }, /^redirect_to: .*wildcard/i],
    [{ allow: ['10.0.0.0/8', '10.0.0.0/33'] }, /^allow\.1: /],
  ] as const) {
    await assert.rejects(change(harness, added, patch as DomainPatch), refusal('invalid_input', reason));
  }
  assert.deepEqual(readDomain(harness.core, harness.admin, harness.app(), `${added.id}`), added);
});

test('basic auth passwords are stored as encrypted hashes and never returned', async () => {
  using harness = CoreHarness.withApp();

  const domain = await add(harness, { basic_auth: { users: { bob: 'hunter2', ada: 'pässword: 1' } } });

  assert.deepEqual(domain.basic_auth, { users: ['ada', 'bob'] });
  const { salt = '', hashes = [] } = rulesOf(harness)?.basicAuth ?? {};
  const hash = (text: string) => createHash('sha256').update(`${salt}${text}`).digest('hex');
  assert.match(salt, /^[0-9a-f]{32}$/);
  assert.deepEqual(new Set(hashes), new Set([hash('bob:hunter2'), hash('ada:pässword: 1')]));
  const kept = JSON.stringify(allDomains(harness.core.store));
  for (const secret of ['hunter2', 'pässword', salt, ...hashes]) assert.ok(!kept.includes(secret));
});

test('a patch changes basic auth users by name and keeps the other passwords', async () => {
  using harness = CoreHarness.withApp();
  const added = await add(harness, { basic_auth: { users: { ada: 'a', bob: 'b', eve: 'e' } } });
  const before = rulesOf(harness)?.basicAuth;

  const changed = await change(harness, added, { basic_auth: { users: { bob: 'new', eve: null, joe: 'j' } } });

  const after = rulesOf(harness)?.basicAuth;
  assert.deepEqual(changed.basic_auth, { users: ['ada', 'bob', 'joe'] });
  assert.equal(after?.salt, before?.salt);
  assert.equal(after?.hashes.filter((hash) => before?.hashes.includes(hash)).length, 1);
  assert.equal((await change(harness, added, { basic_auth: null })).basic_auth, null);
  assert.equal(rulesOf(harness), undefined);
});

test('a domain with basic auth must keep at least one user', async () => {
  using harness = CoreHarness.withApp();
  const added = await add(harness, { basic_auth: { users: { ada: 'a' } } });

  const change1 = change(harness, added, { basic_auth: { users: { ada: null } } });

  await assert.rejects(change1, refusal('invalid_input', /^basic_auth\.users: must have at least one user/));
  assert.deepEqual(listDomains(harness.core, harness.admin, harness.app()).items[0]?.basic_auth, { users: ['ada'] });
});

test('a patch that removes a required field reports the name of the field', async () => {
  using harness = CoreHarness.withApp();
  const added = await add(harness);
  const patch = { rate_limit: { requests_per_minute: null } } as unknown as DomainPatch;

  await assert.rejects(change(harness, added, patch), refusal('invalid_input', /requests_per_minute: is required\.$/));
});

test('password hashes copied from another domain deny access and refuse a patch', async () => {
  using harness = CoreHarness.withApp();
  const added = await add(harness, { basic_auth: { users: { ada: 'a' } } });
  const other = await addDomain(
    harness.core,
    harness.admin,
    harness.app(),
    DomainCreate.parse({ host: 'other.example', basic_auth: { users: { eve: 'e' } } }),
  );
  harness.core.store.tx((tx) =>
    tx.run(
      'UPDATE domains SET basic_auth = (SELECT basic_auth FROM domains WHERE id = ?) WHERE id = ?',
      other.id,
      added.id,
    ),
  );

  assert.deepEqual(rulesOf(harness)?.basicAuth?.hashes, ['0'.repeat(64)]);
  await assert.rejects(change(harness, added, { basic_auth: { users: { joe: 'j' } } }), refusal('conflict', /outside/));
  assert.equal((await change(harness, added, { basic_auth: null })).basic_auth, null);
});

test('the proxy accepts a domain with all settings at their maximum', async () => {
  using harness = CoreHarness.withApp();
  const users = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`user ${n}"%`, '„'.repeat(256)]));
  const allow = Array.from({ length: 1_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`).slice(0, 700);

  await add(harness, {
    path: `/${'A-Za-z0-9._~@:+=!$&(),*'.repeat(11).slice(0, 254)}`,
    hsts: { max_age_s: 315_360_000, include_subdomains: true, preload: true },
    basic_auth: { users },
    allow,
    rate_limit: { requests_per_minute: 1_000_000 },
    maintenance: { message: '"„😀&<'.repeat(80) },
    headers: { 'x-a': '"%'.repeat(600), 'x-b': 'b'.repeat(2_000), 'x-c': 'c'.repeat(2_000) },
  });

  const { domain, api, backends, hosts } = routeTable(harness.core);
  const { rules } = desiredState({ domain, api, backends, hosts });
  assert.ok(rules.size > 105);
});

test('allow lists and headers above the proxy limits are refused', async () => {
  using harness = CoreHarness.withApp();
  const allow = Array.from({ length: 1_000 }, (_, n) => `2001:db8:aaaa:bbbb:cccc:dddd:eeee:${n.toString(16)}`);

  await assert.rejects(add(harness, { allow }), refusal('invalid_input', /^allow: .*networks instead/));
  const headers = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(2_000)]));
  await assert.rejects(add(harness, { headers }), refusal('invalid_input', /^headers: .*8000/));
});

test('all domains of an app share a size limit of 1 MiB', async () => {
  using harness = CoreHarness.withApp();
  const allow = Array.from({ length: 250 }, (_, n) => `2001:db8:aaaa:bbbb:cccc:dddd:eeee:${n.toString(16)}`);
  let added = 0;
  const more = async () => {
    for (; added < 150; added += 1) await add(harness, { host: `h${added}.example`, allow });
  };

  await assert.rejects(more(), refusal('conflict', /larger than 1 MiB/));

  assert.equal(listDomains(harness.core, harness.admin, harness.app()).items.length, added);
});
