import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { framing, MAX_HEADERS } from './framing.ts';
import type { Logger } from './logger.ts';
import {
  type RawAnswer,
  type RawFacts,
  type RawForm,
  type RawStatus,
  rawAnswer,
  rawText,
  statusOf,
} from './raw-answer.ts';
import { requestId } from './request-id.ts';
import { demandFree, listening, listenOnFile } from './sockets.ts';
import { answerOver, asksForWebSocket, type Upgrade } from './upgrade.ts';

/** Values in `c.env` of a Hono app. */
export interface ListenerBindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** Whether the request arrived over the Unix socket. */
  local: boolean;
  /**
   * Upgrade of the connection. Set if the request is for a WebSocket. A handler that answers {@link ALREADY_SENT} has
   * taken over the connection.
   */
  upgrade?: Upgrade | undefined;
}

/** Limits in milliseconds and bytes against slow and large requests. The duration of a response is not limited. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** This time is longer than that of the proxy, so that the proxy closes idle connections. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1_000,
};
/**
 * Number of listening sockets for one address. Each turn of the event loop accepts one connection from each socket.
 * When two thousand connections flood the server, a new connection waits eleven seconds with one socket, but only one
 * second with eight.
 */
const DOORS = 8;
const MAX_CONNECTIONS = 16_384;

export interface ListenerOptions {
  app: { fetch: (request: Request, env: ListenerBindings) => Response | Promise<Response> };
  log: Logger;
  /** Headers of all answers that are not from the app. */
  headers?: Readonly<Record<string, string>>;
  limits?: Partial<typeof LIMITS>;
  /** Format of errors outside of the app. Default: one sentence of text. */
  form?: RawForm;
}

export interface CloseOptions {
  /** Time in milliseconds for running requests to end. */
  deadlineMs: number;
  /** Requests that only wait. `close` does not wait for them, but cuts them when the other requests have ended. */
  waiting?: { has(outgoing: ServerResponse): boolean; cut(): void };
}

export interface Listener {
  /**
   * Listens on a TCP port.
   * @param port port, or 0 for any free port
   * @returns the address and port of the listener
   */
  listenTcp(host: string, port: number): Promise<{ host: string; port: number }>;
  /**
   * Listens on a socket file that only its owner can use. An existing file is replaced, because a killed process does
   * not remove its socket file.
   */
  listenUnix(path: string): Promise<void>;
  /** Stops accepting connections, waits for running requests, and then cuts the remaining ones. */
  close(options: CloseOptions): Promise<void>;
}

/** Time in milliseconds for canceled requests to write their answer. */
const CUT_MS = 1_000;

/** Serves a Hono app over HTTP/1.1. Every error in the HTTP framing is answered with text and a request id. */
export function createListener(options: ListenerOptions): Listener {
  return new HttpListener(options);
}

