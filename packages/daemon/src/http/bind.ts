import type { Operation, Received } from '@davit/api';
import type { OpContext } from '../context.ts';
import type { Targets } from '../core/lookup.ts';

/** What a handler gets: who asks, the thing it acts on (found for the operation's permission), and the valid fields. */
export interface Call<O extends Operation> extends Received<O> {
  ctx: OpContext;
  target: Targets[O['scope']];
  params: Record<string, string>;
}

/** What a handler answers. A string body is text, anything else JSON; undefined is no body. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export type Handler<O extends Operation> = (call: Call<O>) => Reply | Promise<Reply>;

/** An operation with its handler, ready to be registered. */
export interface Binding {
  operation: Operation;
  handler: (call: Call<Operation>) => Reply | Promise<Reply>;
}

/** Ties an operation to its handler; the types of target, query and body come from the declaration. */
export function bind<const O extends Operation>(operation: O, handler: Handler<O>): Binding {
  // The dispatcher hands a handler exactly what its operation's scope and schemas produced.
  return { operation, handler: handler as unknown as Binding['handler'] };
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown, location: string): Reply => ({ status: 201, body, headers: { location } });
export const noContent = (): Reply => ({ status: 204 });
