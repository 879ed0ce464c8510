/** Long requests, streams and other protocols through the proxy of a whole instance. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { type LiveApp, LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { testAppImage } from '../../support/test-app-image.ts';
import { inLong } from '../../support/tiers.ts';

const BIG = 20 * 1024 ** 2;

describe('the proxy with streams and other protocols', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let app: LiveApp;

  before(async () => {
    harness = await LiveHarness.create();
    app = await harness.deployedApp({ image: await testAppImage(harness.docker) });
  });
  after(() => harness?.[Symbol.asyncDispose]());

  /** Sends an HTTP/1.1 request. The caller reads the response. */
  async function send(host: string, path: string, method = 'GET', body?: Buffer): Promise<IncomingMessage> {
    const to = { host: '127.0.0.1', port: harness.instance.httpPort, path, method, agent: false as const };
    const clientRequest = request({ ...to, headers: { host } });
    clientRequest.end(body);
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    return response;
  }

  /** Sends one HTTP/2 request without TLS. */
  async function call(host: string, headers: Record<string, string>, body: Buffer) {
    const session = connect(`http://127.0.0.1:${harness.instance.httpPort}`);
    try {
      const stream = session.request({ ':authority': host, ':method': 'POST', ...headers });
      let head: IncomingHttpHeaders = {};
      let trailers: IncomingHttpHeaders = {};
      stream.on('response', (headers) => {
        head = headers;
      });
      stream.on('trailers', (headers) => {
        trailers = headers;
      });
      stream.end(body);
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece);
      return { head, body: Buffer.concat(pieces), trailers };
    } finally {
      session.close();
    }
  }

  test('opens a WebSocket and carries messages in both directions', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${harness.instance.httpPort}/ws`, { headers: { host: app.host } });
    await once(socket, 'open');

    socket.send('hello');
    const [message] = await once(socket, 'message');
    socket.terminate();

    assert.equal(String(message), 'hello');
  });

  test('delivers each server-sent event before the next event is sent', inLong, async () => {
    const response = await send(app.host, '/sse');

    const events: string[] = [];
    for await (const chunk of response) {
      events.push(String(chunk));
      if (events.length === 3) break;
    }

    assert.deepEqual(
      events.map((event) => event.split('\n')[0]),
      ['id: 1', 'id: 2', 'id: 3'],
    );
  });

  test('accepts HTTP/2 without TLS for an app that speaks HTTP/1.1', inLong, async () => {
    const { head, body } = await call(app.host, { ':path': '/echo' }, Buffer.from('hello'));

    assert.equal(head[':status'], 200);
    assert.equal((JSON.parse(body.toString()) as { length: number }).length, 5);
  });

  test('keeps gRPC trailers on a domain with protocol h2c', async () => {
    const host = `${randomBytes(4).toString('hex')}.example`;
    await harness.client.addDomain({ params: app.params, body: { host, protocol: 'h2c' } });
    const message = randomBytes(100_000);

    const { head, body, trailers } = await call(
      host,
      { ':path': '/echo.Echo/Say', 'content-type': 'application/grpc', te: 'trailers' },
      message,
    );

    assert.equal(head['content-type'], 'application/grpc');
    assert.ok(body.equals(message));
    assert.deepEqual([trailers['grpc-status'], trailers['davit-tag']], ['0', 'v1']);
  });

  test('forwards an upload of 20 MiB completely', inLong, async () => {
    const body = randomBytes(BIG);

    const response = await send(app.host, '/echo', 'POST', body);
    const { length, sha256 } = JSON.parse(await textOf(response)) as { length: number; sha256: string };

    assert.deepEqual([length, sha256], [BIG, createHash('sha256').update(body).digest('hex')]);
  });

  test('forwards a download of 20 MiB completely', inLong, async () => {
    const script =
      'head -c "$0" /dev/urandom > /www/big; sha256sum < /www/big > /www/sum; exec httpd -f -p 8080 -h /www';
    const files = await harness.deployedApp({ command: ['sh', '-c', script, String(BIG)] });

    const hash = createHash('sha256');
    for await (const chunk of await send(files.host, '/big')) hash.update(chunk);

    assert.equal((await files.get('/sum')).text.split(' ')[0], hash.digest('hex'));
  });
});

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}
