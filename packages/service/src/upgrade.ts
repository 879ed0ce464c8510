import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection that is to carry something else than HTTP from now on. */
export interface Upgrade {
  socket: Duplex;
  /** What came behind the request. */
  head: Buffer;
}

/** Other upgrades, of HTTP itself for one, are offers that may be passed over: such a request is like any other. */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return method === 'GET' && !hasBody && headers.upgrade?.toLowerCase() === 'websocket';
}

/** A response on a connection that Node has let go of, so that who asks for a WebSocket is refused like anybody else. */
export function answerOver(incoming: IncomingMessage, connection: Duplex): ServerResponse {
  // The connection of a server is always one; Node's types allow for others.
  const socket = connection as Socket;
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  // Not only ended: a client that keeps its half open would have it for ever.
  outgoing.once('finish', () => socket.destroySoon());
  // Nobody listens to it any more, and a client that is gone is no failure of ours.
  socket.on('error', () => socket.destroy());
  return outgoing;
}
