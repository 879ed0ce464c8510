import type { IncomingMessage } from 'node:http';
import { type ListenerBindings, queryOf, requestId } from '@davit/service';
import type { Context } from 'hono';

export type CatalogContext = Context<{ Bindings: ListenerBindings }>;

/** Request data for a route. */
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

  /** Returns the raw text after the `?`. */
  get query(): string {
    return queryOf(this.incoming.url ?? '');
  }

  /** Returns a part of the path, decoded once. */
  param(name: string): string {
    return this.#context.req.param(name) ?? '';
  }

  get requestId(): string {
    return requestId(this.incoming.headers['x-request-id']);
  }
}

/** One path of the API with its handler. */
export interface Route {
  /** Id of the operation in the contract. */
  id: string;
  method: 'GET' | 'POST';
  /** Path below `/api/v1`, with `:name` for a variable part. */
  path: string;
  /** Whether the path is also available without `/api/v1`, for operators of the catalog. */
  atRoot?: boolean;
  handle(exchange: Exchange): Response | Promise<Response>;
}
