/**
 * Parts that the proxy removes from a request before an app gets it: sessions of the dashboard, and protocol upgrades.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { after, before, describe, it } from 'node:test';
import type { Proxy } from '../../../packages/daemon/src/adapters/proxy/proxy.ts';
import { type RawApp, startApp, startRawApp, type TestApp } from '../../support/proxy-apps.ts';
import { openSocket, sendRaw } from '../../support/proxy-clients.ts';
import { backend, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';

const HOST = 'app-1.localhost';
const OWN = 'localhost';
const TOKEN = 'a5'.repeat(32);
const HOSTED = `__Host-davit_session=${TOKEN}`;
const PLAIN = `davit_session=${TOKEN}`;

/** Headers of a request, and the cookies that the app gets. */
const SPELLINGS: [sent: string[], arrives: string[]][] = [
  [[PLAIN], []],
  [[HOSTED], []],
  [[`a=1; ${PLAIN}; b=2`], ['a=1; b=2']],
  [[`${PLAIN}; a=1`], ['a=1']],
  [[`a=1; ${HOSTED}`], ['a=1']],
  [[`a=1;${PLAIN};b=2`], ['a=1;b=2']],
  [[`a=1;\t ${PLAIN} ; b=2`], ['a=1; b=2']],
  [[`${PLAIN};${HOSTED};${PLAIN}`], []],
  [[`${PLAIN}; a=1; ${HOSTED}; b=2; ${PLAIN}`], ['a=1; b=2']],
  [[PLAIN, 'a=1'], ['a=1']],
  [
    ['a=1', `${HOSTED}; b=2`, PLAIN, 'c=3'],
    ['a=1', 'b=2', 'c=3'],
  ],
  [[`davit_session="${TOKEN}"; a=1`], ['a=1']],
  [[`davit_session="x; ${TOKEN}"; a=1`], ['a=1']],
  [[`davit_session="${TOKEN}; a="1"`], ['a="1"']],
  [[`davit_session = ${TOKEN}; a=1`], ['a=1']],
  [[`a=1,${PLAIN},b=2`], ['a=1,b=2']],
  [[`davit_session=x,${TOKEN}; a=1`], ['a=1']],
  [[`a="x; ${PLAIN}; b=y"`], ['a="x; b=y"']],
  [[`$Version=1; a="\\"; ${PLAIN}; b=\\""; $Path=/`], ['$Version=1; a="\\"; b=\\""; $Path=/']],
  [[`\xa0${PLAIN};\xa0 ${HOSTED};\x0b${PLAIN}; a=1`], ['a=1']],
  [[`;; ;${PLAIN};; ; a=1`], [';; ;; ; a=1']],
];

/** Cookies that only resemble a session. Each must arrive unchanged. */
const OTHERS = [
  `xdavit_session=${TOKEN}; davit_session_id=1; x-__Host-davit_session=2; __Secure-davit_session=3`,
  'a=davit_session; davit_session; b="davit_session=1"; c=x davit_session=2',
  'DAVIT_SESSION=1;  a = 1 ;b="x;y,z";;c=%20\xe9=; d',
];

