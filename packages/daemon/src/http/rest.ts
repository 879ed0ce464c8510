import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a connection is not read from, at least. */
export const REST_MS = 5_000;
/** So many go on at a time: however many rest, what they ask for next is spread out to a thousand requests a second. */
const TOGETHER = 50;
const EVERY_MS = 50;

/**
 * Lets the connections of strangers rest who were just told that they try too often: they are answered at once, and their
 * next request is read a little later. A flood over thousands of connections would otherwise fill every turn of the event
 * loop with answers that nobody waits for, and a turn takes few new connections. The proxy's connections carry everybody's
 * requests, so that they do not rest.
 */
export class Rests {
  /** Whose rest is over first stands first. */
  readonly #resting = new Map<Socket, number>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;

  /** @param now milliseconds of a clock that is never put back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Lets the connection of a request rest as soon as the answer to it is written. */
  begin({ headers, socket }: IncomingMessage, outgoing: ServerResponse): void {
    if (headers['x-forwarded-for'] !== undefined) return;
    // After what is done at the end of an answer, which may read on.
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
