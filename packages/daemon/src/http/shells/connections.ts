import type { DavitError } from '@davit/api';
import type { Logger } from '@davit/service';
import type { WebSocket } from 'ws';
import type { Exchange } from '../exchange.ts';
import { ClientGone } from '../request/body.ts';
import { Places } from '../streams/places.ts';
import { type ShellParts, ShellSocket } from './socket.ts';

/** Maximum number of open shells of one user and of all users together. Each shell holds a process in a container. */
const MOST_OF_USER = 10;
const MOST = 100;

/** Interval in milliseconds of the checks of rights and connections. */
const TICK_MS = 1_000;

const NOT_ALLOWED = 1_008;

/** Maximum size of a message in bytes. A paste arrives as one message. */
const MOST_BYTES = 1024 * 1024;

/** Reserved slot for one open shell. */
export interface ShellPlace {
  /** Returns a signal that aborts with the given signal or when the slot is released. */
  signal(until: AbortSignal): AbortSignal;
  /**
   * Upgrades a request to a WebSocket and connects it to a terminal.
   * @param onEnd called with the reason when both are closed
   */
  begin(exchange: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void>;
  giveBack(): void;
}

/** All open shells. Their number is limited, and a timer checks the shells while at least one shell is open. */
export class ShellConnections {
  readonly #places = new Places('shells', { ofUser: () => MOST_OF_USER, ofAll: MOST });
  /** Open shells and the promises of their ends. */
  readonly #open = new Map<ShellSocket, Promise<void>>();
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Reserves a slot for a shell. @throws DavitError too_many_requests */
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

  /** Resolves when the programs of all open shells have ended. Their signals stop them. */
  async settled(): Promise<void> {
    await Promise.all(this.#open.values());
  }

  /**
   * Refuses a shell with a message on the WebSocket, because browsers hide the response of a refused upgrade from
   * pages.
   */
  async refuse(exchange: Exchange, { code, message }: DavitError): Promise<void> {
    const socket = await accept(exchange);
    socket.on('error', () => undefined);
    socket.send(JSON.stringify({ refused: { code, message } }));
    socket.close(NOT_ALLOWED, 'The connection was refused.');
    // A client that does not respond must not delay the close.
    setTimeout(() => socket.terminate(), TICK_MS).unref();
  }

  async #begin(exchange: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void> {
    const socket = await accept(exchange, parts.signal);
    this.#run(new ShellSocket(socket, parts), onEnd);
  }

  #run(shell: ShellSocket, onEnd: (why: string) => void): void {
    const ended = shell.run().catch((error) => {
      this.#log.error({ error }, 'program of a shell could not be ended');
      return 'program of a shell could not be ended';
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

/**
 * Accepts a WebSocket. The library is loaded with the first shell, because most instances never open a shell.
 * @throws ClientGone
 */
async function accept({ incoming, upgrade }: Exchange, signal?: AbortSignal): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  signal?.throwIfAborted();
  // The endpoint has already checked that the request is an upgrade.
  if (upgrade === undefined) throw new Error('a shell was begun on a request that is no upgrade');
  const limits = { maxPayload: MOST_BYTES, perMessageDeflate: false, clientTracking: false };
  const server = new WebSocketServer({ noServer: true, ...limits });
  let accepted: WebSocket | null = null;
  server.handleUpgrade(incoming, upgrade.socket, upgrade.head, (socket) => {
    accepted = socket;
  });
  // The library drops a connection that was closed meanwhile without a callback.
  if (accepted === null) throw new ClientGone();
  return accepted;
}
