import type { Operation, Received } from '@davit/api';
import type { OpContext } from '../auth/context.ts';
import type { Targets } from '../authorization/lookup.ts';
import type { Page } from '../input/paging.ts';
import type { LiveEvent } from '../streams/live-event.ts';

/**
 * Input for the handler of an endpoint: the context with the caller, the target object, and the validated fields. The
 * caller's permission for the target object was already checked.
 */
export interface OperationCall<O extends Operation> extends Received<O> {
  ctx: OpContext;
  target: Targets[O['scope']];
  params: Record<string, string>;
  /**
   * Value of the header `Last-Event-ID`, which identifies the last event that the client received from an event stream.
   * The value is not validated.
   */
  lastEventId: string | undefined;
}

/**
 * Response that the handler of an endpoint returns. A `body` that is a string is sent as text. A `ReadableStream` is
 * sent unchanged. Any other value is sent as JSON. `undefined` means no body.
 *
 * If `events` is set, an event stream (`text/event-stream`) is sent instead of the body. Davit reads events only as
 * fast as the client accepts them. The source of the events must therefore limit its buffer. The signal aborts when the
 * client disconnects, the caller loses permissions, or the instance stops.
 */
export interface Reply {
  status: number;
  body?: unknown;
  events?: (signal: AbortSignal) => AsyncIterable<LiveEvent>;
  /**
   * Time in milliseconds without events after which the server sends a comment, to keep the connection open. Used only
   * with `events`. `undefined` means the default.
   */
  heartbeatMs?: number | undefined;
  headers?: Record<string, string>;
  /** Cursor of the next page for the `Link` header, or `null` for the last page. */
  next?: string | null;
}

/**
 * Result of a handler that has already sent its response on the connection, for example for a WebSocket. The HTTP
 * server then sends no response.
 */
export const TAKEN_OVER: Reply = { status: 101 };

export type Handler<O extends Operation> = (call: OperationCall<O>) => Reply | Promise<Reply>;

export interface Binding {
  operation: Operation;
  handler: (call: OperationCall<Operation>) => Reply | Promise<Reply>;
}

/**
 * Connects an operation of the API with its handler. The operation determines the TypeScript types of `target`,
 * `query` and `body`.
 */
export function bind<const O extends Operation>(operation: O, handler: Handler<O>): Binding {
  // This cast is safe, because the handler gets exactly the values that the operation's scope and schemas define.
  return { operation, handler: handler as unknown as Binding['handler'] };
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown, location: string): Reply => ({ status: 201, body, headers: { location } });
/** Returns a response with a complete list or with one page of a list. */
export const paged = ({ items, next }: Page<unknown>): Reply => ({ status: 200, body: items, next });
export const noContent = (): Reply => ({ status: 204 });

export type { LiveEvent } from '../streams/live-event.ts';
