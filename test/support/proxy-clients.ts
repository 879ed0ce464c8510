/** Clients that keep connections through the proxy open for a long time. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { request as requestSecurely } from 'node:https';
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { patience } from '@davit/testkit/waiting';
import { WebSocket } from 'ws';

/**
 * Sends a request exactly as given.
 * @returns all received text until the connection closes
 */
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

/** Opens a WebSocket whose server returns all messages. */
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

/** Opens an event stream and reads its events as they arrive. */
export async function openEvents(port: number, host: string, secure = false) {
  const options = { host: '127.0.0.1', port, path: '/events', headers: { host }, agent: false as const };
  const tls = { servername: host, rejectUnauthorized: false };
  const clientRequest = secure ? requestSecurely({ ...options, ...tls }) : request(options);
  clientRequest.end();
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  // The client aborts the stream at the end. An earlier abort would show as a missing event ID.
  response.on('error', () => undefined);
  return {
    /** Waits for another event, and checks that all earlier events arrived once and in order. */
    async assertWhole() {
      await once(response, 'data', { signal: patience() });
      const ids = [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
      assert.deepEqual(
        ids,
        ids.map((_, index) => index + 1),
      );
    },
    async [Symbol.asyncDispose]() {
      clientRequest.destroy();
    },
  };
}

/** Sends one request over HTTP/2, on a separate connection. */
export async function sendHttp2(port: number, host: string, body: string, secure = false) {
  const session = openHttp2(port, host, secure);
  try {
    return await sendOn(session, host, body);
  } finally {
    session.close();
  }
}

/** Opens an HTTP/2 connection. */
export function openHttp2(port: number, host: string, secure: boolean): ClientHttp2Session {
  const tls = { servername: host, rejectUnauthorized: false };
  return secure ? connectHttp2(`https://127.0.0.1:${port}`, tls) : connectHttp2(`http://127.0.0.1:${port}`);
}

/** Opens a WebSocket in an HTTP/2 stream (RFC 8441), sends a text frame and returns the frame that comes back. */
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
  // A final text frame of two bytes. A mask of zeros does not change the bytes.
  stream.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
  const [frame] = (await once(stream, 'data')) as [Buffer];
  session.destroy();
  return frame.subarray(-2).toString();
}

/** Sends one request on a connection that stays open. */
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
  /** Common name of the presented certificate. */
  subject: string;
  /** TLS version, such as `TLSv1.3`. */
  protocol: string;
  /** Negotiated protocol, `h2` or `http/1.1`. Empty if none was negotiated. */
  alpn: string;
  resumed: boolean;
  session: Buffer | undefined;
}

/** Connects and returns the result of the TLS handshake. Sends one request if HTTP/1.1 was negotiated. */
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
