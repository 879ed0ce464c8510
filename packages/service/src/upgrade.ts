import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Raw connection of an HTTP request that asks the server to switch to another protocol, such as WebSocket. */
export interface Upgrade {
  socket: Duplex;
  /** Bytes that the client sent after the HTTP request. */
  head: Buffer;
}

/**
 * Returns whether an HTTP request asks for a WebSocket. The server ignores other upgrades, such as to HTTP/2, and
 * handles such a request as a normal request.
 */
export function isWebSocketRequest({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return method === 'GET' && !hasBody && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Returns a `ServerResponse` for a WebSocket request. Node creates no such object, but the server needs it to refuse
 * the request, for example with status 403.
 */
export function answerOver(incoming: IncomingMessage, connection: Duplex): ServerResponse {
  /*
   * The type cast is safe. A connection of an HTTP server is always a `Socket`, although Node's type allows any
   * `Duplex`.
   */
  const socket = connection as Socket;
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  // Destroy the socket. Otherwise, a client that does not close its side could keep the connection open forever.
  outgoing.once('finish', () => socket.destroySoon());
  // Listen for the event `error`, because an unhandled error of the connection would end the process.
  socket.on('error', () => socket.destroy());
  return outgoing;
}
