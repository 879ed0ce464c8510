import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, it } from 'node:test';
import { createListener, type Listener, type ListenerBindings, type ListenerOptions } from './listener.ts';
import { createLogger } from './logger.ts';

const log = createLogger({ level: 'error', destination: { write: () => undefined } });
const opened: Listener[] = [];

function listener(fetch: ListenerOptions['app']['fetch'], limits = {}): Listener {
  const made = createListener({ app: { fetch }, log, limits: { connectionsCheckingInterval: 20, ...limits } });
  opened.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((made) => made.close({ deadlineMs: 0 })));
});

/** Sends bytes and returns everything that the server answers until it closes the connection. */
async function exchange(port: number, ...pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (data: string) => {
    text += data;
  });
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return text;
}

async function echo(): Promise<number> {
  return (await listener(() => new Response('hello')).listenTcp('127.0.0.1', 0)).port;
}

describe('invalid HTTP requests', () => {
  const cases: [name: string, bytes: string | Buffer, status: number][] = [
    ['text that is not HTTP', 'hello there\r\n\r\n', 400],
    ['binary data', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 10, 13, 10, 13]), 400],
    ['an unknown HTTP version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n', 400],
    ['a missing Host header', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['an invalid Host header', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['an invalid Content-Length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 400],
    [
      'Content-Length together with Transfer-Encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a NUL character in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
    ['a CONNECT request', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['headers of 20 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['101 headers', `GET / HTTP/1.1\r\nHost: a\r\n${'X: x\r\n'.repeat(100)}\r\n`, 431],
    ['an unsupported Expect header', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n', 417],
  ];
  for (const [name, bytes, status] of cases) {
    it(`answers with an error status and a plain text sentence: ${name}`, async () => {
      const text = await exchange(await echo(), bytes);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(head, /\r\ncontent-type: text\/plain; charset=utf-8/i);
      assert.match(head, /\r\nx-content-type-options: nosniff/i);
      assert.match(head, /\r\nx-request-id: \S+/i);
      assert.match(body, /^[A-Z][^\n]*\.\n$/);
    });
  }

  it('answers an incomplete request with status 408', async () => {
    const slow = listener(() => new Response('hello'), { headersTimeout: 50, requestTimeout: 50 });
    const { port } = await slow.listenTcp('127.0.0.1', 0);
    const text = await exchange(port, 'GET / HTTP/1.1\r\nHost:');
    assert.match(text, /^HTTP\/1.1 408 [\s\S]*\n$/);
  });
});

it('accepts an absolute URL as request target and 100 headers', async () => {
  const port = await echo();
  const text = await exchange(
    port,
    `GET http://a/x HTTP/1.1\r\nHost: a\r\n${'X: x\r\n'.repeat(98)}Connection: close\r\n\r\n`,
  );
  assert.match(text, /^HTTP\/1.1 200 /);
});

describe('Unix socket', () => {
  const dir = mkdtemp(join(tmpdir(), 'davit-listener-'));
  after(async () => rm(await dir, { recursive: true, force: true }));

  it('limits access to the owner, replaces an old socket and marks requests as local', async () => {
    const path = join(await dir, 's.sock');
    const seen: boolean[] = [];
    const made = () =>
      listener((_, env: ListenerBindings) => {
        seen.push(env.local);
        return new Response('hello');
      });
    await made().listenUnix(path);
    const again = made();
    await again.listenUnix(path);
    const { port } = await again.listenTcp('127.0.0.1', 0);
    await answered(get({ socketPath: path, agent: false }));
    await answered(get({ port, agent: false }));

    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(seen, [true, false]);
  });
});

async function answered(request: ReturnType<typeof get>): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

describe('listener close', () => {
  it('finishes a running request and refuses new connections', async () => {
    const entered = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const made = listener(async () => {
      entered.resolve();
      await finish.promise;
      return new Response('done');
    });
    const { port } = await made.listenTcp('127.0.0.1', 0);
    const agent = new Agent({ keepAlive: true });
    const response = answered(get({ port, agent }));
    await entered.promise;

    const closed = made.close({ deadlineMs: 5_000 });
    await assert.rejects(answered(get({ port, agent: false })), { code: 'ECONNREFUSED' });
    finish.resolve();

    assert.equal((await response).headers.connection, 'close');
    await closed;
    agent.destroy();
  });

  it('ends waiting requests only after running requests have finished', async () => {
    const order: string[] = [];
    const waiting = new Set<ServerResponse>();
    const cut = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const made = listener(async ({ url }, { outgoing }) => {
      if (!url.endsWith('/wait')) {
        entered[0]?.resolve();
        await finish.promise;
        order.push('work ended');
        return new Response('done');
      }
      waiting.add(outgoing);
      entered[1]?.resolve();
      await cut.promise;
      return new Response('ask again', { status: 503 });
    });
    const { port } = await made.listenTcp('127.0.0.1', 0);
    const work = answered(get({ port, path: '/work', agent: false }));
    const wait = answered(get({ port, path: '/wait', agent: false }));
    await Promise.all(entered.map(({ promise }) => promise));

    const closed = made.close({
      deadlineMs: 5_000,
      waiting: {
        has: (outgoing) => waiting.has(outgoing),
        cut: () => {
          order.push('cut');
          cut.resolve();
        },
      },
    });
    finish.resolve();

    assert.equal((await work).statusCode, 200);
    assert.equal((await wait).statusCode, 503);
    assert.deepEqual(order, ['work ended', 'cut']);
    await closed;
  });

  it('drops unfinished requests at the deadline', async () => {
    const entered = Promise.withResolvers<void>();
    const made = listener(() => {
      entered.resolve();
      return new Promise<Response>(() => undefined);
    });
    const { port } = await made.listenTcp('127.0.0.1', 0);
    const hanging = answered(get({ port, agent: false }));
    const cut = assert.rejects(hanging, { code: 'ECONNRESET' });
    await entered.promise;

    await made.close({ deadlineMs: 0 });
    await cut;
  });
});
