/** Commands through a real CONNECT proxy to an instance behind TLS. The proxy resolves the name of the instance. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { selfSignedCertificate } from '@davit/daemon/auth/self-signed.ts';
import { project } from '@davit/testkit';
import { WebSocket, WebSocketServer } from 'ws';
import { agentFor } from '../src/client/network-fetch.ts';
import { EXIT, type ExitName } from '../src/errors/exit.ts';
import { environmentOfProcess } from '../src/process/env.ts';
import { withDavit } from './support/davit.ts';

const HOST = 'davit.invalid';
const DAY_MS = 86_400_000;
const AUTHORIZATION = `Basic ${Buffer.from('ada:secret').toString('base64')}`;

const portOf = (server: NetServer) => (server.address() as AddressInfo).port;

async function listening<S extends NetServer>(server: S): Promise<S> {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return server;
}

function tunnel(near: Duplex, far: Duplex): void {
  near.pipe(far).pipe(near);
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
  }
}

describe('commands behind a proxy', () => {
  const on = withDavit();
  let front: NetServer;
  let proxy: Server;
  /** Port to which the TLS server forwards connections. */
  let target: number;
  /** Requests that the proxy received. */
  let received: string[];

  before(async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const now = Date.now();
    const cert = selfSignedCertificate(privateKey, { name: HOST, notBefore: now - DAY_MS, notAfter: now + DAY_MS });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    await on.davit.write('ca.pem', cert);
    front = await listening(createTlsServer({ key, cert }, (near) => tunnel(near, connect(target, '127.0.0.1'))));
    proxy = await listening(createProxy());
  });
  beforeEach(() => {
    received = [];
    target = Number(new URL(on.daemon.url).port);
  });
  after(() => {
    proxy.closeAllConnections();
    proxy.close();
    front.close();
  });

  function createProxy(): Server {
    const server = createServer((incoming, response) => {
      received.push(`${incoming.method} ${incoming.url}`);
      const { pathname, search } = new URL(incoming.url ?? '');
      const { method, headers } = incoming;
      const onward = request(
        { host: '127.0.0.1', port: target, path: `${pathname}${search}`, method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      incoming.pipe(onward);
    });
    server.on('connect', (incoming, near: Duplex) => {
      received.push(`CONNECT ${incoming.url}`);
      if (incoming.headers['proxy-authorization'] !== AUTHORIZATION) {
        near.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      const far = connect(portOf(front), '127.0.0.1', () => {
        near.write('HTTP/1.1 200 Connection established\r\n\r\n');
        tunnel(near, far);
      });
    });
    return server;
  }

  const proxyUrl = (credentials = 'ada:secret@') => `http://${credentials}127.0.0.1:${portOf(proxy)}`;
  const variables = (more: Record<string, string> = {}) => ({
    DAVIT_URL: `https://${HOST}`,
    HTTPS_PROXY: proxyUrl(),
    SSL_CERT_FILE: join(on.davit.folder, 'ca.pem'),
    ...more,
  });

  async function fails(exit: ExitName, env: Record<string, string>, says: RegExp): Promise<void> {
    const { code, stdout, stderr } = await on.davit.run(['project', 'list'], { env });
    assert.deepEqual([code, stdout], [EXIT[exit].code, ''], stderr);
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /secret/);
  }

  test('reach an https instance through HTTPS_PROXY and trust SSL_CERT_FILE', async () => {
    const name = await project(on.daemon);
    for (const env of [variables(), variables({ HTTPS_PROXY: 'http://127.0.0.1:1', https_proxy: proxyUrl() })]) {
      received = [];
      const { code, stdout, stderr } = await on.davit.run(['project', 'get', name, '--json'], { env });
      assert.equal(code, 0, stderr);
      assert.equal(JSON.parse(stdout).slug, name);
      assert.deepEqual([...new Set(received)], [`CONNECT ${HOST}:443`]);
    }
  });

  test('send a body and report the error of the instance', async () => {
    const name = await project(on.daemon);
    const { code, stderr } = await on.davit.run(['project', 'create', name], { env: variables() });
    assert.equal(code, EXIT.conflict.code, stderr);
    assert.match(stderr, new RegExp(`already exists[\\s\\S]*\nHelp: https://${HOST}/help/`));
  });

  test('follow an event stream through the proxy', async () => {
    await project(on.daemon);
    const leaving = new AbortController();
    const { code, stdout } = await on.davit.run(['events', '--after', '0'], {
      env: variables(),
      signal: leaving.signal,
      onOutput: () => leaving.abort(),
    });
    assert.equal(code, EXIT.interrupted.code);
    assert.match(stdout, /^\d{4}-\d\d-\d\d/);
    assert.deepEqual([...new Set(received)], [`CONNECT ${HOST}:443`]);
  });

  test('open a WebSocket through the proxy', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    target = (server.address() as AddressInfo).port;
    server.on('connection', (socket) => socket.on('message', (data) => socket.send(`got ${data}`)));
    const through = await agentFor(`https://${HOST}`, environmentOfProcess(variables()));
    assert.ok(through.agent);
    const socket = new WebSocket(`wss://${HOST}/`, { agent: through.agent });
    await once(socket, 'open');
    socket.send('hello');
    assert.equal(String((await once(socket, 'message'))[0]), 'got hello');
    socket.terminate();
    server.close();
    assert.deepEqual([...new Set(received)], [`CONNECT ${HOST}:443`]);
  });

  test('reach an http instance through HTTP_PROXY', async () => {
    const env = { DAVIT_URL: `http://${HOST}`, HTTP_PROXY: proxyUrl() };
    const { code, stderr } = await on.davit.run(['project', 'list'], { env });
    assert.equal(code, 0, stderr);
    assert.match(received.join('\n'), new RegExp(`^GET http://${HOST}/api/projects`));
  });

  test('follow redirects to a file through the proxy', async () => {
    const server = createServer((incoming, response) => {
      const isMoved = incoming.url === '/moved.yaml';
      response.writeHead(isMoved ? 302 : 200, { location: '/file.yaml', 'content-type': 'text/plain' }).end('{}\n');
    });
    target = portOf(await listening(server));
    const env = { HTTP_PROXY: proxyUrl() };
    await on.davit.run(['template', 'check', `http://${HOST}/moved.yaml`], { env });
    server.closeAllConnections();
    server.close();
    assert.deepEqual(received, [`GET http://${HOST}/moved.yaml`, `GET http://${HOST}/file.yaml`]);
  });

  test('connect directly to loopback addresses and to the hosts in NO_PROXY', async () => {
    const unused = 'http://127.0.0.1:1';
    const env = { HTTP_PROXY: unused, http_proxy: unused };
    const { code, stderr } = await on.davit.run(['project', 'list'], { env });
    assert.equal(code, 0, stderr);
    await fails('unreachable', variables({ NO_PROXY: 'invalid' }), /Cannot resolve the host name davit\.invalid/);
    assert.deepEqual(received, []);
  });

  test('name the proxy and not its password if the proxy fails', async () => {
    const named = /Cannot reach https:\/\/davit\.invalid through the proxy http:\/\/127\.0\.0\.1:\d+ \([A-Z_]+\)/;
    await fails('unreachable', variables({ HTTPS_PROXY: proxyUrl('ada:wrong-secret@') }), named);
    await fails('unreachable', variables({ HTTPS_PROXY: 'http://ada:secret@127.0.0.1:1' }), named);
    const socks = variables({ HTTPS_PROXY: 'socks5://ada:secret@127.0.0.1:1' });
    await fails('usage', socks, /HTTPS_PROXY is not the address/);
  });

  test('refuse an untrusted certificate and a file without certificates', async () => {
    const untrusted = variables({ SSL_CERT_FILE: '' });
    await fails('unreachable', untrusted, /certificate of https:\/\/davit\.invalid is not trusted/);
    await on.davit.write('empty.pem', 'nothing\n');
    for (const name of ['empty.pem', 'missing.pem']) {
      const file = join(on.davit.folder, name);
      await fails('usage', variables({ SSL_CERT_FILE: file }), /The certificates in .*\.pem cannot be read/);
    }
  });
});
