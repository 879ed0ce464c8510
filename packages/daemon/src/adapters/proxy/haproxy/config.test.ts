import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { sessionCookie } from '../../../auth/cookie.ts';
import type { RouteRules, RouteTable } from '../proxy.ts';
import { accessLogLines } from './access-log.ts';
import { type ConfigSettings, parseMark, renderConfig } from './config.ts';
import { desiredState } from './desired.ts';
import { ACCESS_NAMES } from './frontend.ts';
import { SESSION_COOKIE } from './names.ts';

const settings: ConfigSettings = {
  http: { binds: ['*:80'], port: 80 },
  https: { binds: ['*:443'], port: 443 },
  accessLog: accessLogLines(ACCESS_NAMES, { port: 7_391, token: 't0ken' }),
  containerNetworks: ['10.208.0.0/12'],
  registryPort: 5000,
  reserve: 2,
  socketOwner: null,
};

const NOTHING: RouteRules = {
  httpsOnly: false,
  hsts: null,
  redirectTo: null,
  basicAuth: null,
  allow: [],
  requestsPerMinute: null,
  maintenance: null,
  headers: {},
};

const table: RouteTable = {
  domain: 'example.com',
  api: { address: '127.0.0.1', port: 3000 },
  backends: [
    {
      slot: 2,
      app: 'shop/production/web',
      protocol: 'http',
      servers: [
        { name: 'i7', address: '10.208.0.7', port: 8080, state: 'active' },
        { name: 'i6', address: '10.208.0.6', port: 8080, state: 'draining' },
      ],
    },
    {
      slot: 1,
      app: 'shop/production/rpc',
      protocol: 'h2c',
      servers: [{ name: 'i5', address: 'fd00::5', port: 50_051, state: 'active' }],
    },
  ],
  hosts: [
    { host: 'web.production.shop.example.com', slot: 2 },
    { host: 'rpc.example.org', slot: 1 },
    { host: 'shop.example.org', slot: 2, rules: { ...NOTHING, httpsOnly: true, hsts: 'max-age=3600' } },
    { host: 'shop.example.org', path: '/rpc', slot: 1, rules: { ...NOTHING, allow: ['10.0.0.0/8', 'fd00::/8'] } },
  ],
  registry: { host: 'registry.example.com', address: '127.0.0.2', port: 5000 },
  certificates: [
    { name: 'c1', hosts: ['example.com', 'rpc.example.org'], pem: () => '' },
    { name: 'c2', hosts: ['rpc.example.org', '*.production.shop.example.com'], pem: () => '' },
  ],
  challenges: [{ token: 'token-1', answer: 'token-1.thumb_print' }],
};

function render(change: Partial<RouteTable> = {}, over: Partial<ConfigSettings> = {}) {
  return renderConfig(desiredState({ ...table, ...change }), { ...settings, ...over });
}

for (const name of ['haproxy.cfg', 'routes.map', 'rules.map', 'challenges.map', 'certificates.list']) {
  test(`renderConfig writes the expected content of ${name}`, async () => {
    assert.equal(render().files[name], await readFile(new URL(`./golden/${name}`, import.meta.url), 'utf8'));
  });
}

test('renderConfig writes the same files for the same state in another order', () => {
  const reordered = { backends: table.backends.toReversed(), hosts: table.hosts.toReversed() };

  assert.deepEqual(render(reordered), render());
});

test('renderConfig keeps the reload hash if only apps, hosts, rules or certificates change', () => {
  const { mark } = render();

  const changes: Partial<RouteTable>[] = [
    { backends: [], hosts: [] },
    { registry: null, certificates: [], challenges: [] },
    { domainRules: { ...NOTHING, httpsOnly: true } },
    { domain: 'example.net' },
    { api: { address: '127.0.0.1', port: 4000 } },
  ];

  for (const change of changes) assert.equal(render(change).mark.hash, mark.hash);
  assert.notEqual(render({}, { http: { binds: ['*:8080'], port: 8080 } }).mark.hash, mark.hash);
  assert.notEqual(render({ trustedProxies: { forwardedFor: ['10.0.0.1'], proxyProtocol: [] } }).mark.hash, mark.hash);
  assert.notEqual(render({}, { accessLog: null }).mark.hash, mark.hash);
  assert.notEqual(render({}, { registryPort: null }).mark.hash, mark.hash);
  assert.notEqual(render({}, { socketOwner: { uid: 1000, gid: 1000 } }).mark.hash, mark.hash);
});

