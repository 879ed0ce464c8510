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
 * `open`: outside `/api`, for everybody. `public`: below `/api`, for everybody. `caller`: for who is signed in.
 */
export type Access = 'open' | 'public' | 'caller';

/** Anything that can be asked for: an operation of the contract, or one of the routes deliberately absent from it. */
export interface Endpoint {
  method: Method;
  /** From the root, with `{name}` parameters. */
  path: string;
  access: Access;
  /** Its name in the audit log: the operation's id, or method and path of a route that is not one. */
  operation: string;
  /** What it answers when all goes well, by what the query asks for. */
  success: (query: Query) => number;
  /** What it acts on and what that takes; null for a route that is about the caller himself or about nothing. */
  needs: { permission: Permission; scope: Scope } | null;
  /** Where not every credential counts; absent: every one that {@link authenticate} knows. */
  whoAsks?: (parts: AuthenticationParts, exchange: Exchange) => Caller;
  /** Slows strangers down where they may ask; throws what they are answered. */
  pace?: (exchange: Exchange) => void;
  /** Its protocol's own rules: query and body are not looked at before its handler does. */
  raw: boolean;
  /** What it reads is kept by somebody else: no change of ours is compared with it. */
  readsElsewhere?: boolean;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  bodyOptional: boolean;
  bodyBytes: number;
  handle(exchange: Exchange, ctx: RequestContext): Reply | Promise<Reply>;
}

/** A query as its schema made it; only its booleans decide how something is answered. */
type Query = Readonly<Record<string, unknown>>;

/**
 * A request that is made in this process on behalf of who sent another one, such as a message of an agent. It comes over
 * the connection of that one, and everything else is its own.
 */
export interface InnerRequest {
  method: string;
  /** With its query. */
  url: string;
  bytes: Buffer | null;
  headers: IncomingHttpHeaders;
  requestId: string;
  /** Found anew each time: rights may have ended since the other one came. */
  whoAsks(parts: AuthenticationParts): Caller;
}

/** One request on its way through the pipeline: what is known of it so far. */
export class Exchange implements RequestFacts, ResponseFacts {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly local: boolean;
  /** It asks for a WebSocket; undefined: it does not. */
  readonly upgrade: Upgrade | undefined;
  /** Null: it came as a request of its own. */
  readonly inner: InnerRequest | null;
  readonly requestId: string;
  /** As sent, before any decoding. */
  readonly path: string;
  readonly isApi: boolean;
  /** Null: no route has this path and method. */
  readonly endpoint: Endpoint | null;
  caller: Caller | null = null;
  params: Record<string, string> = {};
  bytes: Buffer | null = null;
  /** What the caller may still ask; null where nobody is known. */
  allowance: Allowance | null = null;
  /** The work goes on when its caller has gone: it will ask again. */
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

  /** What comes over a WebSocket changes things, and browsers let every site open one: it is judged as a write. */
  get isRead(): boolean {
    if (this.upgrade !== undefined) return false;
    return this.method === 'GET' || this.method === 'HEAD';
  }

  /** What would be done was asked, and nothing was: once its query is known. */
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

  /** @throws DavitError unauthorized */
  whoAsks(parts: AuthenticationParts): Caller {
    if (this.inner !== null) return this.inner.whoAsks(parts);
    return this.endpoint?.whoAsks?.(parts, this) ?? authenticate(parts, this);
  }

  /** Where the reader of a live answer was; sent empty it says nothing. */
  get lastEventId(): string | undefined {
    const id = this.headers['last-event-id'];
    return typeof id === 'string' && id !== '' ? id : undefined;
  }

  /** @throws DavitError unauthorized: only a public route may go without */
  get signedIn(): Caller {
    if (this.caller === null) throw new DavitError('unauthorized');
    return this.caller;
  }
}

/** The operation context of a request; what costs something is made when it is asked for. */
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
