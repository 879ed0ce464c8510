/** Authentication and authorization of real requests with keys, cookies and the local socket. */
import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { join } from 'node:path';
import test, { after, describe, it } from 'node:test';
import { ADMIN, app, bootDaemon, cookieOf, keyFor, project, send, signIn, user } from '@davit/testkit';
import { inLong } from '../../../../test/support/tiers.ts';
import { hashSecret } from '../../src/auth/secrets.ts';
import { sessionByHash } from '../../src/db/tables/session.ts';
import { renewPasswordHash, userByName } from '../../src/db/tables/user.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('a password hash with another cost is renewed at the next login', async () => {
  await using daemon = await bootDaemon();
  const { store } = daemon.core;
  const stored = () => userByName(store, ADMIN.username)?.password_hash ?? '';
  const cost = { memory: 8_192, passes: 1, parallelism: 1 };
  const nonce = Buffer.alloc(16, 1);
  const tag = argon2Sync('argon2id', { message: Buffer.from(ADMIN.password), nonce, tagLength: 32, ...cost });
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const old = `$argon2id$v=19$m=8192,t=1,p=1$${plain(nonce)}$${plain(tag)}`;
  store.tx((tx) => renewPasswordHash(tx, userByName(tx, ADMIN.username)?.id ?? 0, old));

  assert.equal((await signIn(daemon)).status, 200);

  assert.match(stored(), /m=12288,t=3/);
  assert.equal((await signIn(daemon)).status, 200);
});

describe('API credential', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const { key } = daemon;
  const get = (headers: Record<string, string | string[]>, path = '/api/apps') => daemon.send({ path, headers });

  it('is accepted if the request sends a valid key as a bearer token', async () => {
    assert.equal((await get({ authorization: `Bearer ${key}` })).status, 200);
    assert.equal((await get({ authorization: `bearer  ${key}` })).status, 200);
  });

  const refused: [name: string, headers: Record<string, string | string[]>, path?: string][] = [
    ['no credentials', {}],
    ['an empty Authorization header', { authorization: '' }],
    ['another scheme', { authorization: `Token ${key}` }],
    ['HTTP Basic authentication', { authorization: `Basic ${Buffer.from(`admin:${key}`).toString('base64')}` }],
    ['a key without a scheme', { authorization: key }],
    ['an unknown key', { authorization: `Bearer davit_${'0'.repeat(64)}` }],
    ['a longer key', { authorization: `Bearer ${key}0` }],
    ['two keys in one header', { authorization: `Bearer ${key}, Bearer ${key}` }],
    ['two Authorization headers', { authorization: [`Bearer ${key}`, `Bearer ${key}`] }],
    ['the key in a cookie', { cookie: `davit_session=${key}; authorization=${key}; key=${key}` }],
    ['the key in the query', {}, `/api/apps?key=${key}&token=${key}&access_token=${key}`],
    ['the key in another header', { 'x-api-key': key, 'proxy-authorization': `Bearer ${key}` }],
  ];
  for (const [name, headers, path] of refused) {
    it(`is refused with status 401: ${name}`, async () => {
      const answer = await get(headers, path);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    });
  }

  it('that is not valid is refused even with a valid session cookie', async () => {
    const cookie = cookieOf(await signIn(daemon));
    assert.equal((await get({ cookie })).status, 200);
    assert.equal((await get({ cookie, authorization: 'Bearer x' })).status, 401);
  });

  it('is never written to the log', async () => {
    const cookie = cookieOf(await signIn(daemon));
    await get({ cookie }, `/api/apps?key=${key}`);
    const log = daemon.log.lines.join('');
    assert.doesNotMatch(log, new RegExp(`${key}|${cookie.split('=')[1]}|${ADMIN.password}`));
  });
});