class HttpListener implements Listener {
  readonly #options: ListenerOptions;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #servers: Server[] = [];
  readonly #active = new Map<ServerResponse, Socket>();
  readonly #answering = new WeakMap<Socket, ServerResponse>();
  readonly #upgrades = new WeakMap<IncomingMessage, Upgrade>();
  #onEnd: () => void = () => undefined;
  #closing = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#headers = options.headers ?? {};
  }

  async listenTcp(host: string, port: number): Promise<{ host: string; port: number }> {
    // The sockets below would share the address with sockets of another process, so the port must be free before.
    if (port !== 0) await demandFree(host, port);
    let shared = port;
    for (let door = 0; door < DOORS; door++) {
      const server = this.#serve(false);
      await listening(server, { host, port: shared, reusePort: true });
      shared = (server.address() as AddressInfo).port;
    }
    return { host, port: shared };
  }

  listenUnix(path: string): Promise<void> {
    return listenOnFile(this.#serve(true), path);
  }

  async close({ deadlineMs, waiting }: CloseOptions): Promise<void> {
    this.#closing = true;
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const outgoing of this.#active.keys()) outgoing.shouldKeepAlive = false;
    for (const server of this.#servers) server.closeIdleConnections();
    await this.#until((outgoing) => waiting?.has(outgoing) ?? false, deadlineMs);
    waiting?.cut();
    await this.#until(() => false, CUT_MS);
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(closed);
  }

  /** Resolves when all running requests are ignored ones, or when the time is over. */
  #until(ignored: (outgoing: ServerResponse) => boolean, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#onEnd = () => {
      if (this.#active.keys().every(ignored)) resolve();
    };
    this.#onEnd();
    return promise.finally(() => clearTimeout(timer));
  }

  #serve(local: boolean): Server {
    const { app, limits } = this.#options;
    const fetch = (request: Request, { incoming, outgoing }: HttpBindings) => {
      return app.fetch(request, { incoming, outgoing, local, upgrade: this.#upgrades.get(incoming) });
    };
    const answer = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
      hostname: 'localhost',
      errorHandler: (error) => this.#unroutable(error),
    });
    // The Host header is checked here, because the refusal of Node has no body.
    const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#track(incoming, outgoing);
      const status = framing(incoming);
      if (status !== 200) this.#refuse(incoming, outgoing, status);
      else void answer(incoming, outgoing);
    };
    const own = { requireHostHeader: false, shouldUpgradeCallback: asksForWebSocket };
    const server = createServer({ ...LIMITS, ...limits, ...own }, serve);
    server.on('upgrade', (incoming, socket, head) => {
      this.#upgrades.set(incoming, { socket, head });
      serve(incoming, answerOver(incoming, socket));
    });
    // The limit is one more than allowed: Node silently drops headers above its limit, and a dropped header must be
    // detected.
    server.maxHeadersCount = MAX_HEADERS + 1;
    server.maxConnections = MAX_CONNECTIONS / DOORS;
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#clientError(error, socket));
    server.on('checkExpectation', (incoming, outgoing) => this.#refuse(incoming, outgoing, 417));
    server.on('connect', (incoming, socket) => void socket.end(rawText(this.#answerTo(incoming, 400))));
    this.#servers.push(server);
    return server;
  }

  #track(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    this.#active.set(outgoing, socket);
    this.#answering.set(socket, outgoing);
    if (this.#closing) outgoing.shouldKeepAlive = false;
    outgoing.once('close', () => {
      this.#active.delete(outgoing);
      // Without the deletion, an idle connection would keep its whole last request in memory.
      if (this.#answering.get(socket) === outgoing) this.#answering.delete(socket);
      if (!this.#closing) return;
      // A response that sent its headers before the close announced a persistent connection.
      if (!socket.destroyed) socket.end();
      this.#onEnd();
    });
  }

  #clientError(error: NodeJS.ErrnoException, socket: Socket): void {
    const begun = this.#answering.get(socket);
    const midway = begun?.headersSent === true && !begun.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || midway) {
      socket.destroy();
      return;
    }
    const id = requestId(undefined);
    this.#options.log.debug({ requestId: id, code: error.code }, 'unreadable request');
    socket.end(rawText(rawAnswer(statusOf(error.code), this.#facts(id))));
  }

  #refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: RawStatus): void {
    const { headers, body } = this.#answerTo(incoming, status);
    outgoing.writeHead(status, headers);
    outgoing.end(body);
  }

  #answerTo({ headers }: IncomingMessage, status: RawStatus): RawAnswer {
    const id = requestId(headers['x-request-id']);
    return rawAnswer(status, { ...this.#facts(id), accept: headers.accept });
  }

  #facts(id: string): RawFacts {
    return { requestId: id, headers: this.#headers, form: this.#options.form };
  }

  /** Answers if the framework cannot create a request, or if the app throws outside of its error handling. */
  #unroutable(error: unknown): Response {
    const id = requestId(undefined);
    const isOurs = (error as Error).name !== 'RequestError';
    if (isOurs) this.#options.log.error({ requestId: id, error }, 'request failed before it reached the app');
    const { status, headers, body } = rawAnswer(isOurs ? 500 : 400, this.#facts(id));
    const { 'Content-Length': _, Connection: __, ...others } = headers;
    return new Response(body, { status, headers: others as Record<string, string> });
  }
}
