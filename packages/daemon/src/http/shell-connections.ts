import { DavitError } from '@davit/api';
import type { Terminal } from '../engine/engine.ts';
import type { Exchange } from './exchange.ts';
import { ShellSocket } from './shell-socket.ts';

/** Of one user, and of all together: each holds a process in an instance. */
const MOST_OF_USER = 10;
const MOST = 100;

/** How often rights and peers are looked at. */
const TICK_MS = 1_000;

/** A paste comes as one message. */
const MOST_BYTES = 1024 * 1024;

export interface ShellParts {
  terminal: Terminal;
  mayGoOn: () => boolean;
  /** Aborts when the client has gone or the instance stops. */
  signal: AbortSignal;
}

/** A place among the shells that may be open at once. */
export interface ShellPlace {
  /** Aborts with the signal given, or when the place is given back: for what must not outlive it. */
  signal(until: AbortSignal): AbortSignal;
  /** Makes a WebSocket of a request and lets it talk to a terminal. @param onEnd told why, once both are closed */
  begin(exchange: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void>;
  giveBack(): Promise<void>;
}

/** Every open shell: counted, and looked after by one timer while there is any. */
export class ShellConnections {
  readonly #ofUser = new Map<number | null, number>();
  readonly #open = new Set<ShellSocket>();
  #reserved = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @throws DavitError too_many_requests */
  reserve(userId: number | null): ShellPlace {
    const own = this.#ofUser.get(userId) ?? 0;
    if (own >= MOST_OF_USER || this.#reserved >= MOST) {
      const whose = own >= MOST_OF_USER ? `You have ${own} shells open` : `There are ${this.#reserved} shells open`;
      throw new DavitError('too_many_requests', `${whose}, which is as many as there may be: close one first.`, {
        retryAfterS: 5,
      });
    }
    this.#reserved += 1;
    this.#ofUser.set(userId, own + 1);
    const ending = new AbortController();
    const giveBack = async () => {
      if (ending.signal.aborted) return;
      ending.abort();
      this.#reserved -= 1;
      const left = (this.#ofUser.get(userId) ?? 1) - 1;
      if (left > 0) this.#ofUser.set(userId, left);
      else this.#ofUser.delete(userId);
    };
    return {
      signal: (until) => AbortSignal.any([until, ending.signal]),
      begin: (exchange, parts, onEnd) =>
        this.#begin(exchange, parts, (why) => {
          void giveBack();
          onEnd(why);
        }),
      giveBack,
    };
  }

  /** The library is loaded with the first shell: most instances never open one. */
  async #begin({ incoming, upgrade }: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void> {
    const { WebSocketServer } = await import('ws');
    parts.signal.throwIfAborted();
    // It was asked for on the way here.
    if (upgrade === undefined) throw new Error('a shell was begun on a request that is no upgrade');
    const limits = { maxPayload: MOST_BYTES, perMessageDeflate: false, clientTracking: false };
    const server = new WebSocketServer({ noServer: true, ...limits });
    server.handleUpgrade(incoming, upgrade.socket, upgrade.head, (socket) => {
      const shell = new ShellSocket(socket, parts);
      this.#open.add(shell);
      this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
      void shell.run().then((why) => {
        this.#open.delete(shell);
        if (this.#open.size === 0) this.#timer = void clearInterval(this.#timer);
        onEnd(why);
      });
    });
  }

  #tick(): void {
    for (const shell of this.#open) shell.tick();
  }
}
