import type { Operation, Received } from '@davit/api';
import type { OpContext } from '../auth/context.ts';
import type { Targets } from '../authorization/lookup.ts';
import type { Page } from '../input/paging.ts';
import type { LiveEvent } from '../streams/live-event.ts';

/** Input of a handler: the caller, the target that the operation's permission allowed, and the validated fields. */
export interface OperationCall<O extends Operation> extends Received<O> {
  ctx: OpContext;
  target: Targets[O['scope']];
  params: Record<string, string>;
  /** Last event that the reader of a stream has received, as the reader states it. The value is not validated. */
  lastEventId: string | undefined;
}

/**
 * Result of a handler. A string body is sent as text, a stream is passed on, any other value is sent as JSON, and
 * `undefined` means no body. `events` replaces the body by a stream of type `text/event-stream`. The stream is read as
 * fast as the client accepts data, so its source must limit its buffer. The signal aborts when the client disconnects,
 * when the client's rights end, and when the instance stops.
 */
export interface Reply {
  status: number;
  body?: unknown;
  events?: (signal: AbortSignal) => AsyncIterable<LiveEvent>;
  /**
   * Time in milliseconds without events after which a comment is sent, if the reader set its own value. Used only with
   * `events`.
   */
  heartbeatMs?: number | undefined;
  headers?: Record<string, string>;
  /** Cursor of the next page for the `Link` header, or `null` if there is no next page. */
  next?: string | null;
}

/** Result if the handler took over the connection, so that no response is sent. */
export const TAKEN_OVER: Reply = { status: 101 };

export type Handler<O extends Operation> = (call: OperationCall<O>) => Reply | Promise<Reply>;

/** Operation with its handler. */
export interface Binding {
  operation: Operation;
  handler: (call: OperationCall<Operation>) => Reply | Promise<Reply>;
}

/** Binds a handler to an operation. The operation's declaration determines the types of target, query and body. */
export function bind<const O extends Operation>(operation: O, handler: Handler<O>): Binding {
  // The dispatcher passes exactly the values that the operation's scope and schemas produced.
  return { operation, handler: handler as unknown as Binding['handler'] };
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown, location: string): Reply => ({ status: 201, body, headers: { location } });
/** Returns a list or one page of it. */
export const paged = ({ items, next }: Page<unknown>): Reply => ({ status: 200, body: items, next });
export const noContent = (): Reply => ({ status: 204 });

export type { LiveEvent } from '../streams/live-event.ts';
