/** Delivery of the dashboard: its pages and its files, but no other files of the server. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { PAGES } from '@davit/api';
import { bootDaemon } from '@davit/testkit';
import { builtDashboard, PAGE, SCRIPT } from '../support/built-dashboard.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

describe('the dashboard', async () => {
  const built = await builtDashboard();
  const daemon = await bootDaemon({ dashboard: built.dist });
  after(async () => {
    await daemon[Symbol.asyncDispose]();
    await built[Symbol.asyncDispose]();
  });

  it('returns the same document for every page, regardless of the query', async () => {
    for (const page of PAGES) {
      const path = page.replaceAll(/\{\w+\}/g, 'any');
      for (const target of [path, `${path}?tab=1&tab=2`]) {
        const { status, text, headers } = await daemon.send({ path: target });
        assert.equal(status, 200, target);
        assert.equal(text, PAGE);
        assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
        assert.equal(headers.get('cache-control'), 'no-cache');
      }
    }
  });

  it('returns 304 for a matching ETag and the new document after a rebuild', async () => {
    const tag = (await daemon.send({ path: '/' })).headers.get('etag') ?? '';
    const again = await daemon.send({ path: '/projects', headers: { 'if-none-match': tag } });
    assert.equal(again.status, 304);
    assert.equal(again.text, '');
    await writeFile(join(built.dist, 'index.html'), `${PAGE}<!-- newer -->`);
    const newer = await daemon.send({ path: '/projects', headers: { 'if-none-match': tag } });
    assert.equal(newer.status, 200, 'a new build is served without a restart');
    await writeFile(join(built.dist, 'index.html'), PAGE);
  });

  it('clears the cache and storage of a foreign service worker but keeps cookies', async () => {
    const headers = { 'service-worker': 'script' };
    for (const path of ['/sw.js', '/', '/assets/index-abc123.js', '/api/instance']) {
      const answer = await daemon.send({ path, headers });
      assert.equal(answer.headers.get('clear-site-data'), '"cache", "storage"', path);
      assert.equal((await daemon.send({ path })).headers.get('clear-site-data'), null, path);
    }
  });

  it('allows only its own scripts and styles, and forbids frames', async () => {
    for (const path of ['/', '/assets/index-abc123.js']) {
      const { headers } = await daemon.send({ path });
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
      assert.match(policy, /base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
      assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/);
    }
  });

  it('serves assets in the best accepted compression, with permanent caching', async () => {
    const path = '/assets/index-abc123.js';
    const forms: [accepted: string | undefined, encoding: string | null, length: number][] = [
      [undefined, null, SCRIPT.length],
      ['identity', null, SCRIPT.length],
      ['gzip', 'gzip', gzipSync(SCRIPT).length],
      ['gzip, deflate, br', 'br', brotliCompressSync(SCRIPT).length],
      ['br;q=0, gzip', 'gzip', gzipSync(SCRIPT).length],
    ];
    for (const [accepted, encoding, length] of forms) {
      const { status, headers } = await daemon.send({
        path,
        headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
      });
      assert.equal(status, 200);
      assert.equal(headers.get('content-encoding'), encoding, `for “${accepted}”`);
      assert.equal(headers.get('content-length'), String(length));
      assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(headers.get('vary'), 'Accept-Encoding');
    }
  });

  it('answers HEAD like GET, without the body', async () => {
    for (const path of ['/', '/projects/shop', '/assets/index-abc123.js', '/icon.svg']) {
      const [head, get] = [await daemon.send({ method: 'HEAD', path }), await daemon.send({ path })];
      assert.equal(head.status, 200, path);
      assert.equal(head.text, '');
      assert.notEqual(head.headers.get('content-length'), null);
      assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
      assert.equal(head.headers.get('etag'), get.headers.get('etag'));
    }
  });

  it('serves no files outside of the build', async () => {
    const names = ['../../secret.txt', '..%2f..%2fsecret.txt', '%2e%2e%2findex.html', '..', '.', '.hidden', 'folder'];
    const more = [
      '..%5c..%5csecret.txt',
      '%2fetc%2fpasswd',
      'index-abc123.js%00.txt',
      'none.js',
      '%2e%2e%2f%2e%2e%2fsecret.txt',
    ];
    for (const name of [...names, ...more]) {
      const { status, text } = await daemon.send({ path: `/assets/${name}` });
      assert.equal(status, 404, name);
      assert.doesNotMatch(text, /^secret|hidden$|root:/, name);
    }
    assert.equal((await daemon.send({ path: '/index.html' })).status, 404);
    assert.equal((await daemon.send({ path: '/../secret.txt' })).status, 404);
  });

  it('returns a 404 page to a browser and a plain-text error to other clients', async () => {
    const lost = await daemon.send({ path: '/no/such/page', headers: BROWSER });
    assert.equal(lost.status, 404);
    assert.equal(lost.text, PAGE);
    assert.equal(lost.headers.get('etag'), null);
    const program = await daemon.send({ path: '/no/such/page' });
    assert.equal(program.status, 404);
    assert.match(program.text, /No endpoint has this path/i);
    for (const path of [
      '/v2/none',
      '/docs/none',
      '/assets/none.js',
      '/hooks/none',
      '/metrics/none',
      '/.well-known/none',
    ]) {
      const { status, headers } = await daemon.send({ path, headers: BROWSER });
      assert.equal(status, 404, path);
      assert.match(headers.get('content-type') ?? '', /^text\/plain/, path);
    }
    assert.equal((await daemon.send({ path: '/api/none', headers: BROWSER })).status, 401);
    const posted = await daemon.send({ method: 'POST', path: '/no/such/page', headers: BROWSER });
    assert.match(posted.headers.get('content-type') ?? '', /^text\/plain/);
    const other = await daemon.send({ method: 'POST', path: '/projects', headers: BROWSER });
    assert.equal(other.status, 405);
    assert.equal(other.headers.get('allow'), 'GET, HEAD');
  });
});

it('an instance without a built dashboard runs and explains how to build the dashboard', async () => {
  await using daemon = await bootDaemon({ dashboard: '/nonexistent' });
  const page = await daemon.send({ path: '/' });
  assert.equal(page.status, 503);
  assert.match(page.text, /npm run build:dashboard/);
  assert.equal((await daemon.call('GET', '/api/apps')).status, 200);
  assert.equal((await daemon.send({ path: '/none', headers: BROWSER })).status, 404);
});
