import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection that changes from HTTP to another protocol. */
export interface Upgrade {
  socket: Duplex;
  /** Bytes that follow the request. */
  head: Buffer;
}

/**
 * Returns whether a request is for a WebSocket. Other upgrades, such as to another version of HTTP, are optional, so
 * such a request is handled like any other.
 */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return method === 'GET' && !hasBody && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Returns a response for a connection that Node has detached, so that a WebSocket request can be refused like any other
 * request.
 */
export function answerOver(incoming: IncomingMessage, connection: Duplex): ServerResponse {
  // The connection of a server is always a `Socket`, although the types of Node allow others.
  const socket = connection as Socket;
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  // The socket is destroyed, because a client that keeps its side open would otherwise keep the connection forever.
  outgoing.once('finish', () => socket.destroySoon());
  // No other listener exists, and a closed connection is not an error of the server.
  socket.on('error', () => socket.destroy());
  return outgoing;
}
