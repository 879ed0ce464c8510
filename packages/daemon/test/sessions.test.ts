/** Where an account is signed in. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { UserSession } from '@davit/api';
import { ADMIN, type Answer, bootDaemon, cookieOf, keyFor, signIn, user } from '@davit/testkit';
import { insertSession } from '../src/store/session.ts';

const parse = <T>(answer: Answer) => JSON.parse(answer.text) as T;

describe('the sessions of an account', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const SESSIONS = '/api/users/me/sessions';
  const asking = (cookie: string, method: string, path: string) =>
    daemon.send({ method, path, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  const begin = async (headers = {}) => cookieOf(await signIn(daemon, ADMIN, headers));

  it('are listed with where they were begun from, and which one asks', async () => {
    const cookie = await begin({ 'user-agent': 'Browser\t1', 'x-forwarded-for': '203.0.113.9' });
    const listed = parse<UserSession[]>(await asking(cookie, 'GET', SESSIONS));
    const mine = listed.filter(({ current }) => current);
    assert.deepEqual(
      mine.map(({ address, user_agent }) => [address, user_agent]),
      [['203.0.113.9', 'Browser 1']],
    );
    assert.equal(listed.length, 2);
    const byKey = parse<UserSession[]>(await daemon.call('GET', SESSIONS));
    assert.ok(byKey.every(({ current }) => !current));
  });

  it('are ended one by one, the one that asks too', async () => {
    const [mine, other] = [await begin(), await begin()];
    const listed = parse<UserSession[]>(await asking(other, 'GET', SESSIONS));
    const otherId = listed.find(({ current }) => current)?.id;
    assert.equal((await asking(mine, 'DELETE', `${SESSIONS}/${otherId}`)).status, 204);
    assert.equal((await asking(other, 'GET', SESSIONS)).status, 401);
    assert.equal((await asking(mine, 'DELETE', `${SESSIONS}/${otherId}`)).status, 404);
    const mineId = parse<UserSession[]>(await asking(mine, 'GET', SESSIONS)).find(({ current }) => current)?.id;
    assert.equal((await asking(mine, 'DELETE', `${SESSIONS}/${mineId}`)).status, 204);
    assert.equal((await asking(mine, 'GET', SESSIONS)).status, 401);
  });

  it('end when somebody signs in anew in the same browser, and not when that fails', async () => {
    const [mine, other] = [await begin(), await begin()];
    const wrong = { ...ADMIN, password: 'not the password at all' };
    assert.equal((await signIn(daemon, wrong, { cookie: mine })).status, 401);
    assert.equal((await asking(mine, 'GET', SESSIONS)).status, 200);
    const next = await begin({ cookie: mine });
    assert.equal((await asking(mine, 'GET', SESSIONS)).status, 401);
    assert.equal((await asking(next, 'GET', SESSIONS)).status, 200);
    assert.equal((await asking(other, 'GET', SESSIONS)).status, 200);
  });

  it('are nobody else’s, and nothing for a restricted key', async () => {
    const stranger = user(daemon, 'admin');
    const id = parse<UserSession[]>(await daemon.call('GET', SESSIONS))[0]?.id;
    assert.equal((await daemon.call('DELETE', `${SESSIONS}/${id}`, undefined, stranger.key)).status, 404);
    const restricted = keyFor(daemon, { id: 1, role: 'viewer' });
    assert.equal((await daemon.call('GET', SESSIONS, undefined, restricted)).status, 403);
    assert.equal((await daemon.call('DELETE', `${SESSIONS}/${id}`, undefined, restricted)).status, 403);
  });

  it('are a hundred at most: the oldest one ends when another begins', async () => {
    const first = await begin();
    const { store } = daemon.core;
    const at = Date.now();
    for (let i = 0; i < 99; i++) {
      const session = { userId: 1, tokenHash: `hash ${i}`, at, expiresAt: at + 1e9, address: '::1', userAgent: null };
      store.tx((tx) => insertSession(tx, session));
    }
    assert.equal((await asking(first, 'GET', SESSIONS)).status, 200);
    await begin();
    assert.equal((await asking(first, 'GET', SESSIONS)).status, 401);
  });
});
