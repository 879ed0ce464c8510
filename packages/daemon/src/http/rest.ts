import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Minimum time in milliseconds for which the server pauses a connection. The server reads no requests from a paused
 * connection.
 */
export const REST_MS = 5_000;
/**
 * Maximum number of paused connections that the server resumes every 50 ms. With the value 50, the server resumes at
 * most 1,000 connections per second.
 */
const TOGETHER = 50;
const EVERY_MS = 50;

/**
 * Pauses a client's connection after a response with status 429 (too many requests). Only connections of clients
 * without a credential are paused. Without the pause, requests on thousands of connections could overload the daemon.
 * Connections from the proxy are never paused, because many users share them.
 */
export class Rests {
  /** Paused connections and their earliest resume times on the monotonic clock, sorted by resume time. */
  readonly #resting = new Map<Socket, number>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;

  /** @param now returns the time of a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Pauses a client's connection after the response was sent. Does nothing for a connection from the proxy, because
   * many users share this connection.
   */
  begin({ headers, socket }: IncomingMessage, outgoing: ServerResponse): void {
    if (headers['x-forwarded-for'] !== undefined) return;
    // The pause starts after the `finish` event, because Node.js starts reading again during this event.
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
