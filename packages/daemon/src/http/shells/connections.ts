import type { DavitError } from '@davit/api';
import type { Logger } from '@davit/service';
import type { WebSocket } from 'ws';
import type { Exchange } from '../exchange.ts';
import { ClientGone } from '../request/body.ts';
import { Places } from '../streams/places.ts';
import { type ShellParts, ShellSocket } from './socket.ts';

/** Of one user, and of all together: each holds a process in an instance. */
const MOST_OF_USER = 10;
const MOST = 100;

/** How often rights and peers are looked at. */
const TICK_MS = 1_000;

const NOT_ALLOWED = 1_008;

/** A paste comes as one message. */
const MOST_BYTES = 1024 * 1024;

/** A place among the shells that may be open at once. */
export interface ShellPlace {
  /** Aborts with the signal given, or when the place is given back: for what must not outlive it. */
  signal(until: AbortSignal): AbortSignal;
  /** Makes a WebSocket of a request and lets it talk to a terminal. @param onEnd told why, once both are closed */
  begin(exchange: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void>;
  giveBack(): void;
}

/** Every open shell: counted, and looked after by one timer while there is any. */
export class ShellConnections {
  readonly #places = new Places('shells', { ofUser: () => MOST_OF_USER, ofAll: MOST });
  /** Those that are open, with their ends. */
  readonly #open = new Map<ShellSocket, Promise<void>>();
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @throws DavitError too_many_requests */
  reserve(userId: number | null): ShellPlace {
    const release = this.#places.take(userId);
    const ending = new AbortController();
    const giveBack = () => {
      ending.abort();
      release();
    };
    return {
      signal: (until) => AbortSignal.any([until, ending.signal]),
      begin: (exchange, parts, onEnd) =>
        this.#begin(exchange, parts, (why) => {
          giveBack();
          onEnd(why);
        }),
      giveBack,
    };
  }

  /** Resolves when every program of those that are open has ended: they are told to end by their signals. */
  async settled(): Promise<void> {
    await Promise.all(this.#open.values());
  }

  /**
   * Tells why there is no shell in a message of the WebSocket that was asked for: a browser shows its pages nothing of an
   * answer that refuses one.
   */
  async refuse(exchange: Exchange, { code, message }: DavitError): Promise<void> {
    const socket = await accept(exchange);
    socket.on('error', () => undefined);
    socket.send(JSON.stringify({ refused: { code, message } }));
    socket.close(NOT_ALLOWED, 'It is refused.');
    // A peer that does not answer must not hold anything up.
    setTimeout(() => socket.terminate(), TICK_MS).unref();
  }

  async #begin(exchange: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void> {
    const socket = await accept(exchange, parts.signal);
    this.#run(new ShellSocket(socket, parts), onEnd);
  }

  #run(shell: ShellSocket, onEnd: (why: string) => void): void {
    const ended = shell.run().catch((error) => {
      this.#log.error({ error }, 'the program of a shell could not be ended');
      return 'its program could not be ended';
    });
    const told = ended.then((why) => {
      this.#open.delete(shell);
      if (this.#open.size === 0) this.#timer = void clearInterval(this.#timer);
      onEnd(why);
    });
    this.#open.set(shell, told);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    for (const shell of this.#open.keys()) shell.tick();
  }
}

/** The library is loaded with the first shell: most instances never open one. @throws ClientGone */
async function accept({ incoming, upgrade }: Exchange, signal?: AbortSignal): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  signal?.throwIfAborted();
  // It was asked for on the way here.
  if (upgrade === undefined) throw new Error('a shell was begun on a request that is no upgrade');
  const limits = { maxPayload: MOST_BYTES, perMessageDeflate: false, clientTracking: false };
  const server = new WebSocketServer({ noServer: true, ...limits });
  let accepted: WebSocket | null = null;
  server.handleUpgrade(incoming, upgrade.socket, upgrade.head, (socket) => {
    accepted = socket;
  });
  // A connection that was closed in between is let go without a word.
  if (accepted === null) throw new ClientGone();
  return accepted;
}
