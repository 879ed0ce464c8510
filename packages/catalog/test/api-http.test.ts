/** Tests the HTTP behavior of the catalog: methods, caching, compression and error responses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { allCatalogOperations } from '@davit/api/catalog.ts';
import { sendBytes } from '@davit/testkit';
import { type Answer, bootCatalog } from '@davit/testkit/catalog';

const catalog = await bootCatalog();
after(() => catalog[Symbol.asyncDispose]());
const [made] = catalog.add(
  { id: 5, owner: 'Acme', name: 'Demo.App', readme: 'x' } as object,
  ...Array.from({ length: 24 }, () => ({})),
);
const COMMIT = made?.releases[0]?.commit ?? '';
const READS = [
  ...[
    '/templates',
    '/templates/acme/demo.app',
    '/templates/acme/demo.app/manifest',
    '/templates/acme/demo.app/releases',
  ],
  ...['/tags', `/icons/5/${COMMIT}.png`, '/schema/template/v1.json', '/openapi.json', '/docs', '/healthz', '/metrics'],
];
const KEPT = READS.slice(0, 9);
const AT_ROOT = READS.slice(6);
const codeOf = ({ text }: Answer) => JSON.parse(text).error.code as string;

/** Returns the response body without decompressing it. */
async function raw(path: string, headers: Record<string, string>, method = 'GET') {
  const clientRequest = request(`${catalog.url}/api/v1${path}`, { method, headers }).end();
  const [response] = await once(clientRequest, 'response');
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(await response.toArray()) };
}

describe('HTTP methods', () => {
  it('HEAD returns the headers of GET without a body', async () => {
    for (const path of READS.filter((one) => one !== '/metrics')) {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const headers = { 'accept-encoding': encoding };
        const [got, head] = [await raw(path, headers), await raw(path, headers, 'HEAD')];
        assert.equal(head.bytes.length, 0);
        const { date: _, ...own } = head.headers;
        const { date: __, ...its } = got.headers;
        assert.deepEqual([head.status, own], [got.status, its], path);
      }
    }
    assert.equal((await catalog.send({ method: 'HEAD', path: '/api/v1/templates?limit=0' })).status, 400);
    assert.equal((await catalog.send({ method: 'HEAD', path: '/api/v1/nothing' })).status, 404);
  });

  it('OPTIONS returns 204 with the allowed methods, also for CORS requests', async () => {
    for (const path of [...READS, '/validate']) {
      const headers = { origin: 'https://x.example', 'access-control-request-method': 'POST' };
      const answer = await catalog.send({ method: 'OPTIONS', path: `/api/v1${path}`, headers });
      const allow = path === '/validate' ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS';
      assert.deepEqual([answer.status, answer.text, answer.headers.get('allow')], [204, '', allow], path);
      assert.equal(answer.headers.get('access-control-allow-methods'), allow);
      assert.equal(answer.headers.get('access-control-allow-headers'), '*');
    }
  });

  it('any other method returns 405 with the code method_not_allowed', async () => {
    for (const path of [...READS, '/validate']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'GET', 'HEAD']) {
        const isTaken = path === '/validate' ? method === 'POST' : method === 'GET' || method === 'HEAD';
        if (isTaken) continue;
        const answer = await catalog.send({ method, path: `/api/v1${path}` });
        assert.equal(answer.status, 405, `${method} ${path}`);
        if (method !== 'HEAD') assert.equal(codeOf(answer), 'method_not_allowed');
      }
    }
  });

  it('an unknown path returns 404 for every method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])
      for (const path of [
        '/api',
        '/api/',
        '/api/v1',
        '/api/v1/',
        '/api/v1/nothing',
        '/api/v2/templates',
        '/api/v1/templates/acme',
      ]) {
        const answer = await catalog.send({ method, path });
        assert.equal(answer.status, 404, `${method} ${path}`);
      }
  });
});