/** Returns the frontend's rules for requests, in order. */
function requestRules(change: Partial<RouteTable> = {}): string[] {
  const lines = (render(change).files['haproxy.cfg'] ?? '').split('\n').map((line) => line.trim());
  return lines.slice(lines.indexOf('frontend web from heard')).filter((line) => line.startsWith('http-request '));
}

test('CONNECT requests and missing or invalid Host headers are refused before any map lookup', () => {
  const found = requestRules();
  const at = found.findIndex((line) => line.includes('{ req.fhdr(host) -m reg '));
  const [, host = ''] = /unless \{ req\.fhdr\(host\) -m reg '(.*?)' \}/.exec(found[at] ?? '') ?? [];
  const names = ['shop.example.org', 'SHOP.example.org.', 'a_b', 'xn--bcher-kva.example:8443', '127.0.0.1:80', 'a:'];
  const others = [
    '',
    'a/b',
    'a/b:80',
    'a:80/b',
    'u@a',
    'a?b',
    'a#b',
    'a\\b',
    'a,b',
    'a b',
    'a;b',
    'a%2fb',
    'é',
    'a:b',
    '[a/]',
    ':80',
    'a'.repeat(256),
    'a:123456',
  ];

  assert.match(found[0] ?? '', /^http-request return status 405 .* if METH_CONNECT$/);
  assert.match(found[at] ?? '', /^http-request return status 400 /);
  assert.ok(at < found.findIndex((line) => line.includes(',map')));
  for (const each of [...names, '[::1]', '[2001:db8::1]:443']) assert.match(each, new RegExp(host));
  for (const each of others) assert.doesNotMatch(each, new RegExp(host));
});

test('ambiguous paths are refused before the path is decoded for the lookup', () => {
  const found = requestRules();
  const at = found.findIndex((line) => line.includes("path,url_dec -m reg '"));
  const [, pattern = ''] = /-m reg '(.*?)' \}/.exec(found[at] ?? '') ?? [];
  const ambiguous = new RegExp(pattern.replace('[[:cntrl:]]', '[\\x00-\\x1f\\x7f]'));
  const decoded = [
    '//a',
    '/\\a',
    '/..',
    '/a/./b',
    '/a\\..\\b',
    '/..;x',
    '/a\0',
    '/a\tb',
    '/a /b',
    '/a ',
    '/ a',
    '/%61',
    '/a%2F',
  ];

  assert.match(found[3] ?? '', /^http-request return status 400 .* unless \{ path_beg \/ \} \|\| /);
  assert.match(found[at] ?? '', / if paths odd !\{ path,url_dec -m found \} \|\| paths odd /);
  assert.ok(at < found.findIndex((line) => line.startsWith("http-request set-var(txn.path) 'path,url_dec,")));
  for (const path of decoded) assert.match(path, ambiguous);
  for (const path of ['/', '/a//b', '/a\\b', '/a b', '/a;b', '/a%', '/50%off', '/...', '/a.b/.c', '/é']) {
    assert.doesNotMatch(path, ambiguous);
  }
});

test('HAProxy accepts more headers than the documented 200', () => {
  assert.ok(Number(/^ {2}tune\.http\.maxhdr (\d+)$/m.exec(render().files['haproxy.cfg'] ?? '')?.[1]) > 200);
});

