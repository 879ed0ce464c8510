import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Minimum duration of a connection's pause in milliseconds. The server reads no requests from a paused connection. */
export const REST_MS = 5_000;
/**
 * Maximum number of paused connections that the server resumes every 50 ms. With this limit, all paused connections
 * together can send at most 1,000 requests per second.
 */
const TOGETHER = 50;
const EVERY_MS = 50;

/**
 * Pauses the connection of a client without a credential after a response with status 429. The response is sent
 * immediately, but the next request is read later. Without the pause, thousands of such connections could keep the
 * event loop busy and block new connections. Connections from the proxy are never paused, because they carry requests
 * of many users.
 */
export class Rests {
  /** Paused connections, each with the time at which the pause may end. The earliest time comes first. */
  readonly #resting = new Map<Socket, number>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Stops reading from a client's connection for some time. The pause begins after the response was sent. Connections
   * of the proxy are not paused.
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