describe('paths of the catalog API', () => {
  it('return a JSON 404 if they differ slightly from a documented path', async () => {
    const near = [
      ...[
        '/templates/',
        '/templates/acme/',
        '/templates/acme/demo.app/',
        '/templates/acme/demo.app/manifest/',
        '/tags/',
      ],
      ...[
        '//templates',
        '/templates//demo.app',
        '/Templates',
        '/TAGS',
        '/templates/acme%2fdemo.app',
        '/templates/acme/demo.app%2fmanifest',
      ],
      ...['/templates/acme/demo.app/../demo.app', '/./templates', '/templates;x=1', '/templates/acme/demo.app/nothing'],
      ...['/templates/acme/demo.app%00', '/templates/acme/%ff', '/templates/acme/demo%', '/templates/ａcme/demo.app'],
    ];
    for (const path of near) {
      const { status, headers } = await catalog.get(path.replace(/[^\x21-\x7e]/g, encodeURIComponent));
      assert.deepEqual([status, headers.get('content-type')], [404, 'application/json'], path);
    }
  });

  it('accept percent-encoding and any case of owner and name', async () => {
    for (const path of [
      '/templates/acme/demo.app',
      '/templates/ACME/DEMO.APP',
      '/templates/%61cme/demo%2eapp',
      '/t%65mplates/acme/demo.app',
    ])
      assert.equal((await catalog.get(path)).text, (await catalog.get('/templates/Acme/Demo.App')).text, path);
  });

  it('return 404 for icons without a valid repository ID, commit and extension', async () => {
    const wrong = [
      ...[
        `/icons/5/${COMMIT.toUpperCase()}.png`,
        `/icons/5/${COMMIT}.PNG`,
        `/icons/5/${COMMIT}`,
        `/icons/5/${COMMIT}.jpg`,
      ],
      ...[`/icons/05/${COMMIT}.png`, `/icons/-5/${COMMIT}.png`, `/icons/5.0/${COMMIT}.png`, `/icons/6/${COMMIT}.png`],
      ...[
        `/icons/5/${COMMIT.slice(0, 7)}.png`,
        '/icons/5/abc.png',
        `/icons/5/${'a'.repeat(65)}.png`,
        `/icons/${'9'.repeat(30)}/${COMMIT}.png`,
      ],
    ];
    for (const path of wrong) assert.equal((await catalog.get(path)).status, 404, path);
  });

  it('serve the schema, documentation, health and metrics routes at the root too', async () => {
    for (const path of AT_ROOT) {
      const { status, text } = await catalog.send({ path });
      assert.equal(status, 200, path);
      if (path !== '/metrics') assert.equal(text, (await catalog.get(path)).text, path);
    }
    assert.equal(
      (await catalog.send({ path: '/validate', method: 'POST' })).headers.get('content-type') === 'application/json',
      false,
    );
  });

  it('return metrics with a help text, of which only counters end in “_total”', async () => {
    const { text } = await catalog.get('/metrics');

    const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
    assert.ok(types.some(([, name]) => name === 'nodejs_active_resources'));
    for (const [, name = '', type] of types) {
      assert.equal(name.endsWith('_total'), type === 'counter', name);
      assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'), name);
    }
  });

  it('match the OpenAPI document, and every documented path responds', async () => {
    const document = JSON.parse((await catalog.get('/openapi.json')).text) as { openapi: string; paths: object };
    assert.match(document.openapi, /^3\.1/);
    assert.deepEqual(
      Object.keys(document.paths),
      allCatalogOperations.map(({ path }) => path),
    );
    for (const { method, path } of allCatalogOperations) {
      const filled = path
        .replace('{repository}', '5')
        .replace('{commit}', COMMIT)
        .replace('{owner}', 'acme')
        .replace('{name}', 'demo.app');
      const { status } = await catalog.send({ method, path: `/api/v1${filled}` });
      assert.equal(status, method === 'POST' ? 415 : 200, path);
    }
  });
});

describe('HTTP caching', () => {
  it('returns a strong ETag and 304 for a matching If-None-Match', async () => {
    for (const path of KEPT) {
      const { headers } = await catalog.get(path);
      const etag = headers.get('etag') ?? '';
      assert.match(etag, /^"[A-Za-z0-9_-]+"$/, path);
      for (const known of [etag, `W/${etag}`, '*', ` "x" , ${etag}`, `"x", W/"y",${etag}`]) {
        const same = await catalog.get(path, { 'if-none-match': known });
        assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag], `${path} ${known}`);
        assert.equal(same.headers.get('cache-control'), headers.get('cache-control'));
        assert.equal(same.headers.get('content-length'), null);
      }
      for (const other of ['"x"', etag.slice(1, -1), '""', etag.toLowerCase().replace('"', '"z')])
        assert.equal((await catalog.get(path, { 'if-none-match': other })).status, 200, `${path} ${other}`);
    }
  });

  it('changes the ETag only if the content changes', async () => {
    const before = (await catalog.get('/tags')).headers.get('etag');
    catalog.publish();
    assert.equal((await catalog.get('/tags')).headers.get('etag'), before);
    catalog.add({ topics: ['davit-template', 'another'] });
    assert.notEqual((await catalog.get('/tags')).headers.get('etag'), before);
  });

  it('sets no-store on error responses', async () => {
    for (const path of ['/templates?limit=0', '/nothing', '/templates/acme/none'])
      assert.equal((await catalog.get(path)).headers.get('cache-control'), 'no-store', path);
  });
});

