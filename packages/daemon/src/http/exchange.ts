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
 * Access to an endpoint. `open`: outside `/api`, without a credential. `public`: below `/api`, without a credential.
 * `caller`: only with a credential.
 */
export type Access = 'open' | 'public' | 'caller';

/** Endpoint of the server: an operation of the contract, or a route that is deliberately absent from the contract. */
export interface Endpoint {
  method: Method;
  /** Path from the root, with parameters as `{name}`. */
  path: string;
  access: Access;
  /** Name in the audit log: the operation's id, or method and path of an absent route. */
  operation: string;
  /** Returns the success status for a query. */
  success: (query: Query) => number;
  /** Scope and permission of the operation, or `null` for a route that concerns only the caller or no object. */
  needs: { permission: Permission; scope: Scope } | null;
  /** Authenticates the caller of a route that accepts only some credentials. Default: {@link authenticate}. */
  whoAsks?: (parts: AuthenticationParts, exchange: Exchange) => Caller;
  /** Limits the rate of unknown callers on public routes. Throws the error for the caller. */
  pace?: (exchange: Exchange) => void;
  /** Whether only the handler reads and checks query and body, because another protocol defines them. */
  raw: boolean;
  /** Whether another system stores the data. Such data is not compared for `If-Match`. */
  readsElsewhere?: boolean;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  bodyOptional: boolean;
  bodyBytes: number;
  handle(exchange: Exchange, ctx: RequestContext): Reply | Promise<Reply>;
}

/** Query as its schema produced it. Only its booleans affect the success status. */
type Query = Readonly<Record<string, unknown>>;

/**
 * Request inside this process on behalf of the sender of another request, for example a call of an MCP message. The
 * inner request shares only the connection with the outer request.
 */
export interface InnerRequest {
  method: string;
  /** URL with its query. */
  url: string;
  bytes: Buffer | null;
  headers: IncomingHttpHeaders;
  requestId: string;
  /** Authenticates the caller again for each request, because rights may have ended since the outer request. */
  whoAsks(parts: AuthenticationParts): Caller;
}

/** State of a request in the pipeline. */
export class Exchange implements RequestFacts, ResponseFacts {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly local: boolean;
  /** Data of a WebSocket upgrade, or `undefined` if the request is not an upgrade. */
  readonly upgrade: Upgrade | undefined;
  /** Inner request, or `null` for a request over the network. */
  readonly inner: InnerRequest | null;
  readonly requestId: string;
  /** Path as the client sent it, before decoding. */
  readonly path: string;
  readonly isApi: boolean;
  /** Endpoint, or `null` if no route has this path and method. */
  readonly endpoint: Endpoint | null;
  caller: Caller | null = null;
  params: Record<string, string> = {};
  bytes: Buffer | null = null;
  /** Remaining requests of the caller, or `null` without a caller. */
  allowance: Allowance | null = null;
  /** Whether the work continues after the client has disconnected, because the client will send the request again. */
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
   * Whether the request is a read. A WebSocket counts as a write, because its messages change data and every site may
   * open a WebSocket from a browser.
   */
  get isRead(): boolean {
    if (this.upgrade !== undefined) return false;
    return this.method === 'GET' || this.method === 'HEAD';
  }

  /** Whether the request is a dry run, which changes nothing. Valid only after the query was parsed. */
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

  /** Authenticates the caller. @throws DavitError unauthorized */
  whoAsks(parts: AuthenticationParts): Caller {
    if (this.inner !== null) return this.inner.whoAsks(parts);
    return this.endpoint?.whoAsks?.(parts, this) ?? authenticate(parts, this);
  }

  /** Last event that the reader of a stream has received, or `undefined` if the header is absent or empty. */
  get lastEventId(): string | undefined {
    const id = this.headers['last-event-id'];
    return typeof id === 'string' && id !== '' ? id : undefined;
  }

  /** The authenticated caller. @throws DavitError unauthorized without a caller, which only a public route allows */
  get signedIn(): Caller {
    if (this.caller === null) throw new DavitError('unauthorized');
    return this.caller;
  }
}

/** Operation context of a request. Costly values are created at their first use. */
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