describe('session of a user', async () => {
  let now = Date.parse('2026-06-01T00:00:00Z');
  const daemon = await bootDaemon({ now: () => now });
  after(() => daemon[Symbol.asyncDispose]());
  const status = async (cookie: string) => (await daemon.send({ path: '/api/apps', headers: { cookie } })).status;
  const DAY = 24 * 60 * 60_000;

  it('starts with the correct password and returns the user and expiry', async () => {
    const answer = await signIn(daemon);
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text), {
      username: ADMIN.username,
      role: 'admin',
      expires_at: '2026-07-01T00:00:00.000Z',
    });
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^davit_session=[0-9a-f]{64}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
  });

  it('has a __Host- cookie under TLS and accepts no other cookie there', async () => {
    const tls = { 'x-forwarded-proto': 'https' };
    const answer = await signIn(daemon, ADMIN, tls);
    const cookie = cookieOf(answer);
    assert.match(answer.headers.get('set-cookie') ?? '', /^__Host-davit_session=.*; Secure$/);
    assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000');
    assert.equal((await daemon.send({ path: '/api/apps', headers: { cookie, ...tls } })).status, 200);
    assert.equal(await status(cookie), 401);
    const plain = cookieOf(await signIn(daemon));
    assert.equal((await daemon.send({ path: '/api/apps', headers: { cookie: plain, ...tls } })).status, 401);
  });

  it('that began with TLS is valid only with TLS', async () => {
    const tls = { 'x-forwarded-proto': 'https', host: 'davit.test' };
    const [, token = ''] = cookieOf(await signIn(daemon, ADMIN, tls)).split('=');

    assert.equal(await status(`davit_session=${token}`), 401);
    const cookie = `__Host-davit_session=${token}`;
    const headers = { ...tls, cookie, 'x-forwarded-for': '192.0.2.1' };
    assert.equal((await daemon.send({ path: '/api/apps', headers })).status, 200);
  });

  it('that began at localhost is valid only from loopback addresses', async () => {
    for (const host of ['localhost', 'localhost:8443', 'LOCALHOST.', 'davit.localhost', '127.0.0.2', '[::1]:443']) {
      const tls = { 'x-forwarded-proto': 'https', host };
      const cookie = cookieOf(await signIn(daemon, ADMIN, { ...tls, 'x-forwarded-for': '127.0.0.1' }));
      const statusFrom = async (address: string) =>
        (await daemon.send({ path: '/api/apps', headers: { ...tls, cookie, 'x-forwarded-for': address } })).status;

      assert.equal(await statusFrom('::1'), 200, host);
      assert.equal(await statusFrom('10.208.0.9'), 401, host);
    }
  });

  it('has a new token after each login', async () => {
    const fixed = `davit_session=${'a'.repeat(64)}`;
    const one = cookieOf(await signIn(daemon, ADMIN, { cookie: fixed }));
    const two = cookieOf(await signIn(daemon, ADMIN, { cookie: one }));
    assert.notEqual(one, fixed);
    assert.notEqual(one, two);
  });

  it('is stored in the database only as a hash', async () => {
    const token = cookieOf(await signIn(daemon)).split('=')[1] ?? '';
    assert.equal(sessionByHash(daemon.core.store, token), undefined);
    assert.ok(sessionByHash(daemon.core.store, hashSecret(token)));
  });

  it('ends on the server at logout without ending other sessions', async () => {
    const [mine, other] = [cookieOf(await signIn(daemon)), cookieOf(await signIn(daemon))];
    const headers = { cookie: mine, 'sec-fetch-site': 'same-origin' };
    const answer = await daemon.send({ method: 'POST', path: '/api/auth/logout', headers });
    assert.equal(answer.status, 204);
    assert.match(answer.headers.get('set-cookie') ?? '', /^davit_session=; .*Max-Age=0/);
    assert.equal(await status(mine), 401);
    assert.equal(await status(other), 200);
    assert.equal((await daemon.call('POST', '/api/auth/logout')).status, 409);
  });

  it('expires after seven days without use and after thirty days in total', async () => {
    const cookie = cookieOf(await signIn(daemon));
    const began = now;
    for (let day = 6; day < 30; day += 6) {
      now = began + day * DAY;
      assert.equal(await status(cookie), 200, `day ${day}`);
    }
    now = began + 30 * DAY;
    assert.equal(await status(cookie), 401);
    const unused = cookieOf(await signIn(daemon));
    now += 7 * DAY;
    assert.equal(await status(unused), 401);
  });

  it('updates its last use at most once a minute', async () => {
    const cookie = cookieOf(await signIn(daemon));
    const seen = () => sessionByHash(daemon.core.store, hashSecret(cookie.split('=')[1] ?? ''))?.seen_at;
    const began = now;
    now += 59_999;
    await status(cookie);
    assert.equal(seen(), began);
    now += 1;
    await status(cookie);
    assert.equal(seen(), now);
  });

  it('allows a write only from the same origin', async () => {
    const cookie = cookieOf(await signIn(daemon));
    const write = async (headers: Record<string, string>) =>
      (
        await daemon.send({
          method: 'POST',
          path: '/api/projects',
          headers: { cookie, ...JSON_TYPE, ...headers },
          body: '{}',
        })
      ).status;
    const host = new URL(daemon.url).host;
    assert.equal(await write({ 'sec-fetch-site': 'same-origin' }), 400);
    assert.equal(await write({ origin: `http://${host}` }), 400);
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      { origin: `http://app.${host}` },
      { origin: `https://${host}` },
    ]) {
      assert.equal(await write(headers as Record<string, string>), 403, JSON.stringify(headers));
    }
    assert.equal((await signIn(daemon, ADMIN, { origin: 'http://evil.test' })).status, 403);
  });
});

