import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Raw connection of an HTTP request that asks to switch to another protocol, such as WebSocket. */
export interface Upgrade {
  socket: Duplex;
  /** Bytes that the client sent after the HTTP request. */
  head: Buffer;
}

/**
 * Returns whether an HTTP request asks for a WebSocket. Other upgrades, such as to HTTP/2, are optional, so such a
 * request is handled like a request without an upgrade.
 */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return method === 'GET' && !hasBody && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Returns a `ServerResponse` for a connection that Node has detached after an upgrade request. With it, a WebSocket
 * request can be refused with a normal HTTP response.
 */
export function answerOver(incoming: IncomingMessage, connection: Duplex): ServerResponse {
  // Node's types allow any `Duplex`, but the connection of an HTTP server is always a `Socket`.
  const socket = connection as Socket;
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  // The socket is destroyed after the response, because a client that keeps its side open would keep the connection
  // forever.
  outgoing.once('finish', () => socket.destroySoon());
  // Without a listener for `error`, a connection error would end the process.
  socket.on('error', () => socket.destroy());
  return outgoing;
}
