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
import { answerOver, isWebSocketRequest, type Upgrade } from './upgrade.ts';

/** Values that the HTTP listener passes to a Hono app in `c.env`. */
export interface ListenerBindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  /** Whether the HTTP request arrived over the Unix socket. */
  local: boolean;
  /**
   * Raw connection of a WebSocket request. `undefined` for all other requests. A handler that uses the connection must
   * return `ALREADY_SENT`.
   */
  upgrade?: Upgrade | undefined;
}

/**
 * Limits of the HTTP server in milliseconds and bytes. The limits protect the server against slow and large requests.
 * The time for sending a response is not limited.
 */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /**
   * This timeout is longer than the idle timeout of HAProxy. Idle connections are therefore closed by HAProxy, and not
   * by this server.
   */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1_000,
};
/**
 * Number of sockets that listen on the same TCP port. Each socket accepts one connection per event loop turn. With only
 * one socket, 2,000 connections would wait eleven seconds instead of one second.
 */
const DOORS = 8;
const MAX_CONNECTIONS = 16_384;

export interface ListenerOptions {
  app: { fetch: (request: Request, env: ListenerBindings) => Response | Promise<Response> };
  log: Logger;
  /** Headers for error responses that the HTTP listener itself sends, for example if an HTTP request is invalid. */
  headers?: Readonly<Record<string, string>>;
  limits?: Partial<typeof LIMITS>;
  /**
   * Format of the error responses that the HTTP listener itself creates. By default, an error response is one sentence
   * of text.
   */
  form?: RawForm;
}

export interface CloseOptions {
  /** Maximum time in milliseconds that `close` waits for running HTTP requests. */
  deadlineMs: number;
  /**
   * Open HTTP requests that wait for events. When the listener closes, `cut` ends these requests after all other
   * requests have ended.
   */
  waiting?: { has(outgoing: ServerResponse): boolean; cut(): void };
}

export interface Listener {
  /**
   * Listens on a TCP port.
   * @param port port number, or 0 for any free port
   * @returns the address and port of the listener
   */
  listenTcp(host: string, port: number): Promise<{ host: string; port: number }>;
  /**
   * Listens on a Unix socket file with the permissions 0600. An existing file is replaced, because a killed process
   * does not delete its socket file.
   */
  listenUnix(path: string): Promise<void>;
  /** Stops accepting connections and waits for running HTTP requests. Then, all connections are closed. */
  close(options: CloseOptions): Promise<void>;
}

/**
 * Maximum time in milliseconds that `close` waits for the end of canceled requests. After this time, `close` closes
 * their connections, even during a response.
 */
const CUT_MS = 1_000;

/**
 * Serves a Hono app over HTTP/1.1. If an HTTP request is invalid, the listener does not call the app. The listener then
 * responds with an error and a request id.
 */
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
    // Check that the port is free. With the option `reusePort`, another process could already listen on the same port.
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

  /**
   * Waits until all HTTP requests have ended, but at most `ms` milliseconds. A request is not included if `ignored`
   * returns `true` for it.
   */
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
      // Node itself reads the rest of a body that the app has not read. Timers of Hono would keep each request in memory.
      autoCleanupIncoming: false,
    });
    // Check the `Host` header here. If the header is missing, Node's own error response has no body.
    const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#track(incoming, outgoing);
      const status = framing(incoming);
      if (status !== 200) this.#refuse(incoming, outgoing, status);
      else void answer(incoming, outgoing);
    };
    const own = { requireHostHeader: false, shouldUpgradeCallback: isWebSocketRequest };
    const server = createServer({ ...LIMITS, ...limits, ...own }, serve);
    server.on('upgrade', (incoming, socket, head) => {
      this.#upgrades.set(incoming, { socket, head });
      serve(incoming, answerOver(incoming, socket));
    });
    /*
     * Node ignores all headers above this limit without an error. Accept one header more than allowed, so that the
     * listener can detect too many headers.
     */
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
      // Remove the finished response, so that an idle connection does not keep the response and its request in memory.
      if (this.#answering.get(socket) === outgoing) this.#answering.delete(socket);
      if (!this.#closing) return;
      // Close the connection now. The response headers may have told the client that the connection stays open.
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

  /**
   * Creates the error response if Hono cannot create a `Request` object, or if the app throws an error outside its
   * error handler.
   */
  #unroutable(error: unknown): Response {
    const id = requestId(undefined);
    const isOurs = (error as Error).name !== 'RequestError';
    if (isOurs) this.#options.log.error({ requestId: id, error }, 'request failed before it reached the app');
    const { status, headers, body } = rawAnswer(isOurs ? 500 : 400, this.#facts(id));
    const { 'Content-Length': _, Connection: __, ...others } = headers;
    return new Response(body, { status, headers: others as Record<string, string> });
  }
}
