/** Origins and callers that may send messages to the MCP endpoint. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ADMIN, app, bootDaemon, cookieOf, send, signIn, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { connect, ERAS, message, post } from '../support/agent.ts';

const daemon = await bootDaemon();
after(() => daemon[Symbol.asyncDispose]());
const { reference } = await app(daemon);
const { host, port } = new URL(daemon.url);
const list = message('tools/call', { name: 'list_apps', arguments: {} });

describe('an MCP client', () => {
  for (const era of ERAS) {
    it(`lists and calls tools with protocol version ${era}`, async () => {
      await using client = await connect(daemon, daemon.key, era);
      const { tools } = await client.listTools();
      const { structuredContent } = await client.callTool({ name: 'list_apps', arguments: {} });
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      assert.ok(tools.some(({ name }) => name === 'deploy_app'));
      assert.deepEqual(
        (structuredContent as { items: { reference: string }[] }).items.map((one) => one.reference),
        [reference],
      );
    });
  }

  for (const [requested, negotiated] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2024-11-05'],
    // This revision requires batches, which Davit does not support.
    ['2025-03-26', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ] as const) {
    it(`that requests protocol version ${requested} gets ${negotiated}`, async () => {
      const params = { protocolVersion: requested, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
      const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      const answer = await post(daemon, initialize, { 'mcp-protocol-version': undefined, 'mcp-method': undefined });
      assert.equal(answer.status, 200);
      assert.match(answer.text, new RegExp(`"protocolVersion":"${negotiated}"`));
    });
  }
});

describe('the Host and Origin headers of MCP requests', () => {
  const OWN = host;
  /** Host, Origin (undefined: not a browser), and the expected status. */
  const MATRIX: [host: string, origin: string | undefined, status: number][] = [
    [OWN, undefined, 200],
    [OWN, `http://${OWN}`, 200],
    [OWN, 'http://localhost:5173', 200],
    [OWN, 'http://127.0.0.1:6274', 200],
    [OWN, 'http://[::1]:6274', 200],
    [OWN, 'https://davit.test', 200],
    [OWN, 'http://DAVIT.test', 200],
    [OWN, 'http://davit.test:8080', 200],
    [OWN, 'https://evil.example', 403],
    [OWN, 'https://davit.test.evil.example', 403],
    [OWN, 'https://evildavit.test', 403],
    [OWN, 'https://web.production.shop.davit.test', 403],
    [OWN, 'http://web.production.shop.localhost', 403],
    [OWN, 'http://192.0.2.7', 403],
    [OWN, 'null', 403],
    [OWN, '', 403],
    [OWN, 'file://', 403],
    [OWN, 'chrome-extension://abcdefgh', 403],
    [OWN, `http://${OWN}/`, 403],
    [OWN, `http://${OWN}, https://evil.example`, 403],
    ['davit.test', undefined, 200],
    ['davit.test', 'https://davit.test', 200],
    [`localhost:${port}`, undefined, 200],
    [`localhost:${port}`, `http://localhost:${port}`, 200],
    [`[::1]:${port}`, undefined, 200],
    ['evil.example', undefined, 403],
    ['evil.example', 'http://evil.example', 403],
    [`rebound.example:${port}`, `http://rebound.example:${port}`, 403],
    ['davit.test.evil.example', 'https://davit.test', 403],
    ['web.production.shop.davit.test', 'https://web.production.shop.davit.test', 403],
  ];
  it('are tested in 30 combinations', () => assert.equal(MATRIX.length, 30));
  for (const [name, origin, status] of MATRIX) {
    it(`“${name}” and ${origin === undefined ? 'no origin' : `“${origin}”`}: ${status}`, async () => {
      assert.equal((await post(daemon, list, { host: name, origin })).status, status);
    });
  }

  it('are checked before authentication and before the request body', async () => {
    const foreign = { host: 'evil.example' };
    assert.equal((await post(daemon, list, foreign, null)).status, 403);
    assert.equal((await post(daemon, 'no json', { origin: 'https://evil.example' }, null)).status, 403);
    assert.equal(
      (await post(daemon, 'x'.repeat(2 * 1024 * 1024), { ...foreign, 'content-type': 'text/plain' })).status,
      403,
    );
  });
});

