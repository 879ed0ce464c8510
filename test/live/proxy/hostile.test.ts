/** Malicious clients over TLS. None of their data may reach other clients. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { patience } from '@davit/testkit/waiting';
import type { Proxy } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp, type TestApp } from '../../support/proxy-apps.ts';
import { backend, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';
import { serverOf } from '../../support/proxy-load.ts';
import { inLong } from '../../support/tiers.ts';

const HOST = 'app-1.localhost';

/** A second request, for `/smuggled`. Each variant starts a request that could be interpreted as two requests. */
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nhost: app-1.localhost\r\n\r\n';
const VARIANTS: string[] = [
  `content-length: 0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nX`,
  `transfer-encoding: chunked\r\ncontent-length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  `content-length: 0\r\ncontent-length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  `content-length: 0, ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
  `content-length: +0\r\n\r\n${SMUGGLED}`,
  `content-length: -1\r\n\r\n${SMUGGLED}`,
  `content-length: 0x0\r\n\r\n${SMUGGLED}`,
  `content-length : 0\r\n\r\n${SMUGGLED}`,
  `content-length:\r\n\r\n${SMUGGLED}`,
  `transfer-encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `transfer-encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `transfer-encoding: identity\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `transfer-encoding:\x0bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `x: y\r\n transfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `x: y\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `x: y\rtransfer-encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  `transfer-encoding: chunked\r\n\r\n0;a=b\nX\r\n\r\n${SMUGGLED}`,
  `transfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF0\r\n\r\n${SMUGGLED}`,
  `x\0y: z\r\n\r\n`,
  `host: evil.example\r\n\r\n`,
];

describe('hostile clients', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let app: TestApp;

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    app = await startApp();
    await proxy.ensure(tableOf(backend(1, [server(app)])));
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  /** Sends bytes and then a normal request, and reads until the proxy closes the connection. */
  async function exchange(head: string, rest: string, secure: boolean): Promise<string> {
    const options = { host: '127.0.0.1', port: secure ? harness.httpsPort : harness.port };
    const socket = secure
      ? connect({ ...options, servername: HOST, rejectUnauthorized: false })
      : connectPlain(options);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    // A proxy that refuses a request closes the connection while bytes are still being sent.
    socket.on('error', () => undefined);
    socket.write(head + rest);
    socket.write('GET /own HTTP/1.1\r\nhost: app-1.localhost\r\nconnection: close\r\n\r\n');
    await once(socket, 'close', { signal: patience() });
    return text;
  }

  it('cannot smuggle a second request to the app', async () => {
    for (const secure of [true, false]) {
      for (const rest of VARIANTS) {
        app.seen.length = 0;
        const text = await exchange(`POST /first HTTP/1.1\r\nhost: ${HOST}\r\n`, rest, secure);
        const answers = text.match(/HTTP\/1\.[01] \d{3}/g)?.length ?? 0;
        // The app must not have received more requests than this client got responses.
        assert.ok(app.seen.length <= answers, JSON.stringify({ rest, seen: app.seen, text }));
      }
    }
    assert.equal(serverOf(await harness.getSecurely(HOST)), app.name);
  });

  it('cannot keep a connection open by sending data slowly', inLong, async () => {
    const waits = [
      ['a request in drips', true, 'GET / HTTP/1.1\r\n', 15_000],
      ['nothing behind the handshake', true, '', 15_000],
      // The proxy waits for a minute.
      ['a handshake that stops', false, '\x16', 65_000],
    ] as const;

    await Promise.all(
      waits.map(async ([what, secure, first, limitMs]) => {
        const options = { host: '127.0.0.1', port: harness.httpsPort };
        const socket = secure
          ? connect({ ...options, servername: HOST, rejectUnauthorized: false })
          : connectPlain(options);
        socket.on('error', () => undefined);
        await once(socket, secure ? 'secureConnect' : 'connect');
        socket.write(first);
        const drip = first === '' || !secure ? null : setInterval(() => socket.write('x'), 500);
        const closed = once(socket.resume(), 'close', { signal: AbortSignal.timeout(limitMs) });
        await closed.catch(() => assert.fail(`${what}: still open`));
        if (drip !== null) clearInterval(drip);
      }),
    );
  });

  it('cannot block other clients with 500 incomplete handshakes', async () => {
    const held = Array.from({ length: 500 }, () => connectPlain({ host: '127.0.0.1', port: harness.httpsPort }));
    for (const socket of held) socket.on('error', () => undefined).write('\x16');

    const answers = await Promise.all(Array.from({ length: 20 }, () => harness.getSecurely(HOST)));

    for (const socket of held) socket.destroy();
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });
});