describe('login with a password', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('responds equally to an unknown name and a wrong password', async () => {
    const unknown = await signIn(daemon, { username: 'nobody', password: 'wrong' }, from('192.0.2.1'));
    const wrong = await signIn(daemon, { ...ADMIN, password: 'wrong' }, from('192.0.2.1'));
    assert.equal(unknown.status, 401);
    assert.deepEqual([unknown.status, unknown.text], [wrong.status, wrong.text]);
    assert.equal(wrong.headers.get('set-cookie'), null);
  });

  it('is limited after ten failures for an account and a network', async () => {
    const guess = () => signIn(daemon, { ...ADMIN, password: 'wrong' }, from('203.0.113.2'));
    for (let i = 0; i < 10; i++) assert.equal((await guess()).status, 401);
    const refused = await signIn(daemon, ADMIN, from('203.0.113.2'));
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 800);
    assert.equal((await signIn(daemon, ADMIN, from('203.0.113.200'))).status, 429);
    assert.equal((await signIn(daemon, ADMIN, from('198.51.100.3'))).status, 200);
  });

  it('stays possible from a known network despite failures from other networks', inLong, async () => {
    const name = user(daemon, 'viewer').username;
    const guess = (n: number) => signIn(daemon, { username: name, password: 'x' }, from(`10.${n}.0.1`));
    await daemon.call('PATCH', `/api/users/${name}`, { password: ADMIN.password });
    const own = { username: name, password: ADMIN.password };
    const home = from('198.51.100.7');
    assert.equal((await signIn(daemon, own, home)).status, 200);

    for (let n = 0; n < 100; n += 20) {
      const guesses = Array.from({ length: 20 }, (_, i) => guess(n + i));
      for (const { status } of await Promise.all(guesses)) assert.equal(status, 401);
    }
    const refused = await guess(100);
    assert.match(
      refused.text,
      /^This account had too many failed sign-in attempts\. Sign in from a network where you signed in before/,
    );
    assert.equal((await signIn(daemon, own, from('192.0.2.99'))).status, 429);
    const flood = Array.from({ length: 60 }, (_, i) =>
      signIn(daemon, { username: `u${i}`, password: 'x' }, from(`10.${i}.1.1`)),
    );
    assert.equal((await signIn(daemon, own, home)).status, 200);
    assert.ok((await Promise.all(flood)).some(({ status }) => status === 429));
  });

  it('refuses excess attempts in a flood while other requests succeed', async () => {
    const flood = Array.from({ length: 60 }, (_, i) =>
      signIn(daemon, { username: `u${i}`, password: 'x' }, from(`192.0.2.${i}`)),
    );
    const read = await daemon.call('GET', '/api/apps');
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    assert.equal(read.status, 200);
    assert.ok(statuses.every((status) => status === 401 || status === 429));
    assert.ok(statuses.filter((status) => status === 401).length >= 22);
    assert.ok(statuses.includes(429));
  });
});