describe('HTTP compression', () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;

  it('uses the encoding of the client, with a separate ETag for each encoding', async () => {
    const plain = await raw('/templates', {});
    assert.equal(plain.headers['content-encoding'], undefined);
    for (const encoding of ['br', 'gzip'] as const) {
      const packed = await raw('/templates', { 'accept-encoding': encoding });
      assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], [encoding, 'Accept-Encoding']);
      assert.equal(packed.headers['content-length'], String(packed.bytes.length));
      assert.ok(packed.bytes.length < plain.bytes.length / 2);
      assert.deepEqual(unpack[encoding](packed.bytes), plain.bytes);
      assert.notEqual(packed.headers.etag, plain.headers.etag);
      const known = { 'accept-encoding': encoding, 'if-none-match': packed.headers.etag };
      assert.equal((await raw('/templates', known)).status, 304);
    }
    assert.equal(plain.headers.vary, 'Accept-Encoding');
  });

  it('also compresses metrics, which are not cached', async () => {
    const packed = await raw('/metrics', { 'accept-encoding': 'gzip' });
    assert.deepEqual([packed.headers['content-encoding'], packed.headers['cache-control']], ['gzip', 'no-store']);
    assert.match(gunzipSync(packed.bytes).toString(), /^davit_catalog_info\{/m);
  });

  it('does not compress icons or vary their responses', async () => {
    const { headers } = await raw(`/icons/5/${COMMIT}.png`, { 'accept-encoding': 'br, gzip' });
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined]);
  });
});

describe('an invalid HTTP request', () => {
  const cases: [name: string, bytes: string, status: number, code: string][] = [
    ['a request that is not HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
    ['a request without a Host header', 'GET /api/v1/tags HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['a request with two Host headers', 'GET /api/v1/tags HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'bad_request'],
    [
      'a request with a too large header',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a request with two Content-Length headers',
      'POST /api/v1/validate HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'bad_request',
    ],
    [
      'a request with an unsupported Expect header',
      'GET /api/v1/tags HTTP/1.1\r\nHost: a\r\nExpect: 42\r\nConnection: close\r\n\r\n',
      417,
      'expectation_failed',
    ],
    ['a request with an invalid target', 'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    ['a CONNECT request', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 400, 'bad_request'],
  ];
  for (const [name, bytes, status, code] of cases)
    it(`${name} returns a JSON error that every origin can read`, async () => {
      const answer = await sendBytes(catalog.url, bytes);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(head, /^access-control-allow-origin: \*$/im);
      assert.match(head, /^cache-control: no-store$/im);
      assert.match(head, /^content-type: application\/json$/im);
      assert.deepEqual(JSON.parse(body).error.code, code);
      assert.ok(body.endsWith('}\n'));
    });
});

it('JSON bodies end with a line break, except for a manifest', async () => {
  for (const path of [
    '/templates',
    '/templates/acme/demo.app',
    '/templates/acme/demo.app/releases',
    '/tags',
    '/healthz',
    '/openapi.json',
    '/nothing',
  ])
    assert.ok((await catalog.get(path)).text.endsWith('}\n'), path);
  assert.equal((await catalog.get('/templates/acme/demo.app/manifest')).text.at(-1), '}');
});

it('the API reference uses the path of the public URL', async () => {
  await using below = await bootCatalog({ settings: { url: 'https://example.com/templates/' } });
  const { servers } = JSON.parse((await below.get('/openapi.json')).text);
  assert.deepEqual(servers, [{ url: '/templates/api/v1' }]);
  assert.match((await below.get('/docs')).text, /src="\/templates\/api\/v1\/docs\/page\.js"/);
  assert.match((await below.get('/docs/page.js')).text, /fetch\('\/templates\/api\/v1\/openapi\.json'/);
});

it('the API reference loads no content from other origins', async () => {
  const page = await catalog.get('/docs');
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self';/);
  assert.doesNotMatch(policy, /\*|https?:|unsafe-eval|script-src[^;]*unsafe/);
  assert.doesNotMatch(page.text, /https?:\/\//);
  for (const [, path = ''] of page.text.matchAll(/src="([^"]+)"/g)) {
    const { status, headers } = await catalog.send({ path });
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/javascript; charset=utf-8'], path);
  }
});
