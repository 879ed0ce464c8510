import type { Operation, Received } from '@davit/api';
import type { OpContext } from '../auth/context.ts';
import type { Targets } from '../authorization/lookup.ts';
import type { Page } from '../input/paging.ts';
import type { LiveEvent } from '../streams/live-event.ts';

/** What a handler gets: who asks, the thing it acts on (found for the operation's permission), and the valid fields. */
export interface OperationCall<O extends Operation> extends Received<O> {
  ctx: OpContext;
  target: Targets[O['scope']];
  params: Record<string, string>;
  /** The last event that the reader of a live answer has seen, as it says; not checked. */
  lastEventId: string | undefined;
}

/**
 * What a handler answers. A string body is text, a stream is passed on, anything else JSON; undefined is no body.
 * `events` instead of a body is a live answer, `text/event-stream`: it is read as fast as the client takes it, so that a
 * source has to bound what it holds; the signal aborts when the client is gone, when its rights end, and when the
 * instance stops.
 */
export interface Reply {
  status: number;
  body?: unknown;
  events?: (signal: AbortSignal) => AsyncIterable<LiveEvent>;
  /** With `events`: after how much silence a comment is sent, where the reader asked for its own. */
  heartbeatMs?: number | undefined;
  headers?: Record<string, string>;
  /** The cursor of the list's next page, which is named in `Link`; null: there is none. */
  next?: string | null;
}

/** The connection was taken over: there is nothing to be answered any more. */
export const TAKEN_OVER: Reply = { status: 101 };

export type Handler<O extends Operation> = (call: OperationCall<O>) => Reply | Promise<Reply>;

/** An operation with its handler, ready to be registered. */
export interface Binding {
  operation: Operation;
  handler: (call: OperationCall<Operation>) => Reply | Promise<Reply>;
}

/** Ties an operation to its handler; the types of target, query and body come from the declaration. */
export function bind<const O extends Operation>(operation: O, handler: Handler<O>): Binding {
  // The dispatcher hands a handler exactly what its operation's scope and schemas produced.
  return { operation, handler: handler as unknown as Binding['handler'] };
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown, location: string): Reply => ({ status: 201, body, headers: { location } });
/** A list, or one page of it. */
export const paged = ({ items, next }: Page<unknown>): Reply => ({ status: 200, body: items, next });
export const noContent = (): Reply => ({ status: 204 });

export type { LiveEvent } from '../streams/live-event.ts';
