/** Tests the HTML pages of the catalog over HTTP: caching, compression and error pages. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { bootCatalog } from '@davit/testkit/catalog';

const catalog = await bootCatalog({ settings: { verifiedOwners: 'Acme' } });
after(() => catalog[Symbol.asyncDispose]());
catalog.add(
  {
    ...{
      owner: 'Acme',
      name: 'Notes',
      description: 'Keeps what you think of',
      stars: 3,
      topics: ['davit-template', 'notes'],
    },
    releases: [{ tag: 'v1', source: 'version: 1\nproject: notes\n' }],
  },
  {
    ...{ owner: 'acme', name: 'refused' },
    releases: [
      {
        rejected: true,
        problems: [{ severity: 'error', code: 'yaml.syntax', message: 'It is not YAML.', path: [], line: 3 }],
      },
    ],
  },
  ...Array.from({ length: 30 }, (_, i) => ({ owner: 'many', name: `app-${i}` })),
);
const request = (path: string, given: RequestInit = {}) => fetch(catalog.url + path, { redirect: 'manual', ...given });
const read = async (path: string) => (await request(path)).text();
const check = (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
  request('/check', { method: 'POST', body, headers });
const cards = (page: string) => [...page.matchAll(/<h3><a href="\/templates\/([^"]+)"/g)].map(([, path]) => path);

describe('a catalog page', () => {
  it('is cacheable for a minute and returns 304 for its ETag', async () => {
    for (const path of ['/', '/templates/Acme/Notes', '/templates/acme/refused', '/check', '/codes']) {
      const { status, headers } = await request(path);
      assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=60'], path);
      const again = await request(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
      assert.deepEqual([again.status, await again.text()], [304, ''], path);
    }
  });

  it('is compressed with gzip under a separate ETag', async () => {
    const plain = await request('/codes', { headers: { 'accept-encoding': 'identity' } });
    const packed = await request('/codes', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.equal(packed.headers.get('vary'), 'Accept-Encoding');
    assert.notEqual(packed.headers.get('etag'), plain.headers.get('etag'));
    assert.equal(await packed.text(), await plain.text());
  });

  it('returns the same ETag and no body for HEAD', async () => {
    const [head, whole] = [await request('/', { method: 'HEAD' }), await request('/')];
    assert.equal(head.headers.get('etag'), whole.headers.get('etag'));
    assert.equal(await head.text(), '');
  });

  it('has a strict content security policy for every response', async () => {
    for (const path of ['/', '/templates/Acme/Notes', '/nothing', '/?sort=x', '/templates/x/y']) {
      const { headers } = await request(path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
        assert.ok(policy.includes(part), `${path}: ${part}`);
      assert.doesNotMatch(policy, /unsafe|data:|\*/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin');
    }
  });

  it('contains no inline style or script and needs few asset bytes', async () => {
    const page = await read('/templates/Acme/Notes');
    assert.doesNotMatch(page, /<style|\sstyle=|<script(?! type="module" src="\/assets\/)|\son[a-z]+="/);
    let bytes = 0;
    for (const [, path = ''] of page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) {
      const { status, headers, body } = await request(path, { headers: { 'accept-encoding': 'gzip' } });
      assert.deepEqual([status, headers.get('cache-control')], [200, 'public, max-age=31536000, immutable']);
      bytes += Number(headers.get('content-length'));
      await body?.cancel();
    }
    assert.ok(bytes > 0 && bytes < 15 * 1024, `the style and the script have ${bytes} bytes`);
  });
});

describe('the listing page', () => {
  it('shows a new index immediately despite caching', async () => {
    assert.doesNotMatch(await read('/'), /late\/one/);
    catalog.add({ owner: 'late', name: 'one', releases: [{ publishedAt: '2026-06-01T00:00:00Z' }] });
    assert.match(await read('/'), /late\/one/);
  });

  it('uses links below the path of the public URL', async () => {
    await using below = await bootCatalog({ settings: { url: 'https://example.com/apps' } });
    const page = await (await fetch(below.url)).text();
    assert.deepEqual(
      [...page.matchAll(/(?:href|src|action)="(?!\/apps\/)([^"]*)"/g)].map(([, href]) => href),
      ['#main'],
    );
  });

  it('links to the next page until the last page', async () => {
    const first = await read('/');
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
    const second = await read(next.replaceAll('&amp;', '&'));
    const all = [...cards(first), ...cards(second)];
    assert.deepEqual([cards(first).length, all.length, new Set(all).size], [24, 32, 32]);
    assert.doesNotMatch(second, /rel="next"/);
  });

  it('filters, sorts and searches like the API', async () => {
    assert.deepEqual(cards(await read('/?q=keeps+what')), ['Acme/Notes']);
    assert.deepEqual(cards(await read('/?tag=notes')), ['Acme/Notes']);
    assert.deepEqual(cards(await read('/?sort=stars'))[0], 'Acme/Notes');
    assert.match(await read('/?q=zzz'), /Nothing was found/);
  });

  it('returns a 400 page with an explanation for an invalid query', async () => {
    for (const query of ['sort=oldest', `q=${'x'.repeat(101)}`, 'cursor=abc', 'q=%ff', 'q=a&q=b', 'limit=0', 'q=%00']) {
      const response = await request(`/?${query}`);
      assert.deepEqual(
        [response.status, response.headers.get('content-type')],
        [400, 'text/html; charset=utf-8'],
        query,
      );
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.match(await response.text(), /The search is not valid/);
    }
  });

  it('shows the search text again with escaped HTML', async () => {
    assert.match(await read('/?q=%22%3E%3Cb%3E'), /value="&quot;&gt;&lt;b&gt;"/);
  });
});

