/** Effects of a host's rules on requests before its app gets them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Proxy, RouteHost, RouteRules, RouteTable } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp, type TestApp } from '../../support/proxy-apps.ts';
import { openSocket } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, rules, server, tableOf } from '../../support/proxy-harness.ts';
import { type Answer, serverOf } from '../../support/proxy-load.ts';

const HOST = 'ruled.localhost';
const SALT = 'sålt|&%';
const TEXT = 'text/plain; charset=utf-8';

function hashOf(user: string): string {
  return createHash('sha256').update(`${SALT}${user}`).digest('hex');
}

function basic(user: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(user).toString('base64')}` };
}

describe('the rules of a host', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let app: TestApp;
  let other: TestApp;

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    [app, other] = [await startApp(), await startApp()];
    await proxy.ensure(table());
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const table = (...hosts: RouteHost[]): RouteTable => ({
    ...tableOf(backend(1, [server(app)]), backend(2, [server(other)])),
    hosts: [{ host: 'free.localhost', slot: 1 }, ...hosts],
  });
  const rule = (some: Partial<RouteRules>, host = HOST) => proxy.sync(table({ host, slot: 1, rules: rules(some) }));
  const bodyOf = (answer: Answer) => JSON.parse(answer.text) as { headers: Record<string, string> };

  it('redirect to HTTPS on the same host with path and query', async () => {
    await rule({ httpsOnly: true, hsts: 'max-age=31536000; includeSubDomains' });
    const to = `https://${HOST}:${harness.httpsPort}`;

    for (const [path, location] of [
      ['/', `${to}/`],
      ['/a/b?c=d&e=%2F', `${to}/a/b?c=d&e=%2F`],
      ['//evil.example/x', `${to}//evil.example/x`],
      ['/\\evil.example', `${to}/\\evil.example`],
    ] as const) {
      const { status, headers } = await harness.get(`${HOST.toUpperCase()}:${harness.port}`, { path });
      assert.deepEqual([status, headers.location], [308, location]);
      assert.equal(headers['strict-transport-security'], undefined);
    }
    const secure = await harness.getSecurely(HOST);
    assert.equal(serverOf(secure), app.name);
    assert.equal(secure.headers['strict-transport-security'], 'max-age=31536000; includeSubDomains');
    assert.equal((await harness.get('evil.example')).status, 404);
    assert.equal(serverOf(await harness.get('free.localhost')), app.name);
  });

  it('redirect to another host with the requested scheme, or HTTPS if required', async () => {
    await rule({ redirectTo: 'apex.example' });
    const [plain, secure] = [
      await harness.get(HOST, { path: '/x?y' }),
      await harness.getSecurely(HOST, { path: '/x?y' }),
    ];
    await rule({ redirectTo: 'apex.example', httpsOnly: true });
    const direct = await harness.get(HOST, { path: '/x?y' });

    assert.deepEqual([plain.status, plain.headers.location], [308, `http://apex.example:${harness.port}/x?y`]);
    assert.equal(secure.headers.location, `https://apex.example:${harness.httpsPort}/x?y`);
    assert.equal(direct.headers.location, `https://apex.example:${harness.httpsPort}/x?y`);
  });

  it('accept clients with a valid password and hide the password from the app', async () => {
    await rule({ basicAuth: { salt: SALT, hashes: [hashOf('ada:s3cret:with:colons'), hashOf('bob:pässword')] } });

    for (const user of ['ada:s3cret:with:colons', 'bob:pässword']) {
      const answer = await harness.getSecurely(HOST, { headers: basic(user) });
      assert.equal(serverOf(answer), app.name);
      assert.equal(bodyOf(answer).headers.authorization, undefined);
    }
    for (const headers of [
      {},
      basic('ada:wrong'),
      basic('ada'),
      basic(''),
      { authorization: 'Basic !!!' },
      { authorization: 'x' },
    ]) {
      const answer = await harness.get(HOST, { headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers['content-type'], TEXT);
      assert.equal(answer.headers['www-authenticate'], 'Basic realm="This host", charset="UTF-8"');
    }
    const bearer = await harness.get('free.localhost', { headers: { authorization: 'Bearer x' } });
    assert.equal(bodyOf(bearer).headers.authorization, 'Bearer x');
    await rule({ basicAuth: { salt: SALT, hashes: [] } });
    assert.equal((await harness.get(HOST, { headers: basic('ada:s3cret:with:colons') })).status, 401);
  });

  it('allow addresses of the connection and ignore forwarding headers of the client', async () => {
    await rule({ allow: ['10.0.0.0/8', '127.0.0.2/32', 'fd00::/8'] });
    const spoofed = { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1', forwarded: 'for=10.0.0.1' };

    const [from1, from2] = [
      await harness.get(HOST, { headers: spoofed }),
      await harness.get(HOST, { localAddress: '127.0.0.2' }),
    ];
    await rule({ allow: ['127.0.0.0/30'] });
    const inside = await harness.get(HOST, { localAddress: '127.0.0.3' });
    const outside = await harness.get(HOST, { localAddress: '127.0.0.4' });

    assert.deepEqual([from1.status, from1.headers['content-type']], [403, TEXT]);
    assert.deepEqual([serverOf(from2), serverOf(inside), outside.status], [app.name, app.name, 403]);
  });

  it('limit requests per minute for each address and host', async () => {
    await rule({ requestsPerMinute: 5 });

    const answers: Answer[] = [];
    for (let n = 0; n < 8; n += 1) answers.push(await harness.get(HOST, { localAddress: '127.0.0.9' }));
    const [elsewhere, free] = [
      await harness.get(HOST),
      await harness.get('free.localhost', { localAddress: '127.0.0.9' }),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429, 429, 429],
    );
    assert.deepEqual([answers[5]?.headers['retry-after'], answers[5]?.headers['content-type']], ['60', TEXT]);
    assert.deepEqual([elsewhere.status, free.status], [200, 200]);
  });

  it('return the maintenance message as text, or as HTML to browsers', async () => {
    const sentence = `Zurück um 5 % nach "drei" <b>&amp; %[src] \${HOME} \\n 'heute'`;
    await rule({ maintenance: sentence, basicAuth: { salt: SALT, hashes: [] } });

    const [text, page] = [
      await harness.get(HOST),
      await harness.getSecurely(HOST, { headers: { accept: 'text/html,*/*;q=0.8' } }),
    ];

    assert.deepEqual([text.status, text.text, text.headers['content-type']], [503, `${sentence}\n`, TEXT]);
    assert.deepEqual([page.status, page.headers['content-type']], [503, 'text/html; charset=utf-8']);
    assert.match(
      page.text,
      /<p>Zurück um 5 % nach &quot;drei&quot; &lt;b&gt;&amp;amp; %\[src\] \$\{HOME\} \\n &#39;heute&#39;<\/p>/,
    );
    assert.deepEqual([text.headers['retry-after'], page.headers['retry-after']], ['300', '300']);
  });

  it('set and remove headers on every response of the app', async () => {
    await rule({
      headers: { 'X-Frame-Options': 'DENY', 'x-odd': `a=b&c;%41 "'\\,|`, 'Content-Type': '', server: 'x' },
    });

    for (const { headers } of [await harness.get(HOST), await harness.getSecurely(HOST)]) {
      assert.partialDeepStrictEqual(headers, { 'x-frame-options': 'DENY', 'x-odd': `a=b&c;%41 "'\\,|`, server: 'x' });
      assert.equal(headers['content-type'], undefined);
    }
  });

  it('apply and end immediately, in a fixed order, without a reload', async () => {
    await using socket = await openSocket(harness.port, 'free.localhost');

    await rule({ redirectTo: 'apex.example', allow: ['10.0.0.1'] });
    assert.equal((await harness.get(HOST)).status, 308);
    await rule({ allow: ['10.0.0.1'], maintenance: 'Soon.' });
    assert.equal((await harness.get(HOST)).status, 403);
    await rule({ maintenance: 'Soon.', basicAuth: { salt: 'x', hashes: [] } });
    assert.equal((await harness.get(HOST)).status, 503);
    await rule({});
    assert.equal(serverOf(await harness.get(HOST)), app.name);

    await socket.assertOpen();
    assert.equal((await proxy.status()).reloads, 0);
    assert.deepEqual(
      harness.log.filter((line) => line.includes('refused')),
      [],
    );
  });

  it('apply to all requests below a path, and the longest path wins', async () => {
    await proxy.sync(
      table(
        { host: HOST, slot: 1 },
        { host: HOST, path: '/shop', slot: 2 },
        { host: HOST, path: '/shop/admin', slot: 2, rules: rules({ allow: ['10.0.0.1'] }) },
        { host: HOST, path: '/closed', slot: 1, rules: rules({ maintenance: 'Soon.' }) },
      ),
    );
    const where = async (path: string) => {
      const answer = await harness.get(HOST, { path });
      return answer.status === 200 ? serverOf(answer) : answer.status;
    };
    const expected: [string | number, string[]][] = [
      [app.name, ['/', '/shopping', '/sho', '/a/shop', '/Shop', '/shop-x', '/%73hopping', '/close']],
      [
        other.name,
        [
          '/shop',
          '/shop/',
          '/shop?x',
          '/shop/x',
          '/%73hop',
          '/shop/a%20b',
          '/shop/100%25',
          '/shop/50%25off',
          '/shop/%C3%80',
          '/shop/voil%C3%A0',
          '/shop/c%23',
          '/shop/a%2Fb',
          '/shop//x',
          '/shop;a=b/x',
          '/shop/adm',
        ],
      ],
      [
        403,
        [
          '/shop/admin',
          '/shop/admin/x',
          '/shop//admin',
          '/shop/%61dmin',
          '/shop%2fadmin',
          '/shop/admin;x',
          '/shop\\admin',
          '/shop/admin%3Fx',
          '/shop/admin%23',
          '/shop/admin%A0',
        ],
      ],
      [400, ['/x/../shop/admin', '/shop/./admin', '/shop/%2e%2e/x', '/shop/x/..', '/..;/shop']],
      [
        400,
        ['//shop', '//shop/admin', '//ruled.localhost/shop/admin', '/%2fx/shop/admin', '/\\x/shop/admin', '/%5cx/y'],
      ],
      [
        400,
        ['/%00/shop/admin', '/shop/admin%00', '/shop/admin%20', '/%20shop/admin', '/shop/adm%09in', '/shop/admin\x7f'],
      ],
      [400, ['/shop/%2561dmin', '/shop/%252561dmin', '/shop/%61dmin/%zz', '/shop/%61dmin%', '/shop/%u0061dmin']],
      [503, ['/closed', '/closed/x']],
    ];

    for (const [answer, paths] of expected) for (const path of paths) assert.equal(await where(path), answer, path);
    assert.equal(other.seen.at(-1), '/shop/adm');
    assert.equal((await harness.get('free.localhost', { path: '/a/../b' })).status, 200);
  });

  it('move a path between two apps when the route table changes', async () => {
    const at = (slot: number) => table({ host: HOST, slot: 1 }, { host: HOST, path: '/p', slot });
    await proxy.sync(at(2));
    await proxy.sync(at(1));
    assert.equal(serverOf(await harness.get(HOST, { path: '/p' })), app.name);
    await proxy.sync(at(2));
    assert.equal(serverOf(await harness.get(HOST, { path: '/p' })), other.name);
  });

  it('apply to the instance’s own host', async () => {
    const own = { ...table(), api: { address: '127.0.0.1', port: app.port } };
    await proxy.sync({ ...own, domainRules: rules({ httpsOnly: true, hsts: 'max-age=60' }) });

    assert.equal((await harness.get('localhost')).headers.location, `https://localhost:${harness.httpsPort}/`);
    assert.equal((await harness.getSecurely('localhost')).headers['strict-transport-security'], 'max-age=60');
  });
});
