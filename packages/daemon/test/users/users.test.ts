/** Management of users by an admin, and of their own account by users. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ApiKey, Me, User, UserSession, UserWithPassword } from '@davit/api';
import { ADMIN, type Answer, bootDaemon, cookieOf, keyFor, project, send, signIn, user } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { insertProject, markProjectDeleted } from '../../src/db/tables/project.ts';
import { type UserRow, userByName } from '../../src/db/tables/user.ts';
import { createUser, patchUser } from '../../src/resources/users/user.ts';
import { CoreHarness } from '../support/core-harness.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const parse = <T>(answer: Answer) => JSON.parse(answer.text) as T;
const PASSWORD = 'a password of some length';

describe('a user', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const shop = await project(daemon, 'shop');
  const call = (method: string, path: string, body?: object, key?: string) => daemon.call(method, path, body, key);
  const make = (username: string, fields: object = {}) =>
    call('POST', '/api/users', { username, role: 'viewer', ...fields });
  const withCookie = async (cookie: string) => (await daemon.send({ path: '/api/apps', headers: { cookie } })).status;

  it('gets a generated password that is shown once and works at login', async () => {
    const made = await make('ada', { role: 'member', projects: [shop] });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get('location'), '/api/users/ada');
    const { password = '', ...shown } = parse<UserWithPassword>(made);
    assert.ok(password.length >= 20);
    assert.deepEqual(parse<User>(await call('GET', '/api/users/ada')), shown);
    const { username, role, projects, blocked } = shown;
    assert.deepEqual([username, role, projects, blocked], ['ada', 'member', ['shop'], false]);
    assert.equal((await signIn(daemon, { username: 'ada', password })).status, 200);
  });

  it('can get a chosen password that responses do not contain', async () => {
    const made = await make('bob', { password: PASSWORD });
    assert.doesNotMatch(made.text, /password/);
    assert.equal((await signIn(daemon, { username: 'bob', password: PASSWORD })).status, 200);
    assert.doesNotMatch((await call('GET', '/api/users')).text, /hash|argon/);
  });

  it('needs a unique name that is valid and not reserved', async () => {
    assert.equal((await make('bob')).status, 409);
    for (const name of ['me', 'local', 'davit', '', 'Ada', 'a b', '-x', 'x'.repeat(33), 'ä', 'a/b', 'a\n']) {
      assert.equal((await make(name)).status, 400, name);
    }
  });

  it('is not created with invalid fields', async () => {
    const before = (await call('GET', '/api/users')).text;
    for (const fields of [
      { role: 'owner' },
      { role: undefined },
      { password: 'short' },
      { projects: ['none'] },
      { projects: 'shop' },
      { admin: true },
    ]) {
      assert.equal((await make('eve', fields)).status, 400, JSON.stringify(fields));
    }
    assert.equal((await call('GET', '/api/users')).text, before);
  });

  it('is created only once by two concurrent requests', async () => {
    const statuses = (await Promise.all([make('twin'), make('twin')])).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [201, 409]);
  });

  it('is not limited to a project that is deleted during the password hashing', async () => {
    using harness = new CoreHarness();
    const { core, admin } = harness;
    const userOf = (username: string) => userByName(core.store, username);
    // The first user has the id of the admin.
    for (const username of ['bert', 'cora'])
      await createUser(core, admin, { username, role: 'viewer', projects: null });
    const attempts = [
      () => createUser(core, admin, { username: 'dora', role: 'viewer', projects: ['soon'] }),
      () => patchUser(core, admin, userOf('cora') as UserRow, { projects: ['soon'], reset_password: true }),
    ];
    for (const attempt of attempts) {
      const id = core.store.tx((tx) => insertProject(tx, 'soon', core.now()));
      const pending = attempt();
      core.store.tx((tx) => markProjectDeleted(tx, { id, slug: 'soon' }, core.now()));
      await assert.rejects(pending, { code: 'invalid_input' });
    }
    assert.equal(userOf('dora'), undefined);
    assert.equal(userOf('cora')?.projects, null);
  });

  it('has changed rights from the next request on', async () => {
    const { username, key } = user(daemon, 'member');
    const read = async () => (await call('GET', `/api/projects/${shop}`, undefined, key)).status;
    const write = async () => (await call('POST', `/api/projects/${shop}/environments`, {}, key)).status;
    assert.deepEqual([await read(), await write()], [200, 400]);
    assert.equal((await call('PATCH', `/api/users/${username}`, { role: 'viewer' })).status, 200);
    assert.deepEqual([await read(), await write()], [200, 403]);
    const limited = parse<User>(await call('PATCH', `/api/users/${username}`, { projects: [] }));
    assert.deepEqual([limited.role, limited.projects], ['viewer', []]);
    assert.deepEqual([await read(), await write()], [404, 404]);
    assert.equal((await call('PATCH', `/api/users/${username}`, {})).status, 200);
  });

  it('loses access while blocked, with the same login error as a wrong password', async () => {
    await make('carl', { password: PASSWORD });
    const cookie = cookieOf(await signIn(daemon, { username: 'carl', password: PASSWORD }));
    const key = parse<{ key: string }>(
      await daemon.send({
        method: 'POST',
        path: '/api/users/me/api-keys',
        headers: { ...JSON_TYPE, cookie, 'sec-fetch-site': 'same-origin' },
        body: '{"name":"ci"}',
      }),
    ).key;
    const withKey = async () => (await call('GET', '/api/apps', undefined, key)).status;
    assert.deepEqual([await withCookie(cookie), await withKey()], [200, 200]);

    assert.equal(parse<User>(await call('PATCH', '/api/users/carl', { blocked: true })).blocked, true);
    assert.deepEqual([await withCookie(cookie), await withKey()], [401, 401]);
    const [right, wrong] = [
      await signIn(daemon, { username: 'carl', password: PASSWORD }),
      await signIn(daemon, { username: 'carl', password: 'wrong' }),
    ];
    assert.deepEqual([right.status, right.text], [wrong.status, wrong.text]);

    await call('PATCH', '/api/users/carl', { blocked: false });
    assert.deepEqual([await withCookie(cookie), await withKey()], [401, 200]);
    assert.equal((await signIn(daemon, { username: 'carl', password: PASSWORD })).status, 200);
  });

  it('gets a new password that ends sessions but not API keys', async () => {
    await make('dora', { password: PASSWORD });
    const cookie = cookieOf(await signIn(daemon, { username: 'dora', password: PASSWORD }));
    const { id } = daemon.core.store.get(unchecked<{ id: number }>("SELECT id FROM users WHERE username = 'dora'")) ?? {
      id: 0,
    };
    const key = keyFor(daemon, { id, role: 'viewer' });
    const { password = '' } = parse<UserWithPassword>(await call('PATCH', '/api/users/dora', { reset_password: true }));
    assert.equal(await withCookie(cookie), 401);
    assert.equal((await call('GET', '/api/apps', undefined, key)).status, 200);
    assert.equal((await signIn(daemon, { username: 'dora', password: PASSWORD })).status, 401);
    assert.equal((await signIn(daemon, { username: 'dora', password })).status, 200);
    const chosen = await call('PATCH', '/api/users/dora', { password: 'another long password' });
    assert.doesNotMatch(chosen.text, /password/);
    assert.equal((await signIn(daemon, { username: 'dora', password: 'another long password' })).status, 200);
    const both = { password: 'another long password', reset_password: true };
    assert.equal((await call('PATCH', '/api/users/dora', both)).status, 400);
  });

  it('loses all sessions when deleted, and the name becomes available', async () => {
    await make('emil', { password: PASSWORD });
    const cookie = cookieOf(await signIn(daemon, { username: 'emil', password: PASSWORD }));
    assert.equal((await call('DELETE', '/api/users/emil')).status, 204);
    assert.equal(await withCookie(cookie), 401);
    assert.equal((await call('GET', '/api/users/emil')).status, 404);
    assert.equal((await call('DELETE', '/api/users/emil')).status, 404);
    assert.equal((await make('emil')).status, 201);
  });

  it('has API keys and sessions that an admin can list and end', async () => {
    await make('fred', { password: PASSWORD });
    const cookie = cookieOf(
      await signIn(daemon, { username: 'fred', password: PASSWORD }, { 'user-agent': `Browser ${'x'.repeat(500)}` }),
    );
    const { id } = daemon.core.store.get(unchecked<{ id: number }>("SELECT id FROM users WHERE username = 'fred'")) ?? {
      id: 0,
    };
    const key = keyFor(daemon, { id, role: 'viewer' });
    const [listedKey] = parse<ApiKey[]>(await call('GET', '/api/users/fred/api-keys'));
    const [session] = parse<UserSession[]>(await call('GET', '/api/users/fred/sessions'));
    assert.deepEqual([session?.address, session?.current], ['127.0.0.1', false]);
    assert.equal(session?.user_agent?.length, 200);

    assert.equal((await call('DELETE', `/api/users/bob/api-keys/${listedKey?.id}`)).status, 404);
    assert.equal((await call('DELETE', `/api/users/bob/sessions/${session?.id}`)).status, 404);
    assert.equal((await call('DELETE', `/api/users/fred/api-keys/${listedKey?.id}`)).status, 204);
    assert.equal((await call('GET', '/api/apps', undefined, key)).status, 401);
    assert.equal((await call('DELETE', `/api/users/fred/sessions/${session?.id}`)).status, 204);
    assert.equal(await withCookie(cookie), 401);
    for (const number of ['0', 'x', '-1', '1e3', '99999999999999999999']) {
      assert.equal((await call('DELETE', `/api/users/fred/api-keys/${number}`)).status, 404);
      assert.equal((await call('DELETE', `/api/users/fred/sessions/${number}`)).status, 404);
    }
  });
});

describe('the last admin with access to all projects', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const shop = await project(daemon, 'shop');
  const limited = user(daemon, 'admin', [shop]);
  const local = (method: string, body?: object) =>
    send(
      { socketPath: join(daemon.dataDir, 'davit.sock') },
      { method, path: '/api/users/admin', ...(body && { headers: JSON_TYPE, body: JSON.stringify(body) }) },
    );

  it('cannot be deleted, blocked, limited or given another role', async () => {
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { role: 'member' }],
      ['PATCH', { projects: ['shop'] }],
      ['PATCH', { projects: [] }],
      ['PATCH', { blocked: true }],
    ] as [string, object?][]) {
      assert.equal((await daemon.call(method, '/api/users/admin', body)).status, 409, JSON.stringify(body));
      assert.equal((await local(method, body)).status, 409, JSON.stringify(body));
    }
    assert.equal((await daemon.call('PATCH', '/api/users/admin', { role: 'admin', projects: null })).status, 200);
    assert.equal((await daemon.call('DELETE', `/api/users/${limited.username}`)).status, 204);
  });

  it('can be deleted after another active admin exists', async () => {
    const other = user(daemon, 'admin');
    await daemon.call('PATCH', `/api/users/${other.username}`, { blocked: true });
    assert.equal((await daemon.call('DELETE', '/api/users/admin')).status, 409);
    await daemon.call('PATCH', `/api/users/${other.username}`, { blocked: false });
    assert.equal((await daemon.call('DELETE', '/api/users/admin', undefined, other.key)).status, 204);
    assert.equal((await daemon.call('GET', '/api/apps')).status, 401);
    assert.equal((await daemon.call('DELETE', `/api/users/${other.username}`, undefined, other.key)).status, 409);
  });

  it('can get a new password through the local socket', async () => {
    await using instance = await bootDaemon();
    const reset = await send(
      { socketPath: join(instance.dataDir, 'davit.sock') },
      { method: 'PATCH', path: '/api/users/admin', headers: JSON_TYPE, body: '{"reset_password":true}' },
    );
    const { password = '' } = parse<UserWithPassword>(reset);
    assert.equal((await signIn(instance, { username: 'admin', password })).status, 200);
    assert.equal((await signIn(instance, { username: 'admin', password: ADMIN.password })).status, 401);
  });
});

describe('user management', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  await project(daemon, 'shop');

  it('refuses a change of the own password without the current password', async () => {
    assert.equal((await daemon.call('PATCH', '/api/users/admin', { reset_password: true })).status, 409);
    assert.equal((await daemon.call('PATCH', '/api/users/admin', { password: PASSWORD })).status, 409);
  });

  for (const [what, limits] of Object.entries({
    'that expires': { expiresAt: Date.now() + 60_000 },
    'for some projects': { projects: ['shop'] },
  })) {
    it(`refuses to give rights or passwords with a key ${what}`, async () => {
      const key = keyFor(daemon, { id: 1, role: 'admin' }, limits);
      const other = user(daemon, 'viewer', ['shop']);
      const path = `/api/users/${other.username}`;
      const created = { username: 'x', role: 'admin', projects: ['shop'] };
      assert.equal((await daemon.call('POST', '/api/users', created, key)).status, 403);
      for (const patch of [{ role: 'admin' }, { projects: ['shop'] }, { reset_password: true }, { blocked: false }]) {
        assert.equal((await daemon.call('PATCH', path, patch, key)).status, 403, JSON.stringify(patch));
      }
      assert.equal((await daemon.call('PATCH', path, { blocked: true }, key)).status, 200);
      assert.equal((await daemon.call('DELETE', path, undefined, key)).status, 204);
    });
  }

  it('does not reveal to a member whether a user exists', async () => {
    const member = user(daemon, 'member');
    const [there, none] = [
      await daemon.call('GET', '/api/users/admin', undefined, member.key),
      await daemon.call('GET', '/api/users/nobody', undefined, member.key),
    ];
    assert.deepEqual([there.status, there.text], [403, none.text]);
  });

  it('hides a user without projects from an admin of some projects', async () => {
    const alpha = await project(daemon);
    const limited = user(daemon, 'admin', [alpha]);
    const idle = user(daemon, 'member', []);
    const path = `/api/users/${idle.username}`;

    assert.equal((await daemon.call('PATCH', path, { reset_password: true }, limited.key)).status, 404);
    const listed = parse<User[]>(await daemon.call('GET', '/api/users', undefined, limited.key));
    assert.ok(!listed.some(({ username }) => username === idle.username));
  });

  it('refuses management of the own user by name with a restricted key', async () => {
    const owner = user(daemon, 'admin');
    const key = keyFor(daemon, { id: owner.id, role: 'admin' }, { expiresAt: Date.now() + 60_000 });
    const path = `/api/users/${owner.username}`;
    const parts = ['sessions', 'api-keys', 'connections'].flatMap((part) => [
      ['GET', `/${part}`, undefined] as const,
      ['DELETE', `/${part}/1`, undefined] as const,
    ]);
    for (const [method, rest, body] of [
      ...parts,
      ['PATCH', '', { blocked: true }] as const,
      ['DELETE', '', undefined] as const,
    ])
      assert.equal((await daemon.call(method, `${path}${rest}`, body, key)).status, 403, `${method} ${rest}`);
    assert.equal((await daemon.call('GET', path, undefined, key)).status, 200);
  });

  it('protects users with rights in a deleted project from a project admin', async () => {
    const alpha = await project(daemon);
    const bravo = await project(daemon);
    const ofBoth = user(daemon, 'viewer', [alpha, bravo]);
    const ofBravo = user(daemon, 'viewer', [bravo]);
    const limited = user(daemon, 'admin', [alpha]);
    await daemon.call('DELETE', `/api/projects/${bravo}`);

    const seen = parse<User[]>(await daemon.call('GET', '/api/users', undefined, limited.key));
    const answers = await Promise.all(
      [ofBoth, ofBravo].map(({ username }) =>
        daemon.call('PATCH', `/api/users/${username}`, { role: 'admin', password: PASSWORD }, limited.key),
      ),
    );

    assert.deepEqual(
      seen.map(({ username }) => username),
      [limited.username],
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404],
    );
  });

  it('shows only the own user to an admin of a deleted project', async () => {
    const limited = user(daemon, 'admin', ['shop']);
    await daemon.call('DELETE', '/api/projects/shop');
    const seen = parse<User[]>(await daemon.call('GET', '/api/users', undefined, limited.key));
    assert.deepEqual(
      seen.map(({ username }) => username),
      [limited.username],
    );
  });
});

describe('GET /api/users/me', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  await project(daemon, 'shop');
  const me = async (headers: Record<string, string>) =>
    parse<Me>(await daemon.send({ path: '/api/users/me', headers }));

  it('returns the rights of the API key and the name of its user', async () => {
    const owner = user(daemon, 'admin');
    const key = keyFor(daemon, { id: owner.id, role: 'member' }, { projects: ['shop'], expiresAt: 4_102_444_800_000 });
    const { key: shown, ...rest } = await me({ authorization: `Bearer ${key}` });
    assert.deepEqual(rest, { username: owner.username, role: 'member', projects: ['shop'], credential: 'key' });
    assert.deepEqual([shown?.name, shown?.expires_at], ['test', '2100-01-01T00:00:00.000Z']);
  });

  it('returns the user’s own rights for a session', async () => {
    const cookie = cookieOf(await signIn(daemon));
    const expected = { username: 'admin', role: 'admin', projects: null, credential: 'session', key: null };
    assert.deepEqual(await me({ cookie }), expected);
  });

  it('returns the local operator for a request on the local socket', async () => {
    const answer = await send({ socketPath: join(daemon.dataDir, 'davit.sock') }, { path: '/api/users/me' });
    const expected = { username: 'local', role: 'admin', projects: null, credential: 'local', key: null };
    assert.deepEqual(parse<Me>(answer), expected);
  });
});
