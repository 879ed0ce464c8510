import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after, before, describe } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isPublicAddress } from '@davit/service';
import { offeredByFile } from '../source/from-file.ts';
import { fetchBounded } from './fetch-bounded.ts';
import { publicFetch } from './public-fetch.ts';

const TEXT = 'version: 1\nproject: shop\napps:\n  - {key: web, image: acme/web, port: 80}\n';

/** The server of these tests responds by path and counts its connections. */
describe('fetch of a template file', () => {
  let server: Server;
  let port = 0;
  let connections = 0;
  const answers: Record<string, RequestListener> = {
    '/template.yaml': (_, response) => response.end(TEXT),
    '/elsewhere': (_, response) => response.writeHead(302, { location: '/template.yaml' }).end('moved'),
    '/never': (_, response) => response.writeHead(200).write('v'),
    '/large': (_, response) => response.end('x'.repeat(2048)),
    '/bomb': (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1024 * 1024))),
    '/latin': (_, response) => response.end(Buffer.from([0x61, 0x3a, 0x20, 0xff, 0x0a])),
  };
  before(async () => {
    server = createServer((request, response) => answers[request.url ?? '']?.(request, response));
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const bounds = { who: 'It', mostBytes: 1024, types: null, timeoutMs: 30_000, accept: '*/*' };
  const anywhere = publicFetch(() => true);

  test('refuses private and local addresses in any notation without connecting', async () => {
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0.0.0.0'];
    const others = ['10.0.0.1', '192.168.0.1', '172.16.0.1', '169.254.169.254', '[fe80::1]', '[fd00::1]', '100.64.0.1'];
    for (const host of [...hosts, ...others]) {
      const repository = `http://${host}:${port}/template.yaml`;
      await assert.rejects(
        offeredByFile({ repository, ref: 'HEAD' }, publicFetch(isPublicAddress)),
        { code: 'invalid_input', message: /its address is private or belongs to this server/ },
        host,
      );
    }
    assert.equal(connections, 0);
  });

  test('returns the file and does not follow redirects', async () => {
    const { bytes } = await fetchBounded(`http://localhost:${port}/template.yaml`, bounds, anywhere);
    assert.equal(Buffer.from(bytes).toString(), TEXT);
    await assert.rejects(fetchBounded(`http://127.0.0.1:${port}/elsewhere`, bounds, anywhere), {
      code: 'catalog_unavailable',
      message: /redirects \(HTTP 302\)/,
    });
  });

  test('limits the response time and the response size', async () => {
    await assert.rejects(fetchBounded(`http://127.0.0.1:${port}/never`, { ...bounds, timeoutMs: 50 }, anywhere), {
      code: 'catalog_unavailable',
      message: /did not respond within/,
    });
    await assert.rejects(fetchBounded(`http://127.0.0.1:${port}/large`, bounds, anywhere), {
      message: /more than 1 KiB/,
    });
  });

  test('limits the size of a compressed response after decompression', async () => {
    await assert.rejects(fetchBounded(`http://127.0.0.1:${port}/bomb`, bounds), { message: /more than 1 KiB/ });
  });

  test('refuses a file that is not valid UTF-8', async () => {
    const fetchFunction = () => anywhere(`http://127.0.0.1:${port}/latin`, {});
    await assert.rejects(
      offeredByFile({ repository: 'https://example.com/template.yaml', ref: 'HEAD' }, fetchFunction),
      {
        code: 'template_invalid',
        message: /not UTF-8/,
      },
    );
  });

  test('refuses an invalid URL and hosts named like JavaScript properties', async () => {
    for (const repository of [
      'http://[',
      'https://a:99999/template.yaml',
      'http://constructor/a/b',
      'http://__proto__/a/b',
    ])
      await assert.rejects(offeredByFile({ repository, ref: 'HEAD' }, anywhere), { code: 'invalid_input' }, repository);
  });
});