describe('the template page', () => {
  it('redirects to the spelling of the repository for any case', async () => {
    for (const path of ['/templates/acme/notes', '/templates/ACME/Notes']) {
      const response = await request(path);
      assert.deepEqual([response.status, response.headers.get('location')], [302, '/templates/Acme/Notes']);
    }
  });

  it('shows the reasons if no release was accepted', async () => {
    const page = await read('/templates/acme/refused');
    assert.match(page, /not accepted a release of this repository/);
    assert.match(page, /It is not YAML\..*Line 3.*href="\/codes#yaml\.syntax"/s);
    assert.match(page, /<a href="[^"]+\/acme\/refused\/blob\/[0-9a-f]{40}\/template\.yaml#L3"[^>]*>Line 3<\/a>/);
  });
});

describe('a page that cannot be served', () => {
  it('returns HTML with status 404 for an unknown path', async () => {
    for (const path of [
      '/nothing',
      '/templates/a/b',
      '/templates/a',
      '/templates/a/b/c',
      '/assets/style-0.css',
      '/%2e%2e/x',
      '/templates/%00/%ff',
    ]) {
      const { status, headers } = await request(path);
      assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('returns 405 with the allowed methods for another method', async () => {
    for (const [path, allow] of [
      ['/', 'GET, HEAD'],
      ['/check', 'GET, HEAD, POST'],
    ]) {
      const { status, headers } = await request(path ?? '', { method: 'DELETE' });
      assert.deepEqual([status, headers.get('allow')], [405, allow]);
    }
  });

  it('returns 503 with Retry-After before the first index', async () => {
    await using empty = await bootCatalog({ published: false });
    for (const path of ['/', '/templates/a/b']) {
      const { status, headers } = await fetch(empty.url + path);
      assert.deepEqual([status, headers.get('retry-after'), headers.get('cache-control')], [503, '5', 'no-store']);
    }
    assert.equal((await fetch(`${empty.url}/check`)).status, 200);
  });

  it('returns 503 with the reason if the first pass failed', async () => {
    await using broken = await bootCatalog({ source: '/nowhere/to/be/found', published: false });
    await broken.passOnce();
    const response = await fetch(broken.url);
    assert.equal(response.status, 503);
    assert.match(await response.text(), /could not be read.*\/nowhere\/to\/be\/found/s);
  });
});

describe('POST /check without JavaScript', () => {
  const form = (template: string) => new URLSearchParams({ template });

  it('shows problems beside the lines and keeps the submitted text', async () => {
    const response = await check(form('\r\nversion: 1\r\nproject: notes\r\napps: x'));
    const page = await response.text();
    assert.deepEqual([response.status, response.headers.get('cache-control')], [200, 'no-store']);
    assert.match(page, /The catalog would refuse this template/);
    assert.match(page, /<textarea[^>]*>\n\nversion: 1\nproject: notes\napps: x<\/textarea>/);
    assert.match(page, /class="first error"><div class="line" id="L4"/);
  });

  it('shows the resources and the manifest of a valid template', async () => {
    const example = /<textarea[^>]*>\n(.*)<\/textarea>/s.exec(await read('/check?example=1'))?.[1] ?? '';
    const page = await (await check(form(example.replaceAll('&quot;', '"')))).text();
    assert.match(page, /This template is valid/);
    assert.match(page, /Resources to create.*&quot;schema_version&quot;: 1/s);
  });

  it('refuses large or malformed submissions and still shows the page', async () => {
    assert.equal((await check(form('x'.repeat(256 * 1024)))).status, 200);
    const refused: [string | URLSearchParams, number][] = [
      [form('x'.repeat(256 * 1024 + 1)), 413],
      [form('%'.repeat(2_000_000)), 413],
      ['template=x', 415],
      [form(''), 200],
      [new URLSearchParams({ other: 'x' }), 200],
    ];
    for (const [body, status] of refused) {
      const response = await check(body);
      assert.equal(response.status, status);
      assert.match(await response.text(), /<h1>Check a template<\/h1>/);
    }
  });
});

describe('a slow README', () => {
  const SLOW = '<b><i>'.repeat(80_000);

  it('is shown as plain text while other pages respond', async () => {
    catalog.add({ owner: 'slow', name: 'readme', releases: [{ readme: SLOW }] });
    const order: string[] = [];
    const slow = read('/templates/slow/readme').then((page) => {
      order.push('slow');
      return page;
    });
    await read('/codes');
    await read('/?q=app');
    order.push('quick');

    assert.match(await slow, /<pre class="plain"[^>]*>&lt;b&gt;&lt;i&gt;/);
    assert.equal(order.at(-1), 'slow');
  });
});
