/** Compression of responses, and the responses that are never compressed because they can contain secrets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { app, bootDaemon, project, type TestDaemon } from '@davit/testkit';

const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;
const LARGE = '/api/projects';

describe('compression of responses', () => {
  let daemon: TestDaemon;

  before(async () => {
    daemon = await bootDaemon();
    for (let n = 0; n < 20; n += 1) await project(daemon);
  });
  after(() => daemon[Symbol.asyncDispose]());

  async function begin(path: string, headers: Record<string, string>, method = 'GET'): Promise<IncomingMessage> {
    const all = { authorization: `Bearer ${daemon.key}`, ...headers };
    const clientRequest = request(`${daemon.url}${path}`, { method, headers: all, agent: false }).end();
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    return response;
  }

  /** Returns a response with the bytes of its body as they arrived. */
  async function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const response = await begin(path, headers, method);
    const bytes = Buffer.concat(await response.toArray());
    return { status: response.statusCode, headers: response.headers, bytes };
  }

  it('uses the encoding of the client and the same ETag in each encoding', async () => {
    const plain = await raw(LARGE);
    assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding']);
    for (const encoding of ['br', 'gzip'] as const) {
      const packed = await raw(LARGE, { 'accept-encoding': encoding });

      assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], [encoding, 'Accept-Encoding']);
      assert.equal(packed.headers['content-length'], String(packed.bytes.length));
      assert.ok(packed.bytes.length < plain.bytes.length / 2);
      assert.deepEqual(unpack[encoding](packed.bytes), plain.bytes);
      assert.equal(packed.headers.etag, plain.headers.etag);
      const known = await raw(LARGE, { 'accept-encoding': encoding, 'if-none-match': packed.headers.etag ?? '' });
      assert.deepEqual([known.status, known.bytes.length, known.headers.vary], [304, 0, 'Accept-Encoding']);
    }
  });

  it('sends an uncompressed response if the client refuses compression', async () => {
    for (const accepted of ['identity', 'gzip;q=0, br;q=0', 'deflate']) {
      const { status, headers, bytes } = await raw(LARGE, { 'accept-encoding': accepted });
      assert.deepEqual([status, headers['content-encoding']], [200, undefined], accepted);
      assert.equal(headers['content-length'], String(bytes.length));
    }
  });

  it('answers HEAD with the headers of GET and without a body', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const [got, head] = [await raw(LARGE, headers), await raw(LARGE, headers, 'HEAD')];

    assert.equal(head.bytes.length, 0);
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      assert.equal(head.headers[name], got.headers[name], name);
  });

  it('does not compress a response of at most 1 KiB', async () => {
    const { headers, bytes } = await raw('/api/users/me', { 'accept-encoding': 'br' });

    assert.ok(bytes.length <= 1_024, `${bytes.length} bytes`);
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, undefined]);
  });

  it('compresses the metrics for Prometheus', async () => {
    const { headers, bytes } = await raw('/metrics', { 'accept-encoding': 'gzip' });

    assert.equal(headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(bytes).toString(), /^davit_info\{/m);
  });

  it('does not compress responses that can contain secrets', async () => {
    const { reference } = await app(daemon);
    const path = `/api/apps/${reference}/env`;
    const body = JSON.stringify({ set: { LONG: 'x'.repeat(4_000) }, secret: ['LONG'] });
    const sent = { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' };
    const changed = await fetch(`${daemon.url}${path}`, {
      method: 'PATCH',
      headers: { ...sent, 'accept-encoding': 'gzip' },
      body,
    });
    const read = await raw(path, { 'accept-encoding': 'gzip, br' });

    assert.deepEqual([changed.status, changed.headers.get('content-encoding')], [200, null]);
    assert.ok((await changed.text()).length > 4_000);
    assert.deepEqual([read.status, read.headers['content-encoding'], read.headers.vary], [200, undefined, undefined]);
    assert.ok(read.bytes.length > 4_000);
  });

  it('does not compress event streams', async () => {
    const response = await begin('/api/events', { 'accept-encoding': 'gzip' });
    response.on('error', () => undefined);

    assert.equal(response.headers['content-type'], 'text/event-stream');
    assert.equal(response.headers['content-encoding'], undefined);
    response.destroy();
  });
});
