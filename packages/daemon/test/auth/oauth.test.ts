/** A program requests access from a user, from its first request to its last token. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import { ADMIN, bootDaemon, cookieOf, project, signIn, startClientHost } from '@davit/testkit';
import { tokenCaller } from '../../src/auth/oauth/rights.ts';
import { unchecked } from '../../src/db/select.ts';
import { message, post } from '../support/agent.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REDIRECT = 'http://127.0.0.1:9/callback';

describe('OAuth access of a client', async () => {
  const host = await startClientHost();
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const daemon = await bootDaemon({ now, clients: { ca: host.ca, mayAsk: () => true } });
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    await host[Symbol.asyncDispose]();
  });
  const id = host.describe('/editor.json', { client_name: 'Editor', redirect_uris: ['http://127.0.0.1/callback'] });
  const { origin, host: authority } = new URL(daemon.url);
  const shop = await project(daemon, 'shop');

  const cookie = async (account: { username: string; password: string } = ADMIN) =>
    cookieOf(await signIn(daemon, account));
  const session = await cookie();
  const asPerson = (method: string, path: string, body?: unknown, as = session) =>
    daemon.send({
      method,
      path,
      headers: {
        cookie: as,
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const form = (path: string, fields: Record<string, string>) =>
    daemon.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  const begin = (fields: Record<string, string> = {}) => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: id, redirect_uri: REDIRECT, state: 'xyz' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', resource: `${origin}/mcp` },
      ...fields,
    });
    return { verifier, request: query.toString() };
  };
  const codeOf = (text: string) => new URL((JSON.parse(text) as { redirect_to: string }).redirect_to).searchParams;
  const exchange = (code: string, verifier: string, more: Record<string, string> = {}) =>
    form('/oauth/token', {
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier, client_id: id },
      ...{ redirect_uri: REDIRECT, resource: `${origin}/mcp` },
      ...more,
    });
  /** Runs the whole flow up to the tokens. */
  const letIn = async (consent: object = {}, as = session) => {
    const { verifier, request } = begin();
    const decided = await asPerson('POST', '/api/oauth/consent', { request, allow: true, ...consent }, as);
    assert.equal(decided.status, 200, decided.text);
    const answer = await exchange(codeOf(decided.text).get('code') ?? '', verifier);
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as {
      access_token: string;
      refresh_token: string;
      scope: string;
      expires_in: number;
    };
  };
  const renew = (refreshToken: string) =>
    form('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: id });
  const { store } = daemon.core;
  const log = createLogger({ level: 'error' });
  const callerOf = (token: string) => tokenCaller({ store, now, log }, token, `${origin}/mcp`);

  it('can be discovered from the metadata of the resource and server', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const found = JSON.parse((await daemon.send({ path })).text);
      assert.deepEqual([found.resource, found.authorization_servers], [`${origin}/mcp`, [origin]]);
    }
    const server = JSON.parse((await daemon.send({ path: '/.well-known/oauth-authorization-server' })).text);
    assert.deepEqual(
      [server.issuer, server.authorization_endpoint, server.token_endpoint],
      [origin, `${origin}/oauth/authorize`, `${origin}/oauth/token`],
    );
    assert.deepEqual(server.code_challenge_methods_supported, ['S256']);
    assert.equal(server.client_id_metadata_document_supported, true);
  });

  it('has no metadata under a foreign host name', async () => {
    const answer = await daemon.send({
      path: '/.well-known/oauth-protected-resource',
      headers: { host: 'evil.example' },
    });
    assert.equal(answer.status, 403);
    assert.ok(!answer.text.includes('evil.example'));
  });

  it('shows the user the client, the requested role and the available projects', async () => {
    const { request } = begin({ scope: 'read operate' });
    const review = await asPerson('POST', '/api/oauth/review', { request });
    assert.deepEqual(JSON.parse(review.text), {
      client: { id, name: 'Editor', host: new URL(host.url).host },
      redirect_host: '127.0.0.1:9',
      on_this_machine: true,
      role: 'member',
      roles: ['viewer', 'member', 'admin'],
      projects: [shop],
    });
  });

  it('has only the viewer role unless the user grants more', async () => {
    const { access_token: token, scope, expires_in: life } = await letIn();
    assert.deepEqual([scope, life], ['read', 3_600]);
    const caller = callerOf(token);
    assert.deepEqual(
      [caller?.actor.username, caller?.actor.role, caller?.actor.projects, caller?.actor.via],
      [ADMIN.username, 'viewer', null, 'mcp'],
    );

    const more = await letIn({ role: 'member', projects: [shop] });
    assert.equal(more.scope, 'read operate');
    assert.deepEqual(callerOf(more.access_token)?.actor.role, 'member');
    assert.equal(callerOf(more.access_token)?.actor.projects?.length, 1);
  });

  it('uses tokens that the API does not accept as keys', async () => {
    const { access_token: token } = await letIn({ role: 'admin' });
    assert.equal((await daemon.call('GET', '/api/apps', undefined, token)).status, 401);
  });

  it('returns access_denied if the user refuses the request', async () => {
    const { request } = begin();
    const answer = codeOf((await asPerson('POST', '/api/oauth/consent', { request, allow: false })).text);
    assert.deepEqual([answer.get('error'), answer.get('state'), answer.get('iss')], ['access_denied', 'xyz', origin]);
    assert.equal(answer.get('code'), null);
  });

  it('is refused without a browser session or with more rights than the user', async () => {
    const { request } = begin();
    for (const path of ['/api/oauth/review', '/api/oauth/consent']) {
      const body = path.endsWith('review') ? { request } : { request, allow: true };
      assert.equal((await daemon.call('POST', path, body)).status, 403);
      const anonymous = { 'content-type': 'application/json' };
      assert.equal(
        (await daemon.send({ method: 'POST', path, headers: anonymous, body: JSON.stringify(body) })).status,
        401,
      );
      const elsewhere = { cookie: session, 'sec-fetch-site': 'cross-site', ...anonymous };
      assert.equal(
        (await daemon.send({ method: 'POST', path, headers: elsewhere, body: JSON.stringify(body) })).status,
        403,
      );
    }
    const account = { username: 'vera', password: 'correct horse battery' };
    await daemon.client.createUser({ body: { ...account, role: 'viewer', projects: [shop] } });
    const vera = await cookie(account);
    const tooMuch = await asPerson('POST', '/api/oauth/consent', { request, allow: true, role: 'member' }, vera);
    assert.equal(tooMuch.status, 403);
    const unknown = await asPerson('POST', '/api/oauth/consent', { request, allow: true, projects: ['nothing'] }, vera);
    assert.equal(unknown.status, 400);
    assert.equal(callerOf((await letIn({}, vera)).access_token)?.actor.projects?.length, 1);
  });

  it('exchanges a code once, with its verifier and client, within a minute', async () => {
    const wrong: Record<string, string>[] = [
      { code_verifier: randomBytes(32).toString('base64url') },
      { code_verifier: 'short' },
      { client_id: host.describe('/other.json', { redirect_uris: [REDIRECT] }) },
      { redirect_uri: 'http://127.0.0.1:10/callback' },
      { resource: 'https://other.test/mcp' },
      { code: 'nothing' },
    ];
    const { verifier, request } = begin();
    const decided = await asPerson('POST', '/api/oauth/consent', { request, allow: true });
    const code = codeOf(decided.text).get('code') ?? '';
    for (const fields of wrong) {
      const answer = await exchange(code, verifier, fields);
      assert.deepEqual([answer.status, JSON.parse(answer.text).error], [400, 'invalid_grant'], JSON.stringify(fields));
    }
    const first = await exchange(code, verifier);
    assert.equal(first.status, 200, first.text);
    assert.equal(first.headers.get('cache-control'), 'no-store');
    const { access_token: token } = JSON.parse(first.text);
    assert.notEqual(callerOf(token), null);

    assert.equal((await exchange(code, verifier)).status, 400);
    assert.equal(callerOf(token), null, 'one of the two had stolen it');

    const late = begin();
    const lateCode = codeOf(
      (await asPerson('POST', '/api/oauth/consent', { request: late.request, allow: true })).text,
    );
    aheadMs += 61_000;
    assert.equal((await exchange(lateCode.get('code') ?? '', late.verifier)).status, 400);
  });

  it('renews tokens and revokes all tokens if an old token is reused', async () => {
    const first = await letIn();
    aheadMs += HOUR_MS + 1;
    assert.equal(callerOf(first.access_token), null);
    const second = JSON.parse((await renew(first.refresh_token)).text);
    assert.notEqual(callerOf(second.access_token), null);
    assert.equal((await renew(first.refresh_token)).status, 200, 'the answer may have been lost on the way');

    aheadMs += 31_000;
    assert.equal((await renew(first.refresh_token)).status, 400);
    assert.equal(callerOf(second.access_token), null);
    assert.equal((await renew(second.refresh_token)).status, 400);
  });

  it('revokes all tokens if two renewals use the same token', async () => {
    const first = await letIn();
    const [one, other] = [await renew(first.refresh_token), await renew(first.refresh_token)];
    assert.deepEqual([one.status, other.status], [200, 200], 'one of the answers may have been lost on the way');

    aheadMs += 31_000;
    const { access_token: token } = JSON.parse((await renew(JSON.parse(other.text).refresh_token)).text);
    assert.notEqual(callerOf(token), null);
    assert.equal((await renew(JSON.parse(one.text).refresh_token)).status, 400);
    assert.equal(callerOf(token), null, 'one of the two had stolen it');
  });

  it('is valid only under the host of the authorization request', async () => {
    const { access_token: token } = await letIn();
    const list = (headers: Record<string, string>) => post(daemon, message('tools/list'), headers, token);

    assert.equal((await list({})).status, 200);
    assert.equal((await list({ host: `localhost:${new URL(origin).port}` })).status, 401);
    assert.equal((await list({ 'x-forwarded-proto': 'https' })).status, 401);
  });

  it('limits the stored tokens despite many renewals', async () => {
    const rows = () => store.all(unchecked('SELECT 1 FROM oauth_tokens')).length;
    const before = rows();
    const first = await letIn();
    let newest = first;
    for (let i = 0; i < 120; i += 1) {
      // A higher rate is not allowed.
      if (i % 40 === 0) aheadMs += 60_001;
      newest = JSON.parse((await renew(newest.refresh_token)).text);
    }
    assert.ok(rows() - before <= 100, String(rows() - before));
    aheadMs += 60_001;
    assert.equal((await renew(first.refresh_token)).status, 400);
    assert.notEqual(callerOf(newest.access_token), null);
    assert.equal((await renew(newest.refresh_token)).status, 200);
  });

  it('stays valid while the database cannot be written', async () => {
    const { access_token: token } = await letIn();
    store.tx((tx) =>
      tx.run("CREATE TRIGGER full BEFORE UPDATE ON oauth_grants BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"),
    );
    aheadMs += 61_000;
    assert.equal(callerOf(token)?.actor.username, ADMIN.username);
    store.tx((tx) => tx.run('DROP TRIGGER full'));
  });

  it('ends after a month without use', async () => {
    const { refresh_token: token } = await letIn();
    aheadMs += 31 * DAY_MS;
    assert.equal((await renew(token)).status, 400);
    aheadMs -= 31 * DAY_MS;
  });

  it('is listed for its user and can be ended by the user', async () => {
    const account = { username: 'otto', password: 'correct horse battery' };
    await daemon.client.createUser({ body: { ...account, role: 'member' } });
    const otto = await cookie(account);
    const { access_token: token } = await letIn({ role: 'member', projects: [shop] }, otto);
    const [connection, ...more] = JSON.parse(
      (await asPerson('GET', '/api/users/me/connections', undefined, otto)).text,
    );
    assert.deepEqual(more, []);
    assert.deepEqual(
      [connection.client_name, connection.client_id, connection.role, connection.projects],
      ['Editor', id, 'member', [shop]],
    );
    // A user cannot delete the connections of another user.
    const path = `/api/users/me/connections/${connection.id}`;
    assert.equal((await asPerson('DELETE', path)).status, 404);
    assert.notEqual(callerOf(token), null);

    assert.equal((await asPerson('DELETE', path, undefined, otto)).status, 204);
    assert.equal(callerOf(token), null);
    assert.equal((await asPerson('DELETE', path, undefined, otto)).status, 404);
  });

  describe('after a change of the user account', () => {
    const PASSWORD = 'correct horse battery';
    const make = async (username: string) => {
      const account = { username, password: PASSWORD };
      await daemon.client.createUser({ body: { ...account, role: 'member' } });
      const as = await cookie(account);
      return { as, tokens: await letIn({ role: 'member' }, as) };
    };
    const demandEnded = async (tokens: { access_token: string; refresh_token: string }) => {
      assert.equal(callerOf(tokens.access_token), null);
      assert.equal((await post(daemon, message('tools/list'), {}, tokens.access_token)).status, 401);
      assert.equal((await renew(tokens.refresh_token)).status, 400);
    };

    for (const body of [{ reset_password: true as const }, { password: 'another long password' }, { blocked: true }])
      it(`ends if an admin sets ${Object.keys(body)}`, async () => {
        const username = `reset-${Object.keys(body)[0]?.slice(0, 5)}`.replaceAll('_', '-');
        const { as, tokens } = await make(username);
        const { verifier, request } = begin();
        const code = codeOf((await asPerson('POST', '/api/oauth/consent', { request, allow: true }, as)).text);
        await daemon.client.patchUser({ params: { user: username }, body });
        await daemon.client.patchUser({ params: { user: username }, body: { blocked: false } });
        await demandEnded(tokens);
        assert.equal((await exchange(code.get('code') ?? '', verifier)).status, 400);
      });

    it('ends if the user changes the password', async () => {
      const { as, tokens } = await make('olga');
      const change = { current_password: PASSWORD, new_password: 'another long password' };
      const changed = await asPerson('PUT', '/api/users/me/password', change, as);
      assert.equal(changed.status, 204);
      await demandEnded(tokens);
      const renewed = cookieOf(changed);
      assert.equal((await asPerson('GET', '/api/users/me/connections', undefined, renewed)).text, '[]');
    });
  });

  it('can be listed and ended by an admin, but not by a member', async () => {
    const account = { username: 'nina', password: 'correct horse battery' };
    await daemon.client.createUser({ body: { ...account, role: 'member' } });
    const nina = await cookie(account);
    const { access_token: token, refresh_token: refresh } = await letIn({ role: 'member' }, nina);
    const [connection, ...more] = await daemon.client.listUserConnections({ params: { user: 'nina' } });
    assert.deepEqual([connection?.client_id, connection?.role, more], [id, 'member', []]);

    const path = `/api/users/nina/connections/${connection?.id}`;
    assert.equal((await asPerson('GET', '/api/users/nina/connections', undefined, nina)).status, 403);
    assert.equal((await asPerson('DELETE', path, undefined, nina)).status, 403);
    assert.equal((await asPerson('DELETE', `/api/users/${ADMIN.username}/connections/${connection?.id}`)).status, 404);
    for (const number of ['0', 'x', '-1'])
      assert.equal((await asPerson('DELETE', `/api/users/nina/connections/${number}`)).status, 404);
    assert.notEqual(callerOf(token), null);

    assert.equal((await asPerson('DELETE', path)).status, 204);
    assert.equal(callerOf(token), null);
    assert.equal((await renew(refresh)).status, 400);
    assert.equal((await asPerson('DELETE', path)).status, 404);
  });

  it('is limited to the current rights of its user', async () => {
    const account = { username: 'mia', password: 'correct horse battery' };
    await daemon.client.createUser({ body: { ...account, role: 'member' } });
    const mia = await cookie(account);
    const { access_token: token, refresh_token: refresh } = await letIn({ role: 'member' }, mia);
    await daemon.client.patchUser({ params: { user: 'mia' }, body: { role: 'viewer', projects: [shop] } });
    assert.deepEqual([callerOf(token)?.actor.role, callerOf(token)?.actor.projects?.length], ['viewer', 1]);
    await daemon.client.patchUser({ params: { user: 'mia' }, body: { blocked: true } });
    assert.equal(callerOf(token), null);
    assert.equal((await renew(refresh)).status, 400);
    await daemon.client.deleteUser({ params: { user: 'mia' } });
    assert.equal(callerOf(token), null);
  });

  it('ends if the client revokes the refresh token', async () => {
    const tokens = await letIn();
    assert.equal((await form('/oauth/revoke', { token: tokens.refresh_token })).status, 200);
    assert.equal(callerOf(tokens.access_token), null);
    assert.equal((await form('/oauth/revoke', { token: 'unknown' })).status, 200);
  });

  it('returns protocol error codes for invalid token requests', async () => {
    const json = await daemon.send({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    assert.deepEqual([json.status, JSON.parse(json.text).error], [400, 'invalid_request']);
    const cases: [Record<string, string>, string][] = [
      [{}, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: 'authorization_code' }, 'invalid_grant'],
      [{ grant_type: 'refresh_token' }, 'invalid_grant'],
    ];
    for (const [fields, error] of cases) {
      const answer = await form('/oauth/token', { a: 'b', ...fields });
      assert.deepEqual([answer.status, JSON.parse(answer.text).error], [400, error]);
    }
    const twice = await daemon.send({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&grant_type=password',
    });
    assert.equal(JSON.parse(twice.text).error, 'invalid_request');
  });

  it('leaves no token in the log or database', async () => {
    const { access_token: token, refresh_token: refresh } = await letIn();
    const kept =
      JSON.stringify(daemon.core.store.all(unchecked('SELECT * FROM oauth_tokens'))) + daemon.log.lines.join('');
    assert.ok(!kept.includes(token.slice(6)) && !kept.includes(refresh.slice(6)));
    assert.ok(authority.length > 0);
  });
});
