import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { DavitError, type Method, type Permission, type Scope } from '@davit/api';
import { type ListenerBindings, type Logger, pathOf, queryOf, requestId, type Upgrade } from '@davit/service';
import type { z } from 'zod';
import { type AuthenticationParts, authenticate, type Caller } from '../auth/actor.ts';
import type { OpContext } from '../auth/context.ts';
import { isSecure, type RequestFacts } from '../auth/facts.ts';
import type { Reply } from './bind.ts';
import type { Allowance } from './request/rate-limits.ts';
import type { ResponseFacts } from './response-facts.ts';
import type { Waits } from './waits.ts';

/**
 * Clients that can use an endpoint. `open`: all clients, for a path outside `/api`. `public`: all clients, for a path
 * inside `/api`. `caller`: only clients with a valid credential.
 */
export type Access = 'open' | 'public' | 'caller';

/**
 * Endpoint of the HTTP server. Most endpoints run an operation of the API definition. Some endpoints are not in the API
 * definition on purpose.
 */
export interface Endpoint {
  method: Method;
  /** URL path from the root, with parameters as `{name}`. */
  path: string;
  access: Access;
  /**
   * Name of the operation in the audit log. The name is the ID of the operation in the API definition, or method and
   * path.
   */
  operation: string;
  /** Returns the HTTP status of a successful response. The status can depend on the query parameters of the request. */
  success: (query: Query) => number;
  /**
   * Permission and scope that the caller needs. `null` for an endpoint that accesses no object, or only the caller's
   * own account.
   */
  needs: { permission: Permission; scope: Scope } | null;
  /**
   * Authenticates the caller of an endpoint that accepts only some kinds of credentials. Not set for endpoints that
   * accept all kinds.
   */
  whoAsks?: (parts: AuthenticationParts, exchange: Exchange) => Caller;
  /**
   * Limits the request rate of clients without a credential.
   * @throws DavitError too_many_requests
   */
  pace?: (exchange: Exchange) => void;
  /**
   * Converts an error into a response in the format of another protocol, such as the registry protocol. Not set for
   * endpoints of the API.
   */
  errorReply?: (error: DavitError) => Reply;
  /**
   * Whether the handler itself reads and checks the query string and the body, because another protocol defines their
   * format.
   */
  raw: boolean;
  /**
   * Whether the data of the response comes from another system, such as an object store. For such data, `If-Match`
   * headers are not compared with an ETag.
   */
  readsElsewhere?: boolean;
  /**
   * Whether the daemon compresses large responses. Must be `false` if responses can contain secrets, because the length
   * of a compressed response can reveal secrets.
   */
  compresses: boolean;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  bodyOptional: boolean;
  bodyBytes: number;
  handle(exchange: Exchange, ctx: RequestContext): Reply | Promise<Reply>;
}

/**
 * Query parameters after validation. Boolean parameters such as `dry_run` can change the status of a successful
 * response.
 */
type Query = Readonly<Record<string, unknown>>;

/**
 * Request that the daemon sends to itself for a client, for example for an MCP message. The request uses the client's
 * connection.
 */
export interface InnerRequest {
  method: string;
  url: string;
  bytes: Buffer | null;
  headers: IncomingHttpHeaders;
  requestId: string;
  /** Authenticates the client again, because the client may have lost permissions in the meantime. */
  whoAsks(parts: AuthenticationParts): Caller;
}

