/** Sessions of a user. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { UserSession } from '@davit/api';
import { ADMIN, type Answer, bootDaemon, cookieOf, keyFor, app as makeApp, signIn, user } from '@davit/testkit';
import { deleteSessionsOfUser, insertSession } from '../../src/db/tables/session.ts';

const parse = <T>(answer: Answer) => JSON.parse(answer.text) as T;

describe('sessions of a user', async () => {
  const daemon = await bootDaemon();
  after(() => daemon[Symbol.asyncDispose]());
  const SESSIONS = '/api/users/me/sessions';
  const sendWithCookie = (cookie: string, method: string, path: string, headers = {}) =>
    daemon.send({ method, path, headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers } });
  const begin = async (headers = {}) => cookieOf(await signIn(daemon, ADMIN, headers));

  it('are listed with address, user agent and a marker of the current session', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const cookie = await begin({ 'user-agent': 'Browser\t1', ...from });
    const listed = parse<UserSession[]>(await sendWithCookie(cookie, 'GET', SESSIONS, from));
    const mine = listed.filter(({ current }) => current);
    assert.deepEqual(
      mine.map(({ address, user_agent }) => [address, user_agent]),
      [['203.0.113.9', 'Browser 1']],
    );
    assert.equal(listed.length, 2);
    const byKey = parse<UserSession[]>(await daemon.call('GET', SESSIONS));
    assert.ok(byKey.every(({ current }) => !current));
  });

  describe('without TLS', () => {
    const by = (address: string, proto = 'http') => ({ 'x-forwarded-for': address, 'x-forwarded-proto': proto });
    const HERE = '203.0.113.9';
    const status = async (cookie: string, headers: object) =>
      (await sendWithCookie(cookie, 'GET', '/api/users/me', headers)).status;
    const secure = (cookie: string) => cookie.replace(/^(__Host-)?/, '__Host-');

    it('are valid only from the address of the login', async () => {
      const cookie = await begin(by(HERE));
      assert.match(cookie, /^davit_session=/);
      assert.equal(await status(cookie, by(HERE)), 200);
      for (const other of ['203.0.113.10', '10.208.3.4', '172.17.0.1', '::ffff:203.0.113.10', '2001:db8::9'])
        assert.equal(await status(cookie, by(other)), 401, other);
      assert.equal(await status(cookie, {}), 401, 'this server');
      assert.equal(await status(cookie, by(`::ffff:${HERE}`)), 200);
      assert.equal(await status(cookie, by(HERE)), 200, 'it goes on');
    });

    it('are not valid over TLS, and TLS sessions have no address limit', async () => {
      const cookie = await begin(by(HERE));
      assert.equal(await status(secure(cookie), by(HERE, 'https')), 401);
      const host = 'davit.test';
      const other = await begin({ ...by(HERE, 'https'), host });
      assert.match(other, /^__Host-davit_session=/);
      assert.equal(await status(other, { ...by('203.0.113.10', 'https'), host }), 200);
    });

    it('stay valid between loopback families and within an IPv6 network', async () => {
      const local = await begin(by('127.0.0.1'));
      assert.equal(await status(local, by('::1')), 200);
      const six = await begin(by('2001:db8:1:2::9'));
      assert.equal(await status(six, by('2001:db8:1:2::77')), 200);
      assert.equal(await status(six, by('2001:db8:1:3::9')), 401);
    });

    it('cause a warning while apps publish ports', async () => {
      const warnings = async () =>
        (await daemon.client.getInstance()).warnings.filter((text) => text.includes('without TLS'));
      await begin();
      assert.deepEqual(await warnings(), []);
      const app = await makeApp(daemon);
      await daemon.call('POST', `/api/apps/${app.reference}/tcp-ports`, { container_port: 5432 });
      assert.match((await warnings()).join(), /publish the port 17\d{3} of the server/);
      daemon.core.store.tx((tx) => deleteSessionsOfUser(tx, 1));
      assert.deepEqual(await warnings(), []);
    });
  });

  it('can be ended individually, including the current session', async () => {
    const [mine, other] = [await begin(), await begin()];
    const listed = parse<UserSession[]>(await sendWithCookie(other, 'GET', SESSIONS));
    const otherId = listed.find(({ current }) => current)?.id;
    assert.equal((await sendWithCookie(mine, 'DELETE', `${SESSIONS}/${otherId}`)).status, 204);
    assert.equal((await sendWithCookie(other, 'GET', SESSIONS)).status, 401);
    assert.equal((await sendWithCookie(mine, 'DELETE', `${SESSIONS}/${otherId}`)).status, 404);
    const mineId = parse<UserSession[]>(await sendWithCookie(mine, 'GET', SESSIONS)).find(({ current }) => current)?.id;
    assert.equal((await sendWithCookie(mine, 'DELETE', `${SESSIONS}/${mineId}`)).status, 204);
    assert.equal((await sendWithCookie(mine, 'GET', SESSIONS)).status, 401);
  });

  it('end after a new login in the same browser, but not after a failure', async () => {
    const [mine, other] = [await begin(), await begin()];
    const wrong = { ...ADMIN, password: 'not the password at all' };
    assert.equal((await signIn(daemon, wrong, { cookie: mine })).status, 401);
    assert.equal((await sendWithCookie(mine, 'GET', SESSIONS)).status, 200);
    const next = await begin({ cookie: mine });
    assert.equal((await sendWithCookie(mine, 'GET', SESSIONS)).status, 401);
    assert.equal((await sendWithCookie(next, 'GET', SESSIONS)).status, 200);
    assert.equal((await sendWithCookie(other, 'GET', SESSIONS)).status, 200);
  });

  it('cannot be ended by another user or a restricted key', async () => {
    const stranger = user(daemon, 'admin');
    const id = parse<UserSession[]>(await daemon.call('GET', SESSIONS))[0]?.id;
    assert.equal((await daemon.call('DELETE', `${SESSIONS}/${id}`, undefined, stranger.key)).status, 404);
    const restricted = keyFor(daemon, { id: 1, role: 'viewer' });
    assert.equal((await daemon.call('GET', SESSIONS, undefined, restricted)).status, 403);
    assert.equal((await daemon.call('DELETE', `${SESSIONS}/${id}`, undefined, restricted)).status, 403);
  });

  it('are limited to a hundred, and a new session ends the oldest', async () => {
    const first = await begin();
    const { store } = daemon.core;
    const at = Date.now();
    for (let i = 0; i < 99; i++) {
      const session = { userId: 1, tokenHash: `hash ${i}`, at, expiresAt: at + 1e9, address: '::1', userAgent: null };
      store.tx((tx) => insertSession(tx, session));
    }
    assert.equal((await sendWithCookie(first, 'GET', SESSIONS)).status, 200);
    await begin();
    assert.equal((await sendWithCookie(first, 'GET', SESSIONS)).status, 401);
  });
});
