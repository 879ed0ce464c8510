/** Limits for the headers and the target of a request, and requests without a `Host` header. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import {
  MOST_HEADER_BYTES,
  MOST_TARGET_BYTES,
} from '../../../packages/daemon/src/adapters/proxy/haproxy/request-limits.ts';
import { type RawApp, startRawApp } from '../../support/proxy-apps.ts';
import { openHttp2, sendRaw } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';

const HOST = 'app-1.localhost';
const CLOSE = 'Connection: close';

/** Returns the given number of small headers. */
const many = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: y`);
/** Returns a header with a value of the given length. */
const long = (length: number) => `X-Long: ${'x'.repeat(length)}`;

describe('limits of a request', () => {
  let harness: ProxyHarness;
  /** App that returns the head of a request, and has no limits of its own. */
  let app: RawApp;

  before(async () => {
    harness = await ProxyHarness.create();
    app = await startRawApp();
    await harness.connect().ensure(tableOf(backend(1, [server(app)])));
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  /** Sends the text exactly as given and returns all text until the connection closes. */
  async function exchange(text: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: harness.port });
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
    });
    socket.write(text, 'latin1');
    await once(socket, 'close', { signal: patience() });
    return received;
  }

  /** Sends headers in an HTTP/2 stream and returns the headers of the response. */
  async function headersOver2(headers: OutgoingHttpHeaders): Promise<IncomingHttpHeaders> {
    const session = openHttp2(harness.port, HOST, false);
    const stream = session.request({ ':authority': HOST, ':path': '/', ...headers }, { endStream: true });
    const [response] = (await once(stream, 'response', { signal: patience() })) as [IncomingHttpHeaders];
    session.destroy();
    return response;
  }

  it('let an app receive 32 KiB in one header and 200 headers', async () => {
    const [large, numerous] = [long(32 * 1024), many(200)];

    const first = await sendRaw(harness.port, HOST, [large, CLOSE]);
    const second = await sendRaw(harness.port, HOST, [...numerous, CLOSE]);

    for (const answer of [first, second]) assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.ok(first.toLowerCase().includes(large.toLowerCase()));
    assert.equal(second.match(/^x-\d+: y\r?$/gim)?.length, 200);
    assert.equal((await headersOver2({ 'x-long': 'x'.repeat(32 * 1024) }))[':status'], 200);
  });

  it('refuse larger headers and more headers with 431 and a text', async () => {
    for (const headers of [[long(MOST_HEADER_BYTES)], [long(40_000)], [long(60_000)], many(300), many(2_000)]) {
      const answer = await sendRaw(harness.port, HOST, [...headers, CLOSE]);
      assert.match(answer, /^HTTP\/1\.1 431 /);
      assert.match(answer, /\r\ncontent-type: text\/plain; charset=utf-8\r\n/i);
      assert.match(answer, /\r\n\r\nThe headers of this request are larger than 36 KiB, .*\n$/);
    }
    const numerous = Object.fromEntries(many(300).map((header) => [header.split(':')[0] ?? '', 'y']));
    for (const headers of [{ 'x-long': 'x'.repeat(40_000) }, numerous])
      assert.equal((await headersOver2(headers))[':status'], 431);
  });

  it('refuse a long target with 414 and a text', async () => {
    const get = (length: number) => `GET /${'x'.repeat(length - 1)} HTTP/1.1\r\nHost: ${HOST}\r\n${CLOSE}\r\n\r\n`;

    assert.match(await exchange(get(MOST_TARGET_BYTES)), /^HTTP\/1\.1 200 /);
    const answer = await exchange(get(MOST_TARGET_BYTES + 1));
    assert.match(answer, /^HTTP\/1\.1 414 /);
    assert.match(answer, /\r\n\r\nThe URL of this request is longer than 16 KiB\. .*\n$/);
  });

  it('refuse a request without a Host header with 400 and a text', async () => {
    for (const version of ['1.0', '1.1']) {
      for (const more of ['', 'X-Other: y\r\n']) {
        const answer = await exchange(`GET / HTTP/${version}\r\n${more}${CLOSE}\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.[01] 400 /, version);
        assert.match(answer, /\r\n\r\nThe Host header of this request is not valid or missing\. .*\n$/);
      }
    }
  });

  it('refuse a host that is too long with 400', async () => {
    for (const host of ['a'.repeat(256), 'a'.repeat(30_000), `${HOST}:${'8'.repeat(30_000)}`]) {
      assert.match(await sendRaw(harness.port, host, [CLOSE]), /^HTTP\/1\.1 400 /);
    }
  });
});
