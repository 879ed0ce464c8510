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

/** What a Hono app finds in `c.env`. */
export interface ListenerBindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** The request came over the unix socket. */
  local: boolean;
  /** The request asks for a WebSocket: whoever answers {@link ALREADY_SENT} has taken its connection over. */
  upgrade?: Upgrade | undefined;
}

/** Against slow and oversized requests. A response may take as long as it likes. Milliseconds and bytes. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than the proxy's, so that the proxy is the one that closes. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1_000,
};
/**
 * Sockets that listen at one address. A turn of the event loop takes one connection from each: with a single socket, two
 * thousand connections that flood the server make everybody else's wait for eleven seconds, with eight for one.
 */
const DOORS = 8;
const MAX_CONNECTIONS = 16_384;

export interface ListenerOptions {
  app: { fetch: (request: Request, env: ListenerBindings) => Response | Promise<Response> };
  log: Logger;
  /** On every answer that does not come from the app. */
  headers?: Readonly<Record<string, string>>;
  limits?: Partial<typeof LIMITS>;
  /** How what does not reach the app is refused; absent: in one sentence of text. */
  form?: RawForm;
}

export interface CloseOptions {
  /** How long running requests may take to end. */
  deadlineMs: number;
  /** Requests that only wait: a close does not wait for them, but cuts them when the others have ended. */
  waiting?: { has(outgoing: ServerResponse): boolean; cut(): void };
}

export interface Listener {
  /** @param port 0 for any; answers where it listens */
  listenTcp(host: string, port: number): Promise<{ host: string; port: number }>;
  /** Listens on a socket file that only its owner can use, in place of what is there: a killed process leaves its own. */
  listenUnix(path: string): Promise<void>;
  /** Stops accepting, lets running requests end, then cuts what is left. */
  close(options: CloseOptions): Promise<void>;
}

/** How long requests that were told to end have to write their answer. */
const CUT_MS = 1_000;

/** Serves a Hono app over HTTP/1.1. Every failure of the framing is answered as text with a request id. */
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
    // The sockets below would share the address with those of another process, so that it must be free before.
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

  /** Resolves when every running request is one that may be ignored, or when the time is over. */
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
    // The Host header is judged here, since Node's own refusal has no body.
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
    // One more than there may be: Node drops further ones silently, and a dropped header must not go unnoticed.
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
      // Kept, it would hold on to its whole request for as long as the connection idles.
      if (this.#answering.get(socket) === outgoing) this.#answering.delete(socket);
      if (!this.#closing) return;
      // A response whose headers had left before the close still promised to keep the connection.
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

  /** The framework could not make a request of it, or the app threw past its own error handling. */
  #unroutable(error: unknown): Response {
    const id = requestId(undefined);
    const isOurs = (error as Error).name !== 'RequestError';
    if (isOurs) this.#options.log.error({ requestId: id, error }, 'request failed outside the app');
    const { status, headers, body } = rawAnswer(isOurs ? 500 : 400, this.#facts(id));
    const { 'Content-Length': _, Connection: __, ...others } = headers;
    return new Response(body, { status, headers: others as Record<string, string> });
  }
}
