/** Tests the claim of a new instance. The setup token allows its owner to create the first user, once. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ADMIN, bootDaemon, cookieOf, signIn, type TestDaemon } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function claim(daemon: TestDaemon, input: object, headers = {}) {
  return daemon.send({
    method: 'POST',
    path: '/api/setup',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(input),
  });
}

const claimed = async (daemon: TestDaemon) => JSON.parse((await daemon.send({ path: '/api/setup' })).text);

describe('the setup of a new instance', () => {
  it('reports the instance as unclaimed and refuses a login', async () => {
    await using daemon = await bootDaemon({ claim: false });
    assert.deepEqual(await claimed(daemon), { claimed: false, signed_in: false });
    const login = await daemon.send({
      method: 'POST',
      path: '/api/auth/login',
      headers: JSON_TYPE,
      body: JSON.stringify({ username: 'admin', password: 'admin' }),
    });
    assert.equal(login.status, 401);
  });

  it('creates the first admin with the setup token and deletes the token file', async () => {
    await using daemon = await bootDaemon({ claim: false });
    const file = join(daemon.dataDir, 'setup-token');
    const answer = await claim(daemon, { token: readFileSync(file, 'utf8').trim(), ...ADMIN });
    assert.equal(answer.status, 201);
    assert.equal(JSON.parse(answer.text).role, 'admin');
    assert.equal(existsSync(file), false);
    assert.deepEqual(await claimed(daemon), { claimed: true, signed_in: false });
    const cookie = cookieOf(answer);
    assert.equal((await daemon.send({ path: '/api/apps', headers: { cookie } })).status, 200);
  });

  it('reports without authentication whether the browser is signed in, and nothing else about the session', async () => {
    await using daemon = await bootDaemon();
    const stateFor = async (headers: Record<string, string>) => {
      const { status, text } = await daemon.send({ path: '/api/setup', headers });
      assert.equal(status, 200, text);
      return JSON.parse(text);
    };
    const cookie = cookieOf(await signIn(daemon, ADMIN));
    const [out, here] = [
      { claimed: true, signed_in: false },
      { claimed: true, signed_in: true },
    ];

    assert.deepEqual(await stateFor({}), out);
    assert.deepEqual(await stateFor({ cookie }), here);
    assert.deepEqual(await stateFor({ cookie: `davit_session=${'a'.repeat(64)}` }), out);
    assert.deepEqual(await stateFor({ authorization: `Bearer ${daemon.key}` }), out, 'an API key is no session');
    assert.deepEqual(await stateFor({ authorization: 'Bearer wrong' }), out);

    daemon.core.store.tx((tx) => tx.run('DELETE FROM sessions'));
    assert.deepEqual(await stateFor({ cookie }), out);
  });

  it('does not extend a session when it reports that the browser is signed in', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    await using daemon = await bootDaemon({ now: () => now });
    const cookie = cookieOf(await signIn(daemon, ADMIN));
    const seenAt = () => daemon.core.store.get(unchecked<{ seen_at: number }>('SELECT seen_at FROM sessions'))?.seen_at;
    const before = seenAt();
    now += 3_600_000;

    await daemon.send({ path: '/api/setup', headers: { cookie } });

    assert.equal(seenAt(), before);
  });

  it('refuses a wrong token and limits the attempts to ten', async () => {
    await using daemon = await bootDaemon({ claim: false });
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) statuses.push((await claim(daemon, { token: `wrong${i}`, ...ADMIN })).status);
    assert.deepEqual(statuses, [...Array(10).fill(403), 429, 429]);
    assert.deepEqual(await claimed(daemon), { claimed: false, signed_in: false });
    const right = await claim(daemon, { token: daemon.setupToken, ...ADMIN }, { 'x-forwarded-for': '192.0.2.9' });
    assert.equal(right.status, 201);
  });

  it('accepts a configured setup token', async () => {
    await using daemon = await bootDaemon({ claim: false, settings: { setupToken: 'chosen by hand' } });
    assert.equal((await claim(daemon, { token: 'chosen by hand', ...ADMIN })).status, 201);
  });

  it('refuses an invalid password or user name', async () => {
    await using daemon = await bootDaemon({ claim: false });
    const token = daemon.setupToken;
    const short = await claim(daemon, { token, username: 'ada', password: 'too short' });
    assert.equal(short.text, 'password: must have at least 12 characters.\n');
    const name = await claim(daemon, { token, username: 'A D A', password: ADMIN.password });
    assert.match(name.text, /^username: must contain only lower-case letters/);
    assert.equal((await claim(daemon, { token, username: 'ada', password: 'é'.repeat(600) })).status, 400);
  });

  it('accepts only one of several concurrent claims', async () => {
    await using daemon = await bootDaemon({ claim: false });
    const token = daemon.setupToken;
    const claims = Array.from({ length: 8 }, (_, i) =>
      claim(daemon, { token, username: `user${i}`, password: ADMIN.password }),
    );
    const statuses = (await Promise.all(claims)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [201, ...Array(7).fill(409)]);
    assert.equal(daemon.core.store.get(unchecked<{ n: number }>('SELECT count(*) AS n FROM users'))?.n, 1);
  });

  it('refuses a second claim, also after a restart', async () => {
    await using daemon = await bootDaemon({ settings: { setupToken: 'chosen by hand' } });
    assert.equal((await claim(daemon, { token: 'chosen by hand', ...ADMIN })).status, 409);
    await daemon.restart();
    assert.equal(daemon.setupToken, '');
    assert.equal((await claim(daemon, { token: '', ...ADMIN })).status, 409);
    assert.equal((await daemon.call('GET', '/api/apps')).status, 200);
  });

  it('keeps the setup token of an unclaimed instance after a restart', async () => {
    await using daemon = await bootDaemon({ claim: false, settings: { setupToken: '' } });
    const before = daemon.setupToken;
    await daemon.restart();
    assert.equal(daemon.setupToken, before);
  });
});