describe('requests that the proxy forwards to an app', () => {
  let harness: ProxyHarness;
  let proxy: Proxy;
  let raw: RawApp;
  let app: TestApp;

  before(async () => {
    harness = await ProxyHarness.create();
    proxy = harness.connect();
    raw = await startRawApp();
    app = await startApp();
    const table = tableOf(backend(1, [server(raw)]), backend(2, [server(app)]));
    await proxy.ensure({ ...table, api: { address: '127.0.0.1', port: raw.port } });
    await proxy.sync({ ...table, api: { address: '127.0.0.1', port: raw.port } });
  });

  after(async () => {
    await harness[Symbol.asyncDispose]();
    await Promise.all([raw, app].map((each) => each[Symbol.asyncDispose]()));
  });

  const exchange = (headers: string[], host = HOST) => sendRaw(harness.port, host, headers);

  /** Returns the values of a header of the request that arrived at the app. */
  function arrived(answer: string, name: string): string[] {
    const head = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    return [...head.matchAll(new RegExp(`^${name}: ?(.*)$`, 'gim'))].map(([, value = '']) => value.trimEnd());
  }

  const cookies = (values: string[]) => values.map((value) => `Cookie: ${value}`);
  const closing = ['Connection: close'];

  it('do not contain the dashboard’s session cookie in any spelling', async () => {
    for (const [sent, arrives] of SPELLINGS) {
      const answer = await exchange([...cookies(sent), ...closing]);

      assert.match(answer, /^HTTP\/1\.1 200 /, answer);
      assert.deepEqual(arrived(answer, 'cookie'), arrives, JSON.stringify(sent));
      assert.ok(!answer.includes(TOKEN), answer);
    }
  });

  it('keep all other cookies unchanged, with or without a session cookie', async () => {
    const long = `a=${'x'.repeat(13_000)}`;
    for (const other of [...OTHERS, long]) {
      const alone = arrived(await exchange([...cookies([other]), ...closing]), 'cookie');
      const among = arrived(await exchange([...cookies([`${other}; ${PLAIN}`]), ...closing]), 'cookie');

      assert.deepEqual([alone, among], [[other], [other]]);
    }
  });

  it('contain no session cookie over HTTP/2, in a single header or several', async () => {
    for (const secure of [false, true]) {
      const at = secure ? `https://127.0.0.1:${harness.httpsPort}` : `http://127.0.0.1:${harness.port}`;
      const session = connectHttp2(at, { servername: HOST, rejectUnauthorized: false });
      for (const cookie of [['a=1', PLAIN, 'b=2', HOSTED], [`a=1; ${HOSTED}; b=2`]]) {
        const stream = session.request({ ':authority': HOST, cookie });
        let text = '\r\n\r\n';
        for await (const chunk of stream.setEncoding('latin1')) text += chunk;

        assert.deepEqual(arrived(text, 'cookie'), ['a=1; b=2']);
      }
      session.close();
    }
  });

  it('contain no session cookie if the request opens a WebSocket', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

    const answer = await exchange([...upgrade, key, ...cookies([`a=1; ${PLAIN}`])]);

    assert.match(answer, /^HTTP\/1\.1 101 /);
    assert.deepEqual(arrived(answer, 'cookie'), ['a=1']);
  });

  it('contain no session cookie if the request opens a WebSocket over HTTP/2', async () => {
    for (const secure of [false, true]) {
      const at = secure ? `https://127.0.0.1:${harness.httpsPort}` : `http://127.0.0.1:${harness.port}`;
      const session = connectHttp2(at, { servername: HOST, rejectUnauthorized: false });
      await once(session, 'remoteSettings');
      const stream = session.request({
        ':method': 'CONNECT',
        ':protocol': 'websocket',
        ':scheme': secure ? 'https' : 'http',
        ':authority': HOST,
        ':path': '/',
        'sec-websocket-version': '13',
        cookie: ['a=1', PLAIN, 'b=2', HOSTED],
      });
      let text = '\r\n\r\n';
      for await (const chunk of stream.setEncoding('latin1')) text += chunk;

      assert.match(text, /^upgrade: websocket\r?$/im, text);
      assert.deepEqual(arrived(text, 'cookie'), ['a=1; b=2']);
      session.close();
    }
  });

  it('keep the session cookie if the request goes to the dashboard', async () => {
    const sent = [`a=1; ${PLAIN}`, HOSTED];

    assert.deepEqual(arrived(await exchange([...cookies(sent), ...closing], OWN), 'cookie'), sent);
  });

  it('are forwarded without a large delay for hostile cookie headers', async () => {
    const full = 13_000;
    const hostile = [
      'davit_session='.repeat(full / 14),
      ';davit_session='.repeat(full / 15),
      ',davit_session="'.repeat(full / 16),
      `;${' '.repeat(full - 100)}davit_session`,
      ';'.repeat(full) + PLAIN,
      `;davit_session${' '.repeat(full - 100)}`,
    ];
    const took = async (value: string) => {
      const from = performance.now();
      assert.match(await exchange([`Cookie: ${value}`, ...closing]), /^HTTP\/1\.1 200 /);
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

  it('contain no upgrade to a protocol other than WebSocket', async () => {
    const cases: [headers: string[], upgrade: string[]][] = [
      [['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'], []],
      [['connection: HTTP2-Settings,upgrade', 'upgrade: H2C', 'http2-settings: AAMAAABk', 'http2-settings: A'], []],
      [['Connection: Upgrade', 'Upgrade: h2c, websocket'], ['websocket']],
      [['Connection: Upgrade', 'Upgrade: websocket,h2c'], ['websocket']],
      [['Connection: Upgrade', 'Upgrade: websocket', 'Upgrade: h2c'], ['websocket']],
      [['Connection: Upgrade', 'Upgrade: h2c', 'Upgrade: WebSocket'], ['websocket']],
      [['Connection: Upgrade', 'Upgrade: h2c-16'], []],
      [['Connection: Upgrade', 'Upgrade: "x, h2c'], []],
      [['Connection: Upgrade', 'Upgrade: x,\th2c/1;q=1'], []],
      [['Connection: Upgrade', 'Upgrade: HTTP/2.0'], []],
      [['Connection: Upgrade', 'Upgrade: TLS/1.2, HTTP/1.1'], []],
      [['Connection: Upgrade', 'Upgrade: tcp'], []],
      [['Connection: Upgrade', 'Upgrade: tcp, websocket'], ['websocket']],
    ];
    for (const [headers, upgrade] of cases) {
      const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
      const answer = await exchange([...headers, ...(upgrade.length === 0 ? closing : [key])]);

      assert.deepEqual(arrived(answer, 'upgrade'), upgrade, JSON.stringify(headers));
      assert.deepEqual(arrived(answer, 'http2-settings'), [], JSON.stringify(headers));
      assert.match(answer, upgrade.length === 0 ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 101 /);
    }
  });

  it('open a WebSocket that carries messages, with and without TLS', async () => {
    for (const [port, secure] of [
      [harness.port, false],
      [harness.httpsPort, true],
    ] as const) {
      await using socket = await openSocket(port, 'app-2.localhost', secure);
      await socket.assertOpen();
    }
  });
});
