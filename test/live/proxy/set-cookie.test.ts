/**
 * Cookies that the proxy removes from an app's response, because browsers would send them to the dashboard as its
 * session.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  connect as connectHttp2,
  createServer as createHttp2Server,
  type Http2Server,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Proxy } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { acceptOf, nextName, type RawApp, startRawApp } from '../../support/proxy-apps.ts';
import { sendRaw } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';

const HOST = 'app-1.localhost';
const H2C_HOST = 'app-2.localhost';
const OWN = 'localhost';
const TOKEN = 'a5'.repeat(32);
const SET = `davit_session=${TOKEN}; Domain=localhost; Path=/`;

/**
 * Each of these cookies sets the session in some browser, or would set it in a browser that does not check the prefix.
 */
const SPELLINGS = [
  SET,
  `__Host-${SET}`,
  `davit_session=${TOKEN}`,
  'davit_session=',
  'davit_session=; Max-Age=0',
  `davit_session="${TOKEN}"`,
  ` \t ${SET}`,
  `davit_session \t = ${TOKEN};;; Domain=localhost;`,
  `\xa0davit_session\xa0=${TOKEN}`,
  `=${SET}`,
  ` = \t=__Host-${SET}`,
  `; ;${SET}`,
  `a=1, ${SET}`,
  `a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT,__Host-${SET}`,
];

/** Cookies that only resemble a session. Each must arrive unchanged. */
const OTHERS = [
  'a=1; Path=/; HttpOnly',
  `xdavit_session=${TOKEN}`,
  `davit_session_id=${TOKEN}; Domain=localhost`,
  `DAVIT_SESSION=1;  Path=/ ;;Secure`,
  `__host-davit_session=1`,
  `__Secure-davit_session=1`,
  'x-__Host-davit_session=1',
  'davit_session',
  '"davit_session"=1',
  'a=davit_session=1',
  'a="x;y,z"; davit_session=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT',
  `b=%20\xe9=davit_session; SameSite=Lax`,
];

/** Returns the values of a header of a response. */
function valuesOf(answer: string, name: string): string[] {
  return [...answer.matchAll(new RegExp(`^${name}:[ \t]*(.*?)[ \t]*\r$`, 'gim'))].map(([, value = '']) => value);
}

const trimmed = (values: string[]) => values.map((value) => value.replace(/^[ \t]+|[ \t]+$/g, ''));

describe('cookies that an app sets', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let app: RawApp;
  let rpc: Http2Server;
  /** Cookies that both apps set. */
  let cookies: string[] = [];
  let status = '';

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    app = await startRawApp((request) => {
      const head = [`HTTP/1.1 ${status}`, ...cookies.map((cookie) => `Set-Cookie: ${cookie}`)];
      const upgrade = `Connection: upgrade\r\nUpgrade: websocket\r\n${acceptOf(request)}`;
      return `${head.join('\r\n')}\r\n${status.startsWith('101') ? upgrade : 'Content-Length: 0\r\n'}\r\n`;
    });
    rpc = createHttp2Server();
    rpc.on('stream', (stream: ServerHttp2Stream) => {
      stream.respond({ ':status': 200, 'set-cookie': cookies }, { endStream: true });
    });
    await once(rpc.listen(0, '127.0.0.1'), 'listening');
    const rpcServer = server({ name: nextName(), port: (rpc.address() as AddressInfo).port });
    const base = tableOf(backend(1, [server(app)]), backend(2, [rpcServer], 'h2c'));
    const table = { ...base, api: { address: '127.0.0.1', port: app.port } };
    await proxy.ensure(table);
    await proxy.sync(table);
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    rpc.close();
  });

  async function answer(set: string[], as = '200 OK', host = HOST): Promise<string> {
    [cookies, status] = [set, as];
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    const text = await sendRaw(harness.port, host, as.startsWith('101') ? upgrade : ['Connection: close']);
    assert.ok(text.includes(`HTTP/1.1 ${as.slice(0, 3)} `), text);
    return text;
  }

  it('do not include the dashboard’s session cookie in any spelling', async () => {
    for (const spelling of SPELLINGS) {
      const text = await answer([spelling]);

      assert.deepEqual(valuesOf(text, 'set-cookie'), [], JSON.stringify(spelling));
      assert.doesNotMatch(text, /davit_session/);
    }
  });

  it('stay unchanged with or without a session cookie beside them', async () => {
    for (const other of OTHERS) {
      assert.deepEqual(valuesOf(await answer([other]), 'set-cookie'), [other]);
      assert.deepEqual(valuesOf(await answer([SET, other, SPELLINGS[1] ?? '']), 'set-cookie'), [other]);
    }
    assert.deepEqual(valuesOf(await answer([...OTHERS, SET, ...OTHERS]), 'set-cookie'), [...OTHERS, ...OTHERS]);
  });

  it('do not include the session cookie with any response status', async () => {
    for (const as of [
      '101 Switching Protocols',
      '204 No Content',
      '302 Found',
      '304 Not Modified',
      '404 No',
      '503 No',
    ]) {
      assert.deepEqual(valuesOf(await answer(['a=1', SET, 'b=2'], as), 'set-cookie'), ['a=1', 'b=2'], as);
    }
  });

  it('do not include the session cookie over HTTP/2 from client or app', async () => {
    for (const secure of [false, true]) {
      const at = secure ? `https://127.0.0.1:${harness.httpsPort}` : `http://127.0.0.1:${harness.port}`;
      const session = connectHttp2(at, { servername: HOST, rejectUnauthorized: false });
      for (const host of [HOST, H2C_HOST]) {
        [cookies, status] = [trimmed(['a=1', ...SPELLINGS, 'b=2']), '200 OK'];
        const stream = session.request({ ':authority': host });
        const [headers] = await once(stream, 'response');
        stream.resume();

        assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'], host);
      }
      session.close();
    }
  });

  it('cause no large delay with hostile header values', async () => {
    const full = 13_000;
    const hostile = [
      'davit_session,'.repeat(full / 14),
      `${','.repeat(full)}davit_session`,
      `${'= ;\t'.repeat(full / 4)}davit_session`,
      `davit_session${' '.repeat(full)}`,
      `${'a'.repeat(full)}davit_session`,
      `${' ,a'.repeat(full / 3)}davit_session`,
    ];
    const took = async (cookie: string) => {
      const from = performance.now();
      await answer([cookie]);
      return performance.now() - from;
    };

    for (const value of hostile) {
      /*
       * The minimum of three measurements is used, because other programs use the machine. The test detects only
       * differences of several orders of magnitude.
       */
      const best = Math.min(await took(value), await took(value), await took(value));
      const usual = Math.max(await took('a=1'), await took('a=1'), await took('a=1'));
      assert.ok(best < usual * 20 + 50, `${value.slice(0, 40)}…: ${best} ms, usually ${usual} ms`);
    }
  });

  it('include the session cookie if the dashboard sets the cookie', async () => {
    assert.deepEqual(valuesOf(await answer(['a=1', SET], '200 OK', OWN), 'set-cookie'), ['a=1', SET]);
  });
});