describe('root user of the server', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const local = (method: string, path: string, body?: object) =>
    send(
      { socketPath: join(daemon.dataDir, 'davit.sock') },
      { method, path, ...(body && { headers: JSON_TYPE, body: JSON.stringify(body) }) },
    );

  it('needs no key and has all permissions', async () => {
    assert.equal((await local('GET', '/api/apps')).status, 200);
    assert.equal((await local('POST', '/api/projects', { slug: 'local' })).status, 201);
    assert.equal(
      (
        await local('POST', '/api/apps', {
          project: 'local',
          name: 'web',
          source: 'image',
          image: 'example/web',
          port: 80,
        })
      ).status,
      201,
    );
    const deployed = await local('POST', '/api/apps/local/production/web/deploy?wait=true', { tag: 'v1' });
    assert.deepEqual(JSON.parse(deployed.text).trigger, { kind: 'api', by: 'local', via: 'local' });
  });

  it('has no account and cannot list API keys', async () => {
    assert.equal((await local('GET', '/api/users/me/api-keys')).status, 409);
  });

  it('receives the address of the instance in a response header', async () => {
    assert.equal((await local('GET', '/healthz')).headers.get('davit-address'), daemon.url);
    assert.equal((await daemon.send({ path: '/healthz' })).headers.get('davit-address'), null);
  });
});

describe('role of an API key', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const shown = await app(daemon);
  const elsewhere = await project(daemon);

  it('is limited to the role and projects of its owner', async () => {
    const owner = user(daemon, 'viewer', [shown.project]);
    const wide = keyFor(daemon, { id: owner.id, role: 'admin' });
    assert.equal((await daemon.call('POST', '/api/projects', {}, wide)).status, 403);
    const other = keyFor(daemon, { id: owner.id, role: 'viewer' }, { projects: [elsewhere] });
    assert.equal((await daemon.call('GET', `/api/projects/${shown.project}`, undefined, other)).status, 404);
    assert.equal((await daemon.call('GET', `/api/projects/${elsewhere}`, undefined, other)).status, 404);
  });
});

describe('API request', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());

  it('keeps a valid request id and gets a new id otherwise', async () => {
    const idFor = async (id: string) =>
      (await daemon.send({ path: '/healthz', headers: { 'x-request-id': id } })).headers.get('x-request-id');
    assert.equal(await idFor('Job-7_a.b'), 'Job-7_a.b');
    for (const id of ['a b', 'x'.repeat(65), 'a/b', '']) assert.match((await idFor(id)) ?? '', /^[0-9a-f-]{36}$/);
  });

  it('returns an error as a problem document if the client accepts this format', async () => {
    const answer = await daemon.send({ path: '/api/apps', headers: { accept: 'application/problem+json' } });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get('content-type'), 'application/problem+json');
    const { request_id: id, ...problem } = JSON.parse(answer.text);
    assert.equal(id, answer.headers.get('x-request-id'));
    assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail', 'code', 'fields', 'retryable']);
    assert.deepEqual([problem.code, problem.fields, problem.retryable], ['unauthorized', [], false]);
  });

  it('with an internal error returns only its id, with details in the log', async () => {
    const { store } = daemon.core;
    const { reference } = await app(daemon);
    const { get } = store;
    store.get = (query, ...params) => {
      if (query.sql.includes('FROM apps')) throw new Error('secret detail');
      return get.call(store, query, ...params) as never;
    };
    const answer = await daemon.call('GET', `/api/apps/${reference}`);
    store.get = get;
    assert.equal(answer.status, 500);
    assert.doesNotMatch(answer.text, /secret/);
    const line = daemon.log.lines.find((text) => text.includes('secret detail'));
    assert.equal(JSON.parse(line ?? '{}').requestId, answer.headers.get('x-request-id'));
  });
});
