/** API keys and password of the signed-in user. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ApiKey, ApiKeyCreated, Role, User, UserSession } from '@davit/api';
import { ADMIN, type Answer, bootDaemon, cookieOf, keyFor, project, signIn, user } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { projectBySlug } from '../../src/db/tables/project.ts';
import { setUserRights } from '../../src/db/tables/user.ts';

const KEYS = '/api/users/me/api-keys';
const parse = <T>(answer: Answer) => JSON.parse(answer.text) as T;

describe('API key', async () => {
  let now = Date.parse('2026-06-01T00:00:00Z');
  const daemon = await bootDaemon({ now: () => now });
  after(() => daemon[Symbol.asyncDispose]());
  const shop = await project(daemon, 'shop');
  const blog = await project(daemon, 'blog');
  const make = (key: string, fields: object) => daemon.call('POST', KEYS, { name: 'ci', ...fields }, key);

  it('is shown once and has the rights of its owner by default', async () => {
    const owner = user(daemon, 'member', [shop]);
    const made = await make(owner.key, {});
    assert.equal(made.status, 201);
    const { key, ...shown } = parse<ApiKeyCreated>(made);
    assert.match(key, /^davit_[0-9a-f]{64}$/);
    assert.deepEqual(shown, {
      id: shown.id,
      name: 'ci',
      role: 'member',
      projects: ['shop'],
      created_at: '2026-06-01T00:00:00.000Z',
      expires_at: null,
    });
    const listed = await daemon.call('GET', KEYS, undefined, key);
    assert.doesNotMatch(listed.text, /davit_/);
    assert.equal(daemon.core.store.get(unchecked('SELECT 1 FROM api_keys WHERE key_hash = ?'), key), undefined);
  });

  it('lists sessions only while its rights equal the rights of its owner', async () => {
    const owner = user(daemon, 'member', [shop]);
    const { key } = parse<ApiKeyCreated>(await make(owner.key, {}));
    assert.equal((await daemon.call('GET', '/api/users/me/sessions', undefined, key)).status, 200);

    daemon.core.store.tx((tx) => setUserRights(tx, owner.id, 'member', null, Date.now()));

    assert.equal((await daemon.call('GET', '/api/users/me/sessions', undefined, key)).status, 403);
  });

  it('can have fewer permissions than its owner', async () => {
    const made = await make(daemon.key, { role: 'viewer', projects: ['blog'] });
    const { key } = parse<ApiKeyCreated>(made);
    assert.equal((await daemon.call('GET', `/api/projects/${blog}`, undefined, key)).status, 200);
    assert.equal((await daemon.call('GET', `/api/projects/${shop}`, undefined, key)).status, 404);
    assert.equal((await daemon.call('DELETE', `/api/projects/${blog}`, undefined, key)).status, 403);
  });

  it('cannot have more permissions than its creator', async () => {
    for (const [role, wish] of [
      ['viewer', 'member'],
      ['viewer', 'admin'],
      ['member', 'admin'],
    ] as [Role, Role][]) {
      assert.equal((await make(user(daemon, role).key, { role: wish })).status, 403);
    }
    const owner = user(daemon, 'admin', [shop]);
    assert.equal(
      (await make(owner.key, { projects: ['blog'] })).text,
      'projects.0: The project “blog” does not exist, or you cannot access it.\n',
    );
  });

  it('with a restriction cannot create another key', async () => {
    const { id } = user(daemon, 'admin');
    for (const [restriction, key] of [
      ['role', keyFor(daemon, { id, role: 'viewer' })],
      ['projects', keyFor(daemon, { id, role: 'admin' }, { projects: ['shop'] })],
      ['expiry', keyFor(daemon, { id, role: 'admin' }, { expiresAt: now + 60_000 })],
    ] as const) {
      const { status, text } = await make(key, { role: 'viewer', expires_at: new Date(now + 1_000).toISOString() });
      assert.equal(status, 403, restriction);
      assert.match(text, /Sign in, or use an API key without restrictions/);
      assert.equal(parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, key)).length, 1, restriction);
    }
    const unrestricted = keyFor(daemon, { id, role: 'admin' });
    assert.equal((await make(unrestricted, {})).status, 201);
    assert.equal(parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, unrestricted)).length, 6);
  });

  it('with a restriction stays restricted after its owner loses rights', async () => {
    for (const [restriction, wish, rights] of [
      ['role', { role: 'member' }, ['member', null]],
      ['projects', { projects: ['shop'] }, ['admin', [projectBySlug(daemon.core.store, 'shop')?.id ?? 0]]],
    ] as const) {
      const owner = user(daemon, 'admin');
      const { key } = parse<ApiKeyCreated>(await make(owner.key, wish));
      daemon.core.store.tx((tx) => setUserRights(tx, owner.id, rights[0], rights[1], Date.now()));
      assert.equal((await make(key, {})).status, 403, restriction);
      const [first] = parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, owner.key));
      assert.equal((await daemon.call('DELETE', `${KEYS}/${first?.id}`, undefined, key)).status, 403, restriction);
    }
  });

  it('is refused after its expiry or revocation', async () => {
    const { key } = parse<ApiKeyCreated>(await make(daemon.key, { expires_at: new Date(now + 1_000).toISOString() }));
    const status = async () => (await daemon.call('GET', '/api/apps', undefined, key)).status;
    assert.equal(await status(), 200);
    now += 1_000;
    assert.equal(await status(), 401);
    assert.equal((await make(daemon.key, { expires_at: new Date(now).toISOString() })).status, 400);

    const other = parse<ApiKeyCreated>(await make(daemon.key, {}));
    assert.equal((await daemon.call('DELETE', `${KEYS}/${other.id}`)).status, 204);
    assert.equal((await daemon.call('GET', '/api/apps', undefined, other.key)).status, 401);
    assert.equal((await daemon.call('DELETE', `${KEYS}/${other.id}`)).status, 404);
  });

  it('of another user cannot be listed or revoked', async () => {
    const [ada, bob] = [user(daemon, 'admin'), user(daemon, 'admin')];
    const { id } = parse<ApiKeyCreated>(await make(bob.key, {}));
    for (const number of [String(id), '0', '-1', '1e3', 'x', '99999999999999999999']) {
      assert.equal((await daemon.call('DELETE', `${KEYS}/${number}`, undefined, ada.key)).status, 404, number);
    }
    assert.equal(parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, ada.key)).length, 1);
  });

  it('with a restriction can only revoke its own key and cannot change the password', async () => {
    const owner = user(daemon, 'admin');
    const { id, key } = parse<ApiKeyCreated>(await make(owner.key, { role: 'viewer' }));
    const [first] = parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, owner.key));
    assert.equal((await daemon.call('DELETE', `${KEYS}/${first?.id}`, undefined, key)).status, 403);
    const change = { current_password: 'x', new_password: ADMIN.password };
    assert.equal((await daemon.call('PUT', '/api/users/me/password', change, key)).status, 403);
    assert.equal((await daemon.call('DELETE', `${KEYS}/${id}`, undefined, key)).status, 204);
  });

  it('with a restriction lists only its own entry', async () => {
    const owner = user(daemon, 'admin');
    await make(owner.key, { name: 'shop', projects: ['shop'] });
    const { id, key } = parse<ApiKeyCreated>(await make(owner.key, { projects: ['blog'] }));
    const seen = parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, key));
    assert.deepEqual(
      seen.map((listed) => [listed.id, listed.projects]),
      [[id, ['blog']]],
    );
  });

  it('shows its current role and its last use by the minute', async () => {
    const owner = user(daemon, 'admin');
    const { id, key } = parse<ApiKeyCreated>(await make(owner.key, {}));
    const listed = async () =>
      parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, owner.key)).find((k) => k.id === id);
    assert.equal((await listed())?.last_used_at, null);
    const used = new Date(now).toISOString();
    await daemon.call('GET', '/api/apps', undefined, key);
    now += 59_999;
    await daemon.call('GET', '/api/apps', undefined, key);
    assert.equal((await listed())?.last_used_at, used);
    daemon.core.store.tx((tx) => setUserRights(tx, owner.id, 'viewer', null, Date.now()));
    assert.equal((await listed())?.role, 'viewer');
  });

  it('updates the last use of its owner once a minute', async () => {
    const owner = user(daemon, 'member');
    const seen = async () => parse<User>(await daemon.call('GET', `/api/users/${owner.username}`)).last_seen_at;
    const listApps = () => daemon.call('GET', '/api/apps', undefined, owner.key);
    assert.equal(await seen(), null);
    const at = new Date(now).toISOString();
    await listApps();
    assert.equal(await seen(), at);
    now += 59_999;
    await listApps();
    assert.equal(await seen(), at, 'a write for each request would cost a sync of the disk');
    now += 1;
    await listApps();
    assert.equal(await seen(), new Date(now).toISOString());
  });

  it('gets a new secret by rotation and keeps all other fields', async () => {
    const owner = user(daemon, 'admin');
    const wish = { name: 'deploy', role: 'member', projects: ['blog'], expires_at: '2027-01-01T00:00:00Z' };
    const { key: before, ...made } = parse<ApiKeyCreated>(await make(owner.key, wish));
    const answer = await daemon.call('POST', `${KEYS}/${made.id}/rotate`, undefined, owner.key);
    const { key: rotated, ...shown } = parse<ApiKeyCreated>(answer);
    assert.equal(answer.status, 200);
    assert.deepEqual(shown, made);
    assert.match(rotated, /^davit_[0-9a-f]{64}$/);
    const status = async (key: string) => (await daemon.call('GET', '/api/apps', undefined, key)).status;
    assert.deepEqual([await status(before), await status(rotated)], [401, 200]);
  });

  it('can rotate its own secret, but no other key with a restriction', async () => {
    const owner = user(daemon, 'admin');
    const rotate = (key: string, id: number | string) => daemon.call('POST', `${KEYS}/${id}/rotate`, undefined, key);
    const mine = parse<ApiKeyCreated>(await make(owner.key, { role: 'viewer' }));
    const [first] = parse<ApiKey[]>(await daemon.call('GET', KEYS, undefined, owner.key));
    assert.equal((await rotate(mine.key, first?.id ?? 0)).status, 403);
    assert.equal((await rotate(mine.key, mine.id)).status, 200);
    assert.equal((await rotate(mine.key, mine.id)).status, 401);
    for (const number of [parse<ApiKey[]>(await daemon.call('GET', KEYS))[0]?.id ?? 0, 'x', '0']) {
      assert.equal((await rotate(owner.key, number)).status, 404);
    }
    const short = parse<ApiKeyCreated>(await make(owner.key, { expires_at: new Date(now + 1_000).toISOString() }));
    now += 1_000;
    assert.equal((await rotate(owner.key, short.id)).status, 409);
  });

  it('has a name of one line without control characters', async () => {
    for (const name of ['', '  ', 'a\nb', 'a\u0000b', 'a\u001b[31m', 'a\u2028b', 'a\u202eb', 'x'.repeat(65), 7, null]) {
      assert.equal((await make(daemon.key, { name })).status, 400, JSON.stringify(name));
    }
    const { id, name } = parse<ApiKeyCreated>(await make(daemon.key, { name: ' Prüfung №1 — “ci” ' }));
    assert.equal(name, 'Prüfung №1 — “ci”');
    await daemon.call('DELETE', `${KEYS}/${id}`);
  });

  it('is limited to a hundred keys for each user', async () => {
    const owner = user(daemon, 'viewer');
    for (let i = 1; i < 100; i++) assert.equal((await make(owner.key, {})).status, 201);
    assert.equal((await make(owner.key, {})).status, 409);
  });
});

describe('password change', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const json = { 'content-type': 'application/json' };
  const begin = (password: string) => signIn(daemon, { username: ADMIN.username, password });
  const change = (cookie: string, current: string, next: string, headers: Record<string, string> = {}) =>
    daemon.send({
      method: 'PUT',
      path: '/api/users/me/password',
      headers: { ...json, cookie, 'sec-fetch-site': 'same-origin', ...headers },
      body: JSON.stringify({ current_password: current, new_password: next }),
    });

  it('needs the current password and ends other sessions but no keys', async () => {
    const [mine, other] = (await Promise.all([begin(ADMIN.password), begin(ADMIN.password)])).map(cookieOf);
    assert.equal((await change(mine ?? '', 'wrong', 'another long password')).status, 403);
    assert.equal((await change(mine ?? '', ADMIN.password, 'short')).status, 400);
    const changed = await change(mine ?? '', ADMIN.password, 'another long password');
    assert.equal(changed.status, 204);
    const renewed = cookieOf(changed);
    const status = async (cookie = '') => (await daemon.send({ path: '/api/apps', headers: { cookie } })).status;
    // The previous session cookie is no longer valid.
    assert.notEqual(renewed, mine);
    assert.deepEqual([await status(mine), await status(other), await status(renewed)], [401, 401, 200]);
    const listed = await daemon.send({ path: '/api/users/me/sessions', headers: { cookie: renewed } });
    assert.deepEqual(
      parse<UserSession[]>(listed).map(({ current }) => current),
      [true],
    );
    assert.equal((await begin(ADMIN.password)).status, 401);
    assert.equal((await begin('another long password')).status, 200);
    assert.equal((await daemon.call('GET', '/api/apps')).status, 200);
  });

  it('sets a cookie with the same attributes as at login', async () => {
    const { username } = user(daemon, 'member');
    const shape = (answer: Answer) => answer.headers.get('set-cookie')?.replace(/=[^;]+/, '=');
    for (const headers of [{}, { 'x-forwarded-proto': 'https' }] as Record<string, string>[]) {
      assert.equal((await daemon.call('PATCH', `/api/users/${username}`, { password: ADMIN.password })).status, 200);
      const begun = await signIn(daemon, { username, password: ADMIN.password }, headers);
      const changed = await change(cookieOf(begun), ADMIN.password, 'another long password', headers);
      assert.equal(changed.status, 204, changed.text);
      assert.equal(shape(changed), shape(begun));
      const withNew = await daemon.send({ path: '/api/apps', headers: { ...headers, cookie: cookieOf(changed) } });
      assert.equal(withNew.status, 200);
    }
  });

  it('with an API key sets no cookie and keeps the key valid', async () => {
    const { username, key } = user(daemon, 'member');
    assert.equal((await daemon.call('PATCH', `/api/users/${username}`, { password: ADMIN.password })).status, 200);
    const session = cookieOf(await signIn(daemon, { username, password: ADMIN.password }));
    const input = { current_password: ADMIN.password, new_password: 'another long password' };
    const { status, headers } = await daemon.call('PUT', '/api/users/me/password', input, key);
    assert.deepEqual([status, headers.get('set-cookie')], [204, null]);
    assert.equal((await daemon.send({ path: '/api/apps', headers: { cookie: session } })).status, 401);
    assert.equal((await daemon.call('GET', '/api/apps', undefined, key)).status, 200);
  });
});
