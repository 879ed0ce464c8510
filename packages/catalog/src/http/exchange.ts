import type { IncomingMessage } from 'node:http';
import { type ListenerBindings, queryOf, requestId } from '@davit/service';
import type { Context } from 'hono';

export type CatalogContext = Context<{ Bindings: ListenerBindings }>;

/** What a route is given of a request. */
export class Exchange {
  readonly incoming: IncomingMessage;
  readonly #context: CatalogContext;

  constructor(context: CatalogContext) {
    this.#context = context;
    this.incoming = context.env.incoming;
  }

  get headers() {
    return this.incoming.headers;
  }

  /** What stands behind the «?», as sent. */
  get query(): string {
    return queryOf(this.incoming.url ?? '');
  }

  /** A part of the path, decoded once. */
  param(name: string): string {
    return this.#context.req.param(name) ?? '';
  }

  get requestId(): string {
    return requestId(this.incoming.headers['x-request-id']);
  }
}

/** One address and how it is answered. */
export interface Route {
  /** The operation's in the contract. */
  id: string;
  method: 'GET' | 'POST';
  /** Below `/api/v1`, with `:name` for a part that varies. */
  path: string;
  /** The address is there without `/api/v1` too, for who runs the catalog. */
  atRoot?: boolean;
  handle(exchange: Exchange): Response | Promise<Response>;
}
