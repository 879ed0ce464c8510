import type { DavitError } from '@davit/api';
import type { Logger } from '@davit/service';
import type { WebSocket } from 'ws';
import type { Exchange } from '../exchange.ts';
import { ClientGone } from '../request/body.ts';
import { ConnectionSlots } from '../streams/connection-slots.ts';
import { type ShellParts, ShellSocket } from './socket.ts';

/**
 * Limits for one kind of connections. Each shell needs a process in a container, and each tunnel needs a TCP
 * connection.
 */
export interface ShellCounts {
  /** Name of the connections in error messages, as a plural noun. */
  what: 'shells' | 'tunnels';
  /** Maximum number of open connections of one user. */
  ofUser: number;
  /** Maximum number of open connections of all users together. */
  ofAll: number;
}

export const SHELL_COUNTS: ShellCounts = { what: 'shells', ofUser: 10, ofAll: 100 };
export const TUNNEL_COUNTS: ShellCounts = { what: 'tunnels', ofUser: 20, ofAll: 200 };

/**
 * Interval in milliseconds at which Davit checks all open shells. For each shell, Davit checks the permissions of the
 * caller and the connection.
 */
const TICK_MS = 1_000;

const NOT_ALLOWED = 1_008;

/** Maximum size of a WebSocket message in bytes. Text that a user pastes arrives as one message. */
const MOST_BYTES = 1024 * 1024;

/** Reservation for one shell. The number of open shells is limited, so each shell needs a reservation. */
export interface ShellReservation {
  /** Returns the abort signal of a shell. The signal aborts when `until` aborts or when the reservation ends. */
  signal(until: AbortSignal): AbortSignal;
  /**
   * Connects the WebSocket of a request to a terminal.
   * @param onEnd called with the reason after both the WebSocket and the terminal have ended
   */
  begin(exchange: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void>;
  giveBack(): void;
}

/**
 * Manages all open shells, or all open tunnels. Limits the number of connections, and checks all connections with one
 * timer.
 */
export class ShellConnections {
  readonly #slots: ConnectionSlots;
  /** Open shells. The promise of a shell resolves when the shell has ended. */
  readonly #open = new Map<ShellSocket, Promise<void>>();
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger, { what, ofUser, ofAll } = SHELL_COUNTS) {
    this.#slots = new ConnectionSlots(what, { ofUser: () => ofUser, ofAll });
    this.#log = log;
  }

  /**
   * Reserves capacity for one shell, because the number of open shells is limited.
   * @throws DavitError too_many_requests if too many shells are open
   */
  reserve(userId: number | null): ShellReservation {
    const release = this.#slots.take(userId);
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

  /**
   * Waits until the programs of all open shells have ended, but does not end these programs. The caller must first
   * abort the signals of the shells.
   */
  async settled(): Promise<void> {
    await Promise.all(this.#open.values());
  }

  /**
   * Sends an error message on a new WebSocket. A web page cannot read the HTTP error response to a WebSocket request.
   */
  async refuse(exchange: Exchange, { code, message }: DavitError): Promise<void> {
    const socket = await accept(exchange);
    socket.on('error', () => undefined);
    socket.send(JSON.stringify({ refused: { code, message } }));
    socket.close(NOT_ALLOWED, 'The connection was refused.');
    // If the client does not confirm in time that the WebSocket is closed, Davit terminates the connection.
    setTimeout(() => socket.terminate(), TICK_MS).unref();
  }

  async #begin(exchange: Exchange, parts: ShellParts, onEnd: (why: string) => void): Promise<void> {
    const socket = await accept(exchange, parts.signal);
    this.#run(new ShellSocket(socket, parts), onEnd);
  }

  #run(shell: ShellSocket, onEnd: (why: string) => void): void {
    const ended = shell.run().catch((error) => {
      this.#log.error({ error }, 'program of a terminal session could not be stopped');
      return 'program of a terminal session could not be stopped';
    });
    const finished = ended.then((why) => {
      this.#open.delete(shell);
      if (this.#open.size === 0) this.#timer = void clearInterval(this.#timer);
      onEnd(why);
    });
    this.#open.set(shell, finished);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  #tick(): void {
    for (const shell of this.#open.keys()) shell.tick();
  }
}

/**
 * Accepts the WebSocket of a request. The WebSocket library is imported here, because most instances never need it.
 * @throws ClientGone if the client has disconnected
 */
async function accept({ incoming, upgrade }: Exchange, signal?: AbortSignal): Promise<WebSocket> {
  const { WebSocketServer } = await import('ws');
  signal?.throwIfAborted();
  // This error cannot occur. `demandHandshake` has already checked that the request is a WebSocket upgrade.
  if (upgrade === undefined) throw new Error('The request for the terminal is not a WebSocket upgrade.');
  const limits = { maxPayload: MOST_BYTES, perMessageDeflate: false, clientTracking: false };
  const server = new WebSocketServer({ noServer: true, ...limits });
  let accepted: WebSocket | null = null;
  server.handleUpgrade(incoming, upgrade.socket, upgrade.head, (socket) => {
    accepted = socket;
  });
  // The WebSocket library does not call the callback of `handleUpgrade` if the client has disconnected.
  if (accepted === null) throw new ClientGone();
  return accepted;
}
