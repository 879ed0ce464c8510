import type { Operation, Received } from '@davit/api';
import type { OpContext } from '../auth/context.ts';
import type { Targets } from '../authorization/lookup.ts';
import type { Page } from '../input/paging.ts';
import type { LiveEvent } from '../streams/live-event.ts';

/** Input of an endpoint's handler: the caller, the object that the caller may access, and the validated fields. */
export interface OperationCall<O extends Operation> extends Received<O> {
  ctx: OpContext;
  target: Targets[O['scope']];
  params: Record<string, string>;
  /** Header `Last-Event-ID`: the last event that the client of a stream has received. Not validated. */
  lastEventId: string | undefined;
}

/**
 * Result of an endpoint's handler. A string body is sent as text, and a stream is forwarded. Any other body is sent as
 * JSON, and `undefined` means no body.
 *
 * `events` replaces the body with an event stream (`text/event-stream`). Events are read only as fast as the client
 * accepts them, so their source must limit its buffer. The signal aborts when the client disconnects, its rights end,
 * or the instance stops.
 */
export interface Reply {
  status: number;
  body?: unknown;
  events?: (signal: AbortSignal) => AsyncIterable<LiveEvent>;
  /**
   * Time in milliseconds without events after which a heartbeat comment is sent. Used only with `events`. `undefined`
   * means the default.
   */
  heartbeatMs?: number | undefined;
  headers?: Record<string, string>;
  /** Cursor of the next page for the `Link` header, or `null` for the last page. */
  next?: string | null;
}

/** Result of a handler that has taken over the connection, for example for a WebSocket. No response is sent. */
export const TAKEN_OVER: Reply = { status: 101 };

export type Handler<O extends Operation> = (call: OperationCall<O>) => Reply | Promise<Reply>;

export interface Binding {
  operation: Operation;
  handler: (call: OperationCall<Operation>) => Reply | Promise<Reply>;
}

/** Connects an operation of the API with its handler. The operation defines the types of target, query and body. */
export function bind<const O extends Operation>(operation: O, handler: Handler<O>): Binding {
  // The caller of the handler passes exactly the values that the operation's scope and schemas define.
  return { operation, handler: handler as unknown as Binding['handler'] };
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown, location: string): Reply => ({ status: 201, body, headers: { location } });
/** Returns a response with a list, or with one page of it. */
export const paged = ({ items, next }: Page<unknown>): Reply => ({ status: 200, body: items, next });
export const noContent = (): Reply => ({ status: 204 });

export type { LiveEvent } from '../streams/live-event.ts';
