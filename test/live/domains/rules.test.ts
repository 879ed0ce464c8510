/** Rules of domains, through the proxy of a whole instance. */

import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { Domain, DomainCreate, DomainPatch } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import type { z } from 'zod';
import { requestSteadily } from '../../support/ask-steadily.ts';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('a live instance with domain rules', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let app: LiveApp;
  let neighbour: LiveApp;

  before(async () => {
    harness = await LiveHarness.create();
    app = await harness.deployedApp();
    neighbour = await harness.deployedApp({ project: app.params.project, name: 'api' }, 'v2');
  });
  after(() => harness?.[Symbol.asyncDispose]());

  const add = (body: z.input<typeof DomainCreate>, of = app): Promise<Domain> =>
    harness.client.addDomain({ params: of.params, body });
  const patch = ({ id }: Domain, body: DomainPatch): Promise<Domain> =>
    harness.client.patchDomain({ params: { ...app.params, domain: String(id) }, body });

  /** Sends one request over plain HTTP, on a separate connection. */
  async function get(host: string, path = '/', headers: Record<string, string> = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number;
      headers: IncomingHttpHeaders;
      text: string;
    }>();
    const to = { host: '127.0.0.1', port: harness.instance.httpPort, path, agent: false as const };
    const clientRequest = request({ ...to, headers: { host, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    clientRequest.on('error', reject);
    clientRequest.end();
    return promise;
  }

  test('redirects a host to another host with the same path and query', async () => {
    await add({ host: 'shop.example' });
    await add({ host: 'www.shop.example', redirect_to: 'shop.example' });

    const { status, headers } = await get('WWW.shop.example.', '/a/b?c=d');

    assert.equal(status, 308);
    assert.equal(headers.location, `http://shop.example:${harness.instance.httpPort}/a/b?c=d`);
    assert.match((await get('shop.example')).text, /^v1 /);
  });

  test('redirects plain HTTP to HTTPS if the domain allows only HTTPS', async () => {
    const domain = await add({ host: 'secure.example', https: 'only' });

    const { status, headers } = await get('secure.example', '/a?b=c');
    await patch(domain, { https: 'auto' });

    assert.equal(status, 308);
    assert.equal(headers.location, `https://secure.example:${harness.instance.httpsPort}/a?b=c`);
    assert.equal((await get('secure.example')).status, 200);
  });

  test('routes paths of a host to different apps, the longest path first', async () => {
    await add({ host: 'both.example' });
    await add({ host: 'both.example', path: '/environ' }, neighbour);

    assert.match((await get('both.example', '/')).text, /^v1 /);
    assert.match((await get('both.example', '/environ')).text, /DAVIT_TAG=v2/);
    assert.equal((await get('both.example', '/environment')).status, 404);
    assert.match((await get('both.example', '/%65nviron')).text, /DAVIT_TAG=v2/);
  });

  test('requires a password and applies changes of the users immediately', inLong, async () => {
    const domain = await add({ host: 'locked.example', basic_auth: { users: { ada: 'pässword', 'b o b': 'x y' } } });
    const as = (user: string, password: string) =>
      get('locked.example', '/', { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` });

    const anonymous = await get('locked.example');
    const inside = await as('ada', 'pässword');
    const wrong = await as('ada', 'password');
    const spaces = await as('b o b', 'x y');
    await patch(domain, { basic_auth: { users: { ada: null, eve: 'new' } } });

    assert.equal(anonymous.status, 401);
    assert.match(anonymous.headers['www-authenticate'] ?? '', /^Basic /);
    assert.deepEqual([inside.status, wrong.status, spaces.status], [200, 401, 200]);
    assert.deepEqual(
      (await Promise.all([as('ada', 'pässword'), as('eve', 'new'), as('b o b', 'x y')])).map(({ status }) => status),
      [401, 200, 200],
    );
  });

  test('refuses clients outside the allowed address ranges', inLong, async () => {
    const domain = await add({ host: 'listed.example', allow: ['203.0.113.0/24', '2001:db8::/32'] });

    const outside = await get('listed.example', '/', { 'x-forwarded-for': '203.0.113.5' });
    await patch(domain, { allow: ['127.1.2.3/8'] });

    assert.equal(outside.status, 403);
    assert.equal((await get('listed.example')).status, 200);
  });

  test('returns 429 to a client that exceeds the rate limit', inLong, async () => {
    await add({ host: 'rare.example', rate_limit: { requests_per_minute: 5 } });

    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await get('rare.example')).status);

    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
    assert.equal((await get('shop.example')).status, 200);
  });

  test('shows the maintenance message with status 503 until maintenance ends', inLong, async () => {
    const message = 'Back at 5 pm; „<b>sorry</b>“ & 100 % sure';
    const domain = await add({ host: 'closed.example', maintenance: { message } });

    const page = await get('closed.example', '/', { accept: 'text/html' });
    const text = await get('closed.example', '/');
    await patch(domain, { maintenance: null });

    assert.deepEqual([page.status, text.status], [503, 503]);
    assert.ok(page.text.includes('&lt;b&gt;sorry') && !page.text.includes('<b>'));
    assert.ok(text.text.startsWith(message));
    assert.equal((await get('closed.example')).status, 200);
  });

  test('sets, replaces and removes response headers', inLong, async () => {
    const headers = { 'X-Frame-Options': 'DENY', 'content-type': 'text/x-own; q="1%"', 'Last-Modified': '' };
    await add({ host: 'headers.example', headers });

    const answer = await get('headers.example');

    assert.equal(answer.headers['x-frame-options'], 'DENY');
    assert.equal(answer.headers['content-type'], 'text/x-own; q="1%"');
    assert.equal(answer.headers['last-modified'], undefined);
    assert.notEqual((await get('shop.example')).headers['last-modified'], undefined);
  });

  test('loses no request while the rules of a host change under load', async () => {
    const host = 'busy.example';
    const domain = await add({ host });
    const steady = requestSteadily({ get: () => harness.get(host) } as LiveApp, ({ status }) => status === 200);

    for (let n = 0; n < 30; n += 1) {
      await patch(domain, {
        headers: { 'x-number': String(n) },
        allow: n % 2 ? ['127.0.0.0/8'] : ['0.0.0.0/0', '::/0'],
        rate_limit: { requests_per_minute: 100_000 + n },
        path: null,
      });
      await add({ host, path: `/p${n}` }, neighbour);
    }
    const { sent, wrong } = await steady.stop();

    assert.deepEqual(wrong, []);
    assert.ok(sent > 0);
    const { headers } = await until(
      'the last change is there',
      () => get(host),
      (answer) => answer.headers['x-number'] === '29',
    );
    assert.equal(headers['x-number'], '29');
  });
});
