/**
 * Requests that the proxy and an app could interpret differently. None of them may bypass the rules of its host and
 * path.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Proxy, RouteTable } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { startApp, startTunnelApp, type TestApp, type TunnelApp } from '../../support/proxy-apps.ts';
import { echoOverHttp2, openHttp2, openSocket } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, rules, server, tableOf } from '../../support/proxy-harness.ts';
import { IS_LONG } from '../../support/tiers.ts';

/** Host that is open except for `/admin`. */
const HOST = 'h.test';
const PACED = 'p.test';
/** Host that is closed except for `/public`. */
const CLOSED = 'c.test';
const TUNNEL = 't.test';
const PLAIN = 'o.test';

const SMUGGLED = `GET /smuggled HTTP/1.1\r\nHost: ${TUNNEL}\r\nConnection: close\r\n\r\n`;

/**
 * Returns the paths that programs may derive from a target: unchanged, parsed as a URL, decoded before or after
 * parsing, and trimmed.
 */
function readingsOf(target: string): string[] {
  const decode = (text: string) =>
    text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const asUrl = (text: string) => (URL.canParse(text, 'http://x') ? new URL(text, 'http://x').pathname : text);
  const first = [target, decode(target), target.trim(), decode(target).trim()];
  const cut = first.flatMap((text) => [asUrl(text), text.replace(/[?#].*/, ''), text.replaceAll('\\', '/')]);
  return cut.flatMap((text) => [text, decode(text), text.replace(/;[^/]*/g, ''), text.replace(/\/+/g, '/')]);
}

describe('the proxy with malformed requests', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let app: TestApp;
  let tunnel: TunnelApp;

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    [app, tunnel] = [await startApp(), await startTunnelApp()];
    await proxy.ensure(table());
    await proxy.sync(table());
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await Promise.all([app, tunnel].map((each) => each[Symbol.asyncDispose]()));
  });

  const table = (): RouteTable => ({
    ...tableOf(backend(1, [server(app)]), backend(2, [server(tunnel)])),
    hosts: [
      { host: HOST, slot: 1 },
      { host: HOST, path: '/admin', slot: 1, rules: rules({ allow: ['10.0.0.1'] }) },
      { host: CLOSED, slot: 1, rules: rules({ allow: ['10.0.0.1'] }) },
      { host: CLOSED, path: '/public', slot: 1 },
      { host: PACED, slot: 1, rules: rules({ requestsPerMinute: 1 }) },
      { host: TUNNEL, slot: 2 },
      { host: PLAIN, slot: 1 },
    ],
  });

  /** Sends a request exactly as given and returns the status of its response. */
  async function statusOf(target: string, host: string, method = 'GET'): Promise<number> {
    const socket = connect({ host: '127.0.0.1', port: harness.port });
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 'latin1');
    await once(socket, 'close');
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
  }

  /** Like {@link statusOf}, over HTTP/2. Returns 400 if the stream was reset, which is also a refusal. */
  async function statusOn(session: ClientHttp2Session, headers: OutgoingHttpHeaders): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const stream = session.request(headers, { endStream: true });
    stream.on('response', (answer) => resolve(Number(answer[':status']))).on('error', () => resolve(400));
    stream.on('close', () => resolve(400)).resume();
    return promise;
  }

  /**
   * Returns variants of the host with every byte at every position in the long tier. In the quick tier, only with bytes
   * that are delimiters elsewhere.
   */
  function spellings(host: string): string[] {
    const codes = IS_LONG
      ? Array.from({ length: 0xff - 0x20 }, (_, n) => 0x21 + n)
      : [...'/?#;,@%\\:.[]*'].map((c) => c.charCodeAt(0));
    const positions = IS_LONG ? Array.from({ length: host.length + 1 }, (_, n) => n) : [0, 1, host.length];
    const bytes = codes.map((code) => String.fromCharCode(code));
    const inserted = positions.flatMap((at) => bytes.map((byte) => host.slice(0, at) + byte + host.slice(at)));
    const tails = ['/pub', '/x:80', '//', '/;', '/admin/..', ':80/x', ':x', '.:80', '...', ' x', ',x', '\tx'];
    return [...inserted, ...tails.map((tail) => host + tail), `x,${host}`, `u@${host}`, `[${host}]`, ''];
  }

  /** Runs all variants with limited concurrency, and returns the variants with an unexpected status. */
  async function unexpected(each: (spelling: string) => Promise<number>, expected: number[]): Promise<string[]> {
    const found: string[] = [];
    const rest = spellings(HOST);
    const lane = async () => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
        const status = await each(next);
        if (!expected.includes(status)) found.push(`${JSON.stringify(next)}: ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, lane));
    return found;
  }

  it('does not let extra characters in the host bypass path rules', async () => {
    const session = openHttp2(harness.port, HOST, false);
    const refused = [400, 403, 404];

    assert.deepEqual([await statusOf('/', HOST), await statusOf('/admin', HOST)], [200, 403]);
    assert.deepEqual(await unexpected((host) => statusOf('/admin', host), refused), []);
    assert.deepEqual(await unexpected((host) => statusOf(`http://${host}/admin`, host), refused), []);
    assert.deepEqual(await unexpected((host) => statusOf(`http://${HOST}/admin`, host), refused), []);
    for (const name of [':authority', 'host']) {
      const send = (host: string) => statusOn(session, { ':authority': HOST, [name]: host, ':path': '/admin' });
      /*
       * With the default port, the proxy interprets a slash after the port as the beginning of the path, and forwards
       * that path.
       */
      assert.deepEqual(await unexpected(send, [...refused, 200]), [], name);
    }
    session.destroy();
    assert.deepEqual(
      app.seen.filter((target) => /^(https?:\/\/[^/]*)?\/admin/.test(target)),
      [],
    );
  });

  it('refuses an ambiguous path with 400', async () => {
    const session = openHttp2(harness.port, HOST, false);
    for (const target of ['*/admin', '\\admin', '%2fadmin', '?/admin', '@x/admin', '//x/admin', '/%2fx/admin']) {
      const over = (method: string) => statusOn(session, { ':authority': HOST, ':method': method, ':path': target });
      for (const method of ['GET', 'OPTIONS']) {
        const answers = [await statusOf(target, HOST, method), await statusOf(`http://${HOST}${target}`, HOST, method)];
        assert.deepEqual([...answers, await over(method)], [400, 400, 400], `${method} ${target}`);
      }
    }
    session.destroy();
    assert.equal(await statusOf('*', HOST), 400);
    assert.equal(await statusOf(`http://${HOST}/admin`, HOST), 403);
  });

  it('applies the rules of “/” to a valid request without a path', async () => {
    for (const [method, target] of [
      ['OPTIONS', '*'],
      ['OPTIONS', 'http://HOST'],
      ['GET', 'http://HOST'],
      ['GET', 'HTTP://HOST:80'],
    ] as const) {
      const probe = (host: string) => statusOf(target.replace('HOST', host), host, method);
      assert.deepEqual([await probe(HOST), await probe(CLOSED)], [200, 403], `${method} ${target}`);
    }
    for (const [host, status] of [
      [HOST, 200],
      [CLOSED, 403],
    ] as const) {
      const session = openHttp2(harness.port, host, false);
      assert.equal(await statusOn(session, { ':authority': host, ':method': 'OPTIONS', ':path': '*' }), status);
      session.destroy();
    }
  });

  it('accepts unusual paths on a host without path rules', async () => {
    for (const path of ['//a', '/a/../b', '/%zz', '/a%20', '/%2561', '/%00', '/a//b', '/a;b', '/%2fa', '/\\a']) {
      assert.equal(await statusOf(path, PLAIN), 200, path);
    }
  });

  it('does not let unusual bytes or escapes in a path bypass path rules', async () => {
    const codes = Array.from({ length: 0x100 }, (_, code) => code);
    const escapes = codes.map((code) => `%${code.toString(16).padStart(2, '0')}`);
    const bytes = codes.filter((code) => code > 0x20).map((code) => String.fromCharCode(code));
    const session = openHttp2(harness.port, HOST, false);
    app.seen.length = 0;
    for (const odd of [...bytes, ...escapes]) {
      for (const path of [`/${odd}admin`, `/a${odd}dmin`, `/admin${odd}`, `/admin${odd}/x`]) {
        await statusOf(path, HOST);
        await statusOn(session, { ':authority': HOST, ':path': path });
      }
    }
    session.destroy();
    assert.deepEqual(
      app.seen.filter((target) => readingsOf(target).some((path) => /^\/admin(\/|$)/.test(path))),
      [],
    );
    assert.ok(app.seen.length > codes.length);
  });

  it('counts all spellings of a host against the same rate limit', async () => {
    const answers: number[] = [];
    for (const host of [PACED, PACED.toUpperCase(), `${PACED}.`, `${PACED}:80`, `${PACED}:81`, `${PACED}.:`]) {
      answers.push(await statusOf('/', host));
    }
    for (let n = 0; n < 14; n += 1) answers.push(await statusOf('/', `${PACED}/${n}`));

    assert.deepEqual(answers, [200, ...Array(5).fill(429), ...Array(14).fill(400)]);
  });

  it('returns 404 for a host that is an IP address', async () => {
    for (const host of ['127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:8443', '[::ffff:127.0.0.1]', 'unknown.test']) {
      assert.equal(await statusOf('/', host), 404, host);
    }
    for (const host of [`${HOST}:`, `${HOST}:8443`, `${HOST}.`, `${HOST}.:80`, HOST.toUpperCase()]) {
      assert.deepEqual([await statusOf('/', host), await statusOf('/admin', host)], [200, 403], host);
    }
  });

  /**
   * Sends an HTTP/1.1 request followed by another request, and reads until the connection ends. Returns the status of
   * the first response.
   */
  async function statusBefore(head: string): Promise<number> {
    const socket = connect({ host: '127.0.0.1', port: harness.port });
    let text = '';
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        // After a response, a tunnel would be open.
        if (text === '') socket.write(SMUGGLED);
        text += chunk.toString('latin1');
      });
    socket.write(`${head}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
    await once(socket, 'close');
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
  }

  /** Like {@link statusBefore}, in an HTTP/2 stream. */
  async function statusInStream(headers: OutgoingHttpHeaders): Promise<number> {
    const session = openHttp2(harness.port, TUNNEL, false);
    await once(session, 'remoteSettings');
    const stream = session.request(headers, { endStream: false });
    stream.on('error', () => undefined);
    stream.write(SMUGGLED);
    const [answer] = await once(stream, 'response');
    session.destroy();
    return Number(answer[':status']);
  }

  it('refuses CONNECT with 405 and opens no tunnel', async () => {
    const target = `${TUNNEL}:80`;
    for (const answer of ['200 OK', '204 No Content', '101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x']) {
      Object.assign(tunnel, { answer, received: '' });

      assert.equal(await statusBefore(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}`), 405);
      assert.equal(await statusBefore(`CONNECT http://${target}/ HTTP/1.1\r\nHost: ${target}`), 405);
      assert.equal(await statusInStream({ ':method': 'CONNECT', ':authority': target }), 405);
      assert.doesNotMatch(tunnel.received, /CONNECT/);
      assert.doesNotMatch(tunnel.received, /^Host:/m, 'the proxy passes on names of headers in lower case');
    }
  });

  it('opens no tunnel if the client did not request a WebSocket', async () => {
    const answer = '101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket';
    Object.assign(tunnel, { answer, received: '' });

    for (const more of ['', '\r\nConnection: upgrade\r\nUpgrade: tcp']) {
      const status = await statusBefore(`GET / HTTP/1.1\r\nHost: ${TUNNEL}${more}`);
      // The proxy itself can also reject such a response with 500.
      assert.ok([500, 502].includes(status), `${status}`);
    }
  });

  it('opens no tunnel for an upgrade to a protocol other than WebSocket', async () => {
    for (const protocol of ['tcp', 'h2c', 'HTTP/2.0', 'TLS/1.2', 'connect-udp', 'spdy/3.1']) {
      const answer = `101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: ${protocol}`;
      Object.assign(tunnel, { answer, received: '' });
      const upgrade = `GET / HTTP/1.1\r\nHost: ${TUNNEL}\r\nConnection: upgrade\r\nUpgrade: ${protocol}`;
      const extended = { ':method': 'CONNECT', ':protocol': protocol, ':scheme': 'http', ':path': '/' };

      const plain = `GET / HTTP/1.1\r\nHost: ${TUNNEL}`;
      const answers = [await statusInStream({ ...extended, ':authority': TUNNEL })];
      for (const head of [upgrade, `${upgrade}, websocket`, plain]) answers.push(await statusBefore(head));
      // The proxy itself also checks such responses and returns 500. The order of the two checks is undefined.
      assert.ok(
        answers.every((status) => [500, 502].includes(status)),
        `${protocol}: ${answers}`,
      );
      assert.doesNotMatch(tunnel.received, /^Host:/m, protocol);
      assert.doesNotMatch(tunnel.received.replaceAll('upgrade: websocket', ''), /^upgrade:/m, protocol);
    }
  });

  it('opens WebSockets over HTTP/1.1 and HTTP/2, with and without TLS', async () => {
    for (const [port, secure] of [
      [harness.port, false],
      [harness.httpsPort, true],
    ] as const) {
      await using socket = await openSocket(port, HOST, secure);
      await socket.assertOpen();
      assert.equal(await echoOverHttp2(port, HOST, secure), 'hi');
    }
  });
});