describe('authentication of MCP requests', () => {
  it('answers 401 with the URL of the OAuth metadata if credentials are missing', async () => {
    const { status, headers } = await post(daemon, list, {}, null);
    assert.equal(status, 401);
    const at = `${daemon.url}/.well-known/oauth-protected-resource/mcp`;
    assert.equal(headers.get('www-authenticate'), `Bearer resource_metadata="${at}"`);
    assert.equal((await daemon.send({ path: new URL(at).pathname })).status, 200);
  });

  it('answers 401 with the error invalid_token if a bearer token is not valid', async () => {
    const { key, username } = user(daemon, 'viewer');
    const [revoked] = JSON.parse((await daemon.call('GET', `/api/users/${username}/api-keys`)).text);
    await daemon.call('DELETE', `/api/users/${username}/api-keys/${revoked.id}`);
    for (const token of [key, `davit_${'0'.repeat(64)}`, 'davit_short', '', `${daemon.key} ${daemon.key}`]) {
      const { status, headers, text } = await post(daemon, list, { authorization: `Bearer ${token}` }, null);
      assert.equal(status, 401, token);
      assert.match(
        headers.get('www-authenticate') ?? '',
        /^Bearer resource_metadata="[^"]+", error="invalid_token", error_description="[ !#-[\]-~]+"$/,
      );
      assert.match(text, /is not valid/);
    }
  });

  it('answers 401 without an error code if the request has no bearer token', async () => {
    for (const headers of [{}, { cookie: `davit=${daemon.key}` }, { authorization: `Basic ${btoa('a:b')}` }]) {
      const answer = await post(daemon, list, headers, null);
      assert.equal(answer.status, 401);
      assert.doesNotMatch(answer.headers.get('www-authenticate') ?? 'error', /error/);
    }
    assert.match((await post(daemon, list, {}, null)).text, /has no API key and no OAuth token/);
  });

  it('refuses all credentials except an API key in the Authorization header', async () => {
    const cookie = cookieOf(await signIn(daemon, ADMIN, { 'sec-fetch-site': 'same-origin' }));
    const foreign = `davit_${'0'.repeat(64)}`;
    const basic = Buffer.from(`admin:${daemon.key}`).toString('base64');
    const registry = JSON.parse(
      (await daemon.send({ path: '/v2/token', headers: { authorization: `Basic ${basic}` } })).text,
    ).token as string;
    const tries: Record<string, string | undefined>[] = [
      { cookie },
      { cookie: `davit=${daemon.key}` },
      { authorization: `Bearer ${foreign}` },
      { authorization: `Bearer ${registry}` },
      { authorization: `Basic ${basic}` },
      { authorization: daemon.key },
      { authorization: `Token ${daemon.key}` },
      { authorization: `Bearer ${daemon.key} ${daemon.key}` },
      { 'x-api-key': daemon.key },
      { 'davit-via': 'mcp', 'sec-fetch-site': 'same-origin', cookie },
    ];
    for (const headers of tries)
      assert.equal((await post(daemon, list, headers, null)).status, 401, JSON.stringify(headers));
    const inQuery = { method: 'POST', path: `/mcp?key=${daemon.key}`, headers: { 'content-type': 'application/json' } };
    assert.equal((await daemon.send({ ...inQuery, body: JSON.stringify(list) })).status, 401);
  });

  it('refuses a request without a valid key on the local operator’s socket', async () => {
    const socketPath = join(daemon.dataDir, 'davit.sock');
    const sendList = (headers: Record<string, string>) => {
      const all = { 'content-type': 'application/json', ...headers };
      return send({ socketPath }, { method: 'POST', path: '/mcp', headers: all, body: JSON.stringify(list) });
    };
    const anonymous = await sendList({});
    assert.deepEqual([anonymous.status, anonymous.headers.get('www-authenticate')], [401, 'Bearer']);
    const refused = await sendList({ authorization: `Bearer davit_${'0'.repeat(64)}` });
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token", error_description="/);
  });

  it('applies a shared rate limit to MCP messages and API requests', async () => {
    const most = 60;
    const { key } = user(daemon, 'viewer');
    await daemon.call('PATCH', '/api/settings', { api: { requests_per_minute: most } });
    const statuses: number[] = [];
    for (let sent = 0; sent < most / 2; sent += 1) {
      statuses.push((await post(daemon, message('ping'), {}, key)).status);
      statuses.push((await daemon.call('GET', '/api/users/me', undefined, key)).status);
    }
    const tooMany = await until('a message beyond the limit', async () => {
      const answer = await post(daemon, list, {}, key);
      return answer.status === 429 ? answer : null;
    });
    await daemon.call('PATCH', '/api/settings', { api: { requests_per_minute: 600_000 } });
    assert.ok(statuses.every((status) => status !== 429));
    assert.match(tooMany.headers.get('retry-after') ?? '', /^\d+$/);
  });
});