/** State of one HTTP request while it is handled. */
export class Exchange implements RequestFacts, ResponseFacts {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly local: boolean;
  /** WebSocket upgrade of the request, or `undefined` for a normal request. */
  readonly upgrade: Upgrade | undefined;
  /**
   * Request that the daemon sent to itself, for example to run an API operation for an MCP message. `null` if the
   * request came over the network.
   */
  readonly inner: InnerRequest | null;
  readonly requestId: string;
  /** URL path as the client sent it, before percent-decoding. */
  readonly path: string;
  readonly isApi: boolean;
  /** Endpoint for the method and path, or `null` if there is none. */
  readonly endpoint: Endpoint | null;
  caller: Caller | null = null;
  params: Record<string, string> = {};
  bytes: Buffer | null = null;
  /** Values of the rate limit headers in the response. `null` for a request without a sign-in. */
  allowance: Allowance | null = null;
  /**
   * Whether the request continues after the client disconnects. `true` for a request with an `Idempotency-Key`, because
   * the client will repeat this request.
   */
  outlivesCaller = false;
  isReplayed = false;
  target: unknown = null;
  query: unknown = {};
  body: unknown;

  constructor(
    { incoming, outgoing, local, upgrade }: ListenerBindings,
    endpoint: Endpoint | null,
    inner: InnerRequest | null = null,
  ) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.local = local;
    this.upgrade = upgrade;
    this.endpoint = endpoint;
    this.inner = inner;
    this.bytes = inner?.bytes ?? null;
    this.requestId = inner?.requestId ?? requestId(incoming.headers['x-request-id']);
    this.path = pathOf(this.#url);
    this.isApi = this.path === '/api' || this.path.startsWith('/api/');
  }

  get method(): string {
    return this.inner?.method ?? this.incoming.method ?? 'GET';
  }

  /**
   * Whether the request only reads data. A WebSocket request is never a read request. Any web site can open a
   * WebSocket, so these requests need the security checks of a change.
   */
  get isRead(): boolean {
    if (this.upgrade !== undefined) return false;
    return this.method === 'GET' || this.method === 'HEAD';
  }

  /**
   * Whether the request is a dry run, which changes nothing. The value is correct only after the query string was
   * parsed.
   */
  get isPlan(): boolean {
    return (this.query as { dry_run?: boolean }).dry_run === true;
  }

  get headers() {
    return this.inner?.headers ?? this.incoming.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.incoming.rawHeaders;
  }

  get peer(): string | undefined {
    return this.incoming.socket.remoteAddress;
  }

  get isSecure(): boolean {
    return isSecure(this);
  }

  get queryText(): string {
    return queryOf(this.#url);
  }

  get #url(): string {
    return this.inner?.url ?? this.incoming.url ?? '/';
  }

  /** Authenticates the caller of the request. @throws DavitError unauthorized */
  whoAsks(parts: AuthenticationParts): Caller {
    if (this.inner !== null) return this.inner.whoAsks(parts);
    return this.endpoint?.whoAsks?.(parts, this) ?? authenticate(parts, this);
  }

  /**
   * Value of the header `Last-Event-ID`, which identifies the last event that the client received from an event stream.
   * `undefined` if the header is missing or empty.
   */
  get lastEventId(): string | undefined {
    const id = this.headers['last-event-id'];
    return typeof id === 'string' && id !== '' ? id : undefined;
  }

  /**
   * The authenticated caller.
   * @throws DavitError unauthorized if the request has no caller. This is possible only for public endpoints.
   */
  get signedIn(): Caller {
    if (this.caller === null) throw new DavitError('unauthorized');
    return this.caller;
  }
}

/**
 * Data of the current request for its handler. The logger and the abort signal are created when they are first used.
 */
export class RequestContext implements OpContext {
  readonly #exchange: Exchange;
  readonly #waits: Waits;
  readonly #log: Logger;
  #child: Logger | undefined;

  constructor(exchange: Exchange, waits: Waits, log: Logger) {
    this.#exchange = exchange;
    this.#waits = waits;
    this.#log = log;
  }

  get actor() {
    return this.#exchange.signedIn.actor;
  }

  get requestId(): string {
    return this.#exchange.requestId;
  }

  get log(): Logger {
    this.#child ??= this.#log.child({ requestId: this.requestId });
    return this.#child;
  }

  get signal(): AbortSignal {
    const { outgoing, outlivesCaller } = this.#exchange;
    return outlivesCaller ? this.#waits.outliving(outgoing) : this.#waits.signal(outgoing);
  }
}
