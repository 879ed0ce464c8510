import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Minimum time in milliseconds for which the server pauses a connection. During the pause, the server reads no requests
 * from this connection.
 */
export const REST_MS = 5_000;
/**
 * Maximum number of paused connections that the server resumes every 50 ms. The value 50 allows 1,000 connections per
 * second, and each of them can send one request.
 */
const TOGETHER = 50;
const EVERY_MS = 50;

/**
 * Pauses a client's connection after a response with status 429 (too many requests). Only clients without a credential
 * are paused. The response is sent at once, but the server reads the next request later. Without the pause, thousands
 * of connections could overload the daemon. Connections from the proxy are never paused, because many users share them.
 */
export class Rests {
  /** Paused connections, each with its earliest resume time on the monotonic clock. Sorted by this time. */
  readonly #resting = new Map<Socket, number>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Stops reading from a client's connection for some time. The pause begins after the response was sent. Does nothing
   * for a connection from the proxy, because many users share it.
   */
  begin({ headers, socket }: IncomingMessage, outgoing: ServerResponse): void {
    if (headers['x-forwarded-for'] !== undefined) return;
    // Pauses the connection after the `finish` event, because Node.js starts reading again during this event.
    outgoing.once('finish', () => setImmediate(() => this.#rest(socket)));
  }

  #rest(socket: Socket): void {
    if (socket.destroyed || this.#resting.has(socket)) return;
    socket.pause();
    this.#resting.set(socket, this.#now() + REST_MS);
    this.#timer ??= setInterval(() => this.#wake(), EVERY_MS).unref();
  }

  #wake(): void {
    const now = this.#now();
    let woken = 0;
    for (const [socket, until] of this.#resting) {
      if (until > now || woken === TOGETHER) break;
      this.#resting.delete(socket);
      if (socket.destroyed) continue;
      socket.resume();
      woken += 1;
    }
    if (this.#resting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
