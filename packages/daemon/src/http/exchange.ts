import type { IncomingMessage, ServerResponse } from 'node:http';
import { DavitError } from '@davit/api';
import { type ListenerBindings, type Logger, pathOf, queryOf, requestId, type Upgrade } from '@davit/service';
import type { Caller } from '../auth/actor.ts';
import { isSecure, type RequestFacts } from '../auth/facts.ts';
import type { OpContext } from '../context.ts';
import type { Endpoint } from './endpoint.ts';
import type { Allowance } from './rate-limits.ts';
import type { ResponseFacts } from './respond.ts';
import type { Waits } from './waits.ts';

/** One request on its way through the pipeline: what is known of it so far. */
export class Exchange implements RequestFacts, ResponseFacts {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly local: boolean;
  /** It asks for a WebSocket; undefined: it does not. */
  readonly upgrade: Upgrade | undefined;
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

  constructor({ incoming, outgoing, local, upgrade }: ListenerBindings, endpoint: Endpoint | null) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.local = local;
    this.upgrade = upgrade;
    this.endpoint = endpoint;
    this.requestId = requestId(incoming.headers['x-request-id']);
    this.path = pathOf(incoming.url ?? '/');
    this.isApi = this.path === '/api' || this.path.startsWith('/api/');
  }

  get method(): string {
    return this.incoming.method ?? 'GET';
  }

  /** What comes over a WebSocket changes things, and browsers let every site open one: it is judged as a write. */
  get isRead(): boolean {
    if (this.upgrade !== undefined) return false;
    return this.method === 'GET' || this.method === 'HEAD';
  }

  get headers() {
    return this.incoming.headers;
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
    return queryOf(this.incoming.url ?? '/');
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
