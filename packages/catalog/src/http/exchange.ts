import type { IncomingMessage } from 'node:http';
import { type ListenerBindings, queryOf, requestId } from '@davit/service';
import type { Context } from 'hono';

export type CatalogContext = Context<{ Bindings: ListenerBindings }>;

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

  /** Returns the query string of the request URL without decoding it. */
  get query(): string {
    return queryOf(this.incoming.url ?? '');
  }

  /** Returns the value of a path parameter after decoding its percent-encoding once. */
  param(name: string): string {
    return this.#context.req.param(name) ?? '';
  }

  get requestId(): string {
    return requestId(this.incoming.headers['x-request-id']);
  }
}

export interface Route {
  /** `operationId` of the route in the OpenAPI document. */
  id: string;
  method: 'GET' | 'POST';
  /** Path of the API route below `/api/v1`. A variable part has the form `:name`. */
  path: string;
  /**
   * Whether the API route is also available without the prefix `/api/v1`. Routes for operators use this, such as
   * `/metrics`.
   */
  atRoot?: boolean;
  handle(exchange: Exchange): Response | Promise<Response>;
}
