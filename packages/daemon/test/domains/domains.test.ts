/** Domains and their rules, through the API. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bootDaemon, type TestDaemon } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';

const DOMAINS = '/api/apps/shop/production/web/domains';
const SECRET = 'correct-horse-9471';

async function booted(): Promise<TestDaemon> {
  const daemon = await bootDaemon();
  await daemon.client.createProject({ body: { slug: 'shop' } });
  for (const name of ['web', 'api']) {
    await daemon.client.createApp({ body: { project: 'shop', name, source: 'image', image: 'acme/web' } });
  }
  return daemon;
}

const rulesOf = (daemon: TestDaemon, host: string) =>
  daemon.proxy.table()?.hosts.find((one) => one.host === host)?.rules;

describe('domains API', () => {
  for (const [what, body, message] of [
    ['a path with a query', { path: '/a?b' }, /^path: /],
    ['a path with encoded parent segments', { path: '/a/%2e%2e/b' }, /^path: /],
    ['a path without a leading slash', { path: 'shop' }, /^path: The path must begin/],
    ['a redirect to a URL with a scheme', { redirect_to: 'https://a.example' }, /^redirect_to: /],
    ['a redirect to a host with a port', { redirect_to: 'a.example:80' }, /^redirect_to: /],
    [
      'a redirect to itself',
      { redirect_to: 'SHOP.example.' },
      /^redirect_to: A domain cannot be redirected to its own host/,
    ],
    ['basic auth without users', { basic_auth: { users: {} } }, /^basic_auth\.users: must have at least one user/],
    [
      'a basic auth user name with a colon',
      { basic_auth: { users: { 'a:b': 'c' } } },
      /^basic_auth\.users\.a:b: the name must/,
    ],
    ['an empty password', { basic_auth: { users: { a: '' } } }, /^basic_auth\.users\.a: /],
    ['a password that is not a string', { basic_auth: { users: { a: 1 } } }, /^basic_auth\.users\.a: /],
    ['an invalid address', { allow: ['10.0.0.0/33'] }, /^allow\.0: /],
    [
      'too many addresses',
      { allow: Array.from({ length: 1_001 }, () => '10.0.0.1') },
      /^allow: must have at most 1000/,
    ],
    ['a rate limit of zero', { rate_limit: { requests_per_minute: 0 } }, /^rate_limit\.requests_per_minute: /],
    ['the header Content-Length', { headers: { 'Content-Length': '0' } }, /^headers\.Content-Length: /],
    ['the header Set-Cookie', { headers: { 'set-cookie': 'a=b' } }, /^headers\.set-cookie: /],
    ['a header value with a line break', { headers: { 'x-a': 'a\r\nb: c' } }, /^headers\.x-a: /],
    [
      'a duplicate header',
      { headers: { 'X-A': '1', 'x-a': '2' } },
      /^headers: The headers contain the same name twice/,
    ],
    ['HSTS preload without subdomains', { hsts: { preload: true } }, /^hsts\.preload: /],
    [
      'a maintenance message that is too long',
      { maintenance: { message: 'a'.repeat(501) } },
      /^maintenance\.message: /,
    ],
    ['a maintenance message with a line break', { maintenance: { message: 'a\nb' } }, /^maintenance\.message: /],
    ['an unknown HTTPS mode', { https: 'never' }, /^https: must be one of auto, only, both/],
    ['an unknown field', { basicAuth: null }, /is not a field of this request/],
  ] as const) {
    it(`refuses a domain with ${what} and reports the reason`, async () => {
      await using daemon = await booted();

      const { status, text } = await daemon.call('POST', DOMAINS, { host: 'shop.example', ...body });

      assert.equal(status, 400, text);
      assert.match(text, message);
      assert.deepEqual(JSON.parse((await daemon.call('GET', DOMAINS)).text), []);
    });
  }

  it('returns a created domain with defaults and normalized values', async () => {
    await using daemon = await booted();
    const sent = {
      host: 'Shop.Example',
      path: '/%73hop/',
      hsts: {},
      allow: ['10.1.2.3/8', '10.9.9.9/8'],
      maintenance: {},
      headers: { 'X-A': 'b' },
      rate_limit: { requests_per_minute: 9 },
    };

    const { text } = await daemon.call('POST', DOMAINS, sent);

    const { id, created_at: _, certificate, ...returned } = JSON.parse(text);
    assert.deepEqual(returned, {
      host: 'shop.example',
      path: '/shop',
      port: null,
      protocol: 'http',
      https: 'auto',
      hsts: { max_age_s: 15_768_000, include_subdomains: false, preload: false },
      redirect_to: null,
      basic_auth: null,
      allow: ['10.0.0.0/8'],
      rate_limit: { requests_per_minute: 9 },
      maintenance: { message: 'This site is being worked on; please come back soon.' },
      headers: { 'x-a': 'b' },
    });
    assert.equal(certificate.status, 'none');
    assert.equal((await daemon.call('GET', `${DOMAINS}/${id}`)).text, text);
  });

  it('updates a domain with a merge patch and applies the rules immediately', async () => {
    await using daemon = await booted();
    const made = JSON.parse((await daemon.call('POST', DOMAINS, { host: 'a.example', headers: { a: '1' } })).text);

    const patch = { headers: { a: null, B: '2' }, rate_limit: { requests_per_minute: 5 }, https: 'only' };
    const { status, text } = await daemon.call('PATCH', `${DOMAINS}/${made.id}`, patch);
    const again = await daemon.call('PATCH', `${DOMAINS}/${made.id}`, { https: null, rate_limit: null });

    assert.equal(status, 200, text);
    const changed = { ...made, headers: { b: '2' }, rate_limit: { requests_per_minute: 5 }, https: 'only' };
    assert.deepEqual(JSON.parse(text), changed);
    assert.deepEqual(JSON.parse(again.text), { ...changed, https: 'auto', rate_limit: null });
    assert.deepEqual(rulesOf(daemon, 'a.example')?.headers, { b: '2' });
  });

  it('refuses to change the host of a domain', async () => {
    await using daemon = await booted();
    const { id } = JSON.parse((await daemon.call('POST', DOMAINS, { host: 'a.example' })).text);

    const { status, text } = await daemon.call('PATCH', `${DOMAINS}/${id}`, { host: 'b.example' });

    assert.equal(status, 400);
    assert.match(text, /host: is not a field/);
  });

  it('keeps passwords out of responses, events, the audit log and the daemon log', async () => {
    await using daemon = await booted();
    const body = { host: 'a.example', basic_auth: { users: { ada: SECRET } } };
    const key = { 'idempotency-key': 'one' };

    const answers = [
      await daemon.ask('POST', DOMAINS, key, body),
      await daemon.ask('POST', DOMAINS, key, body),
      await daemon.call('POST', DOMAINS, body),
      await daemon.call('POST', DOMAINS, { ...body, host: `${SECRET}:80` }),
      await daemon.call('PATCH', `${DOMAINS}/1`, { basic_auth: { users: { eve: SECRET } } }),
      await daemon.call('GET', DOMAINS),
      await daemon.call('GET', '/api/apps/shop/production/web'),
      await daemon.call('GET', '/api/audit'),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 409, 400, 200, 200, 200, 200],
    );
    const events = daemon.core.store.all(unchecked('SELECT data FROM events'));
    const kept = daemon.core.store.all(unchecked('SELECT * FROM domains'));
    const everything = [...answers.map(({ text }) => text), ...daemon.log.lines, JSON.stringify([events, kept])];
    for (const text of everything) assert.ok(!text.includes(SECRET), text.slice(0, 200));
    assert.equal(rulesOf(daemon, 'a.example')?.basicAuth?.hashes.length, 2);
  });

  it('releases the domains of a deleted app immediately', async () => {
    await using daemon = await booted();
    await daemon.client.createProject({ body: { slug: 'other' } });
    await daemon.client.createApp({ body: { project: 'other', name: 'web', source: 'image', image: 'acme/web' } });
    const other = '/api/apps/other/production/web/domains';
    await daemon.call('POST', DOMAINS, { host: 'a.example', path: '/x' });
    assert.equal((await daemon.call('POST', other, { host: 'a.example' })).status, 409);

    await daemon.call('DELETE', '/api/apps/shop/production/web');

    assert.equal((await daemon.call('POST', other, { host: 'a.example' })).status, 201);
  });

  it('refuses an instance domain whose registry host is used by an app', async () => {
    await using daemon = await booted();
    await daemon.call('POST', DOMAINS, { host: 'registry.new.example' });

    const { status, text } = await daemon.call('PATCH', '/api/settings', { domain: 'new.example' });

    assert.equal(status, 409);
    assert.match(text, /An app uses the host registry\.new\.example/);
  });

  it('publishes an event for each change of a domain and none for unchanged values', async () => {
    await using daemon = await booted();
    const { id } = JSON.parse((await daemon.call('POST', DOMAINS, { host: 'a.example' })).text);
    await daemon.call('PATCH', `${DOMAINS}/${id}`, { maintenance: {} });
    await daemon.call('PATCH', `${DOMAINS}/${id}`, { maintenance: {} });
    await daemon.call('DELETE', `${DOMAINS}/${id}`);

    const events = daemon.core.store.all(
      unchecked<{ data: string }>(`SELECT data FROM events WHERE kind = 'app' ORDER BY seq`),
    );

    const changes = events.map(({ data }) => JSON.parse(data)).filter(({ change }) => change === 'domains');
    assert.deepEqual(changes, [
      { change: 'domains', added: 'a.example' },
      { change: 'domains', changed: 'a.example' },
      { change: 'domains', removed: 'a.example' },
    ]);
  });
});
