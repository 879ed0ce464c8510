/** Requests without a `Host` header, with one that is too long, or with many headers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import { type RawApp, startRawApp } from '../../support/proxy-apps.ts';
import { sendRaw } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';

const HOST = 'app-1.localhost';
const CLOSE = 'Connection: close';

describe('the Host header of a request', () => {
  let harness: ProxyHarness;
  /** App that returns the head of a request, and does not limit the head. */
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

  it('is required: a request without it gets status 400 and a text', async () => {
    for (const version of ['1.0', '1.1']) {
      for (const more of ['', 'X-Other: y\r\n']) {
        const answer = await exchange(`GET / HTTP/${version}\r\n${more}${CLOSE}\r\n\r\n`);
        assert.match(answer, /^HTTP\/1\.[01] 400 /, version);
        assert.match(answer, /\r\n\r\nThe Host header of this request is not valid or missing\. .*\n$/);
      }
    }
  });

  it('can have at most 255 characters', async () => {
    for (const host of ['a'.repeat(256), 'a'.repeat(30_000), `${HOST}:${'8'.repeat(30_000)}`]) {
      assert.match(await sendRaw(harness.port, host, [CLOSE]), /^HTTP\/1\.1 400 /);
    }
  });

  it('can be one of 200 headers', async () => {
    const others = Array.from({ length: 198 }, (_, n) => `X-${n}: ${n}`);
    const answer = await sendRaw(harness.port, HOST, [...others, CLOSE]);
    assert.match(answer, /^HTTP\/1\.1 200 /);
    assert.match(answer, /x-197: 197/i);
  });

  it('can be one of many headers with 32 KiB in all; longer headers get status 431 and a text', async () => {
    const ofSize = (bytes: number) => sendRaw(harness.port, HOST, [`Cookie: a=${'x'.repeat(bytes)}`, CLOSE]);

    assert.match(await ofSize(32_600), /^HTTP\/1\.1 200 /);
    const refused = await ofSize(33_000);

    assert.match(refused, /^HTTP\/1\.1 431 /);
    assert.match(refused, /\r\n\r\nThe headers of this request are longer than 32 KiB\. .*\n$/);
  });
});
