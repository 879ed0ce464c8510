/** Clients that hold a connection through the proxy for long. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { request as requestSecurely } from 'node:https';
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { patience } from '@davit/testkit/waiting';
import { WebSocket } from 'ws';

/** Sends a request as it is written; the answer until its connection closes. */
export async function sendRaw(port: number, host: string, headers: string[]): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(['GET / HTTP/1.1', `Host: ${host}`, ...headers, '', ''].join('\r\n'), 'latin1');
  await once(socket, 'close', { signal: patience() });
  return text;
}

/** A WebSocket whose other end sends everything back. */
export async function openSocket(port: number, host: string, secure = false) {
  const options = { headers: { host }, servername: host, rejectUnauthorized: false };
  const socket = new WebSocket(`${secure ? 'wss' : 'ws'}://127.0.0.1:${port}/`, options);
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
export async function openEvents(port: number, host: string, secure = false) {
  const options = { host: '127.0.0.1', port, path: '/events', headers: { host }, agent: false as const };
  const tls = { servername: host, rejectUnauthorized: false };
  const asked = secure ? requestSecurely({ ...options, ...tls }) : request(options);
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
      await once(response, 'data', { signal: patience() });
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

/** One request over HTTP/2, on a connection of its own unless one is given. */
export async function sendHttp2(port: number, host: string, body: string, secure = false) {
  const session = openHttp2(port, host, secure);
  try {
    return await sendOn(session, host, body);
  } finally {
    session.close();
  }
}

/** A connection of HTTP/2. */
export function openHttp2(port: number, host: string, secure: boolean): ClientHttp2Session {
  const tls = { servername: host, rejectUnauthorized: false };
  return secure ? connectHttp2(`https://127.0.0.1:${port}`, tls) : connectHttp2(`http://127.0.0.1:${port}`);
}

/** A WebSocket in a stream of HTTP/2 (RFC 8441): sends a frame with a text, and returns the frame that comes back. */
export async function echoOverHttp2(port: number, host: string, secure: boolean): Promise<string> {
  const session = openHttp2(port, host, secure);
  await once(session, 'remoteSettings');
  const websocket = { ':protocol': 'websocket', 'sec-websocket-version': '13' };
  const scheme = secure ? 'https' : 'http';
  const stream = session.request({
    ':method': 'CONNECT',
    ':scheme': scheme,
    ':authority': host,
    ':path': '/',
    ...websocket,
  });
  const [headers] = await once(stream, 'response');
  assert.equal(headers[':status'], 200);
  // Final text frame of two bytes; a mask of zeros leaves them as they are.
  stream.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  const [frame] = (await once(stream, 'data')) as [Buffer];
  session.destroy();
  return frame.subarray(-2).toString();
}

/** One request on a connection that stays open. */
export async function sendOn(session: ClientHttp2Session, host: string, body: string) {
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
  return { status, text, trailers };
}

export interface Handshake {
  /** The common name of the certificate that was presented. */
  subject: string;
  /** `TLSv1.3` … */
  protocol: string;
  /** `h2`, `http/1.1`; empty when none was agreed on. */
  alpn: string;
  resumed: boolean;
  session: Buffer | undefined;
}

/** Connects, asks once over HTTP/1.1 where that was agreed on, and says what the handshake came to. */
export async function shakeHands(
  port: number,
  servername: string,
  options: ConnectionOptions = {},
): Promise<Handshake> {
  const socket = connectTls({ host: '127.0.0.1', port, servername, rejectUnauthorized: false, ...options });
  let session: Buffer | undefined;
  socket.on('session', (given) => {
    session = given;
  });
  await once(socket, 'secureConnect');
  const found = {
    subject: String(socket.getPeerCertificate().subject?.CN ?? ''),
    protocol: socket.getProtocol() ?? '',
    alpn: socket.alpnProtocol || '',
    resumed: socket.isSessionReused(),
  };
  socket.write(`GET / HTTP/1.1\r\nhost: ${servername}\r\nconnection: close\r\n\r\n`);
  await once(socket.resume(), 'close');
  return { ...found, session };
}
