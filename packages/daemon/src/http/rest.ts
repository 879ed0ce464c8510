import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Minimum time in milliseconds for which a connection is not read. */
export const REST_MS = 5_000;
/**
 * Maximum number of connections that resume at a time. However many connections are paused, their next requests are
 * limited to a thousand per second.
 */
const TOGETHER = 50;
const EVERY_MS = 50;

/**
 * Pauses connections of unknown callers after a response 429. The response is sent immediately, but the next request is
 * read later. Otherwise a flood over thousands of connections would fill every turn of the event loop with responses,
 * and a turn accepts few new connections. Connections of the proxy carry requests of many users, so they are never
 * paused.
 */
export class Rests {
  /** Paused connections in the order in which their pauses end. */
  readonly #resting = new Map<Socket, number>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Pauses the connection of a request as soon as the response is written. */
  begin({ headers, socket }: IncomingMessage, outgoing: ServerResponse): void {
    if (headers['x-forwarded-for'] !== undefined) return;
    // The pause must begin after the handlers of the response's end, which may read from the connection.
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
