/** Clients that hold a connection through the proxy for long. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { WebSocket } from 'ws';

/** A WebSocket whose other end sends everything back. */
export async function openSocket(port: number, host: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } });
  await once(socket, 'open');
  return {
    async assertOpen() {
      assert.equal(socket.readyState, WebSocket.OPEN);
      socket.send('still here');
      assert.equal(String((await once(socket, 'message'))[0]), 'still here');
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
    },
  };
}

/** An event stream that is read as it comes. */
export async function openEvents(port: number, host: string) {
  const asked = request({ host: '127.0.0.1', port, path: '/events', headers: { host }, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  // The stream is torn down by this side at the end; a tear before that is seen as an id that does not come.
  response.on('error', () => undefined);
  return {
    /** Another event comes, and every one before it came once and in order. */
    async assertWhole() {
      await once(response, 'data', { signal: AbortSignal.timeout(5_000) });
      const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
      assert.deepEqual(
        ids,
        ids.map((_, index) => index + 1),
      );
    },
    async [Symbol.asyncDispose]() {
      asked.destroy();
    },
  };
}

/** One request over HTTP/2 without TLS, on a connection of its own. */
export async function sendHttp2(port: number, host: string, body: string) {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':authority': host, ':method': 'POST', ':path': '/' });
  const trailers: Record<string, unknown> = {};
  let status = 0;
  stream.on('response', (headers) => {
    status = Number(headers[':status']);
  });
  stream.on('trailers', (headers) => {
    for (const [name, value] of Object.entries(headers)) trailers[name] = value;
  });
  stream.setEncoding('utf8');
  stream.end(body);
  let text = '';
  for await (const chunk of stream) text += chunk;
  session.close();
  return { status, text, trailers };
}