test('only lists of tags of an app’s repository go to the daemon, in both frontends', () => {
  const config = (render().files['haproxy.cfg'] ?? '').split('\n');
  const lines = config.filter((line) => line.startsWith('  use_backend api '));
  const patterns = lines.map((line) => new RegExp(/path -m reg '(.*?)' \}/.exec(line)?.[1] ?? '^$'));
  const others = [
    '/v2/',
    '/v2/token',
    '/v2/_catalog',
    '/v2/a/tags/list',
    '/v2/a/b/tags/list',
    '/v2/a/b/c/d/tags/list',
    '/v2/a/b/c/tags/list/',
    '/v2/a/b/c/tags/list/manifests/v1',
    '/v2/x/tags/list/manifests/v1',
    '/v2/x/tags/list',
    '/v2/a/b/c/tags%2Flist',
    '/v2/a/b/%63/tags/list',
    '/v2/a/b/../tags/list',
    '/v2/./b/c/tags/list',
    '/v2//a/b/c/tags/list',
    '/v2/a//c/tags/list',
    '//v2/a/b/c/tags/list',
    '/v2/a/b/c;x/tags/list',
    '/v2/a/b/C/tags/list',
    '/x/v2/a/b/c/tags/list',
    '/v2/a/b/c/tags/listing',
  ];

  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, /\{ method GET HEAD \}/);
  for (const pattern of patterns) {
    // The repository of the app `list` in the environment `tags` of the project `x` is a usual repository.
    for (const path of ['/v2/a/b/c/tags/list', '/v2/shop/production/web-1/tags/list', '/v2/x/tags/list/tags/list'])
      assert.match(path, pattern);
    for (const path of others) assert.doesNotMatch(path, pattern);
  }
});

test('HAProxy does not listen on the registry port if another program uses it', () => {
  const config = render({}, { registryPort: null }).files['haproxy.cfg'] ?? '';

  assert.match(render().files['haproxy.cfg'] ?? '', /^ {2}bind 127\.0\.0\.1:5000$/m);
  assert.doesNotMatch(config, /bind 127\.0\.0\.1:5000|registry-local/);
});

test('trusted proxy rules exclude the containers of the instance', () => {
  const trusted = { forwardedFor: ['10.0.0.0/8'], proxyProtocol: ['10.0.0.5'] };
  const config = render({ trustedProxies: trusted }).files['haproxy.cfg'] ?? '';

  assert.match(config, /^ {2}acl contained src 10\.208\.0\.0\/12$/m);
  assert.match(config, /^ {2}tcp-request connection expect-proxy layer4 if proxied !contained$/m);
  assert.match(config, /^ {2}http-request lua\.client 10\.0\.0\.0\/8 10\.208\.0\.0\/12 if forwarded !contained /m);
});

test('renderConfig reserves free backends beyond the highest slot in steps', () => {
  const slots = [0, 1, 256, 257].map((slot) => {
    const backends = slot === 0 ? [] : [{ slot, app: 'a/b/c', protocol: 'http' as const, servers: [] }];
    return render({ backends, hosts: [] }, { reserve: 256 }).mark.slots;
  });

  assert.deepEqual(slots, [256, 512, 512, 768]);
});

test('parseMark reads the configuration mark from the description of the proxy', () => {
  const { files, mark } = render();
  const description = /description "(.*)"/.exec(files['haproxy.cfg'] ?? '')?.[1] ?? '';

  assert.deepEqual(parseMark(description), mark);
  assert.equal(parseMark('another proxy'), null);
});

test('the proxy rules contain the name of the session cookie', () => {
  const facts = { method: 'GET', headers: {}, rawHeaders: [], peer: '127.0.0.1', local: false };
  const secure = { ...facts, headers: { 'x-forwarded-proto': 'https' } };

  const names = [facts, secure].map((each) => sessionCookie(each, 'token', 1).split('=')[0]);

  assert.deepEqual(names, [SESSION_COOKIE, `__Host-${SESSION_COOKIE}`]);
  assert.ok(render().files['rules.lua']?.includes(`local SESSION = "${SESSION_COOKIE}"\n`));
});
