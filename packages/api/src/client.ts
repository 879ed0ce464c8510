import type { z } from 'zod';
import { bodyIn, mediaTypeOf, unexpectedResponse } from './answer.ts';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';
import type { DavitError } from './errors.ts';
import { follow, type LiveMessage, type Requester } from './follow.ts';
import type { Body, Operation, Params, Query, Result } from './operation.ts';
import type { OperationId, Operations } from './operations/index.ts';
import { acceptWithProblem, refusal } from './refusal.ts';

/**
 * The part of the `fetch` API that the API client uses. The CLI passes a `fetch` function for Unix sockets, and tests
 * pass their own function.
 */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<Response>;

export interface ClientOptions {
  /** URL of the instance without `/api`, such as `http://127.0.0.1:3000`. */
  url: string;
  /** API key. Absent if the client authenticates with a session cookie or through the local Unix socket. */
  key?: string;
  fetch?: Fetch;
}

/** Options that every method of the API client accepts. */
export interface CallOptions {
  signal?: AbortSignal;
  /** `Idempotency-Key` header of a POST request. The instance executes requests with the same key only once. */
  idempotencyKey?: string;
  /**
   * `ETag` header of an earlier response. If the resource has changed since that response, the instance refuses the
   * request.
   */
  ifMatch?: string;
  /** Function that receives the response headers. Examples are `ETag`, and `Link` with the URL of the next page. */
  onHeaders?: (headers: Headers) => void;
  /**
   * Called if the connection of an event stream is lost and the first reconnect fails. The client continues to
   * reconnect.
   */
  onAway?: () => void;
  /**
   * Called if the server sends the start position of an event stream before the first event. After a lost connection,
   * the client can continue from this position.
   */
  onPosition?: (id: string) => void;
  /** If `true`, the client does not reconnect after a lost connection. The event stream then ends. */
  once?: boolean;
}

type Arguments<O extends Operation> = (Params<O> extends undefined ? { params?: undefined } : { params: Params<O> }) &
  (Query<O> extends undefined ? { query?: undefined } : { query?: Query<O> }) &
  (Body<O> extends undefined ? { body?: undefined } : { body?: Body<O> }) &
  CallOptions;

/**
 * API client with one method per operation. Each method rejects with a {@link DavitError} if the instance refuses the
 * request.
 */
export type Client = { [Id in OperationId]: (args?: Arguments<Operations[Id]>) => Promise<Result<Operations[Id]>> } & {
  live: LiveClient;
};

/** IDs of the operations that can return an event stream. */
export type LiveOperationId = {
  [Id in OperationId]: Operations[Id]['responses'] extends { 200: { events: z.ZodType } } ? Id : never;
}[OperationId];

type EventOf<O extends Operation> = O['responses'] extends { 200: { events: infer E extends z.ZodType } }
  ? z.output<E>
  : never;

/**
 * API client for event streams, with one method per operation. After a lost connection, the client repeats a GET
 * request and continues after the last event.
 */
export type LiveClient = {
  /**
   * Ends when the server ends the event stream. Throws `DavitError` if the instance refuses the request. Throws an
   * error if the request is aborted.
   */
  [Id in LiveOperationId]: (args?: Arguments<Operations[Id]>) => AsyncGenerator<LiveMessage<EventOf<Operations[Id]>>>;
};

export function createClient(options: ClientOptions): Client {
  const entries = Object.entries(CALLS);
  const calls = entries.map(([id, operation]) => [id, (args: Loose = {}) => call(options, operation, args)]);
  const streams = entries
    .filter(([, { live }]) => live)
    .map(([id, operation]) => [id, (args: Loose = {}) => follow(requester(options, operation, args), args.signal)]);
  return { ...Object.fromEntries(calls), live: Object.fromEntries(streams) } as Client;
}

interface Loose extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

async function call(options: ClientOptions, operation: Call, args: Loose): Promise<unknown> {
  const response = await send(options, operation, args);
  args.onHeaders?.(response.headers);
  // A binary response, such as a backup, is returned as a stream, because the response can be larger than the memory.
  if (response.ok && mediaTypeOf(response) === 'application/octet-stream') return response.body;
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  return bodyIn(response, text);
}

function requester(options: ClientOptions, operation: Call, args: Loose): Requester {
  return {
    isRead: operation.method === 'GET',
    isOnce: args.once === true,
    onAway: () => args.onAway?.(),
    onPosition: (id) => args.onPosition?.(id),
    open: async (lastEventId, signal) => {
      const headers: Record<string, string> = { accept: acceptWithProblem('text/event-stream') };
      if (lastEventId !== '') headers['last-event-id'] = lastEventId;
      const response = await send(options, operation, { ...args, ...(signal && { signal }) }, headers);
      if (!response.ok) throw refusal(response, await response.text());
      if (response.status === 204) return null;
      if (mediaTypeOf(response) === 'text/event-stream') return response.body;
      await response.body?.cancel();
      throw unexpectedResponse(response);
    },
  };
}

function send(
  options: ClientOptions,
  operation: Call,
  args: Loose,
  more: Record<string, string> = {},
): Promise<Response> {
  const headers: Record<string, string> = { accept: acceptWithProblem(), ...more };
  if (options.key) headers.authorization = `Bearer ${options.key}`;
  if (args.body !== undefined) headers['content-type'] = 'application/json';
  if (args.idempotencyKey !== undefined) headers['idempotency-key'] = args.idempotencyKey;
  if (args.ifMatch !== undefined) headers['if-match'] = args.ifMatch;
  const sendRequest: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  return sendRequest(address(options.url, operation, args), {
    method: operation.method,
    headers,
    ...(args.body !== undefined && { body: JSON.stringify(args.body) }),
    ...(args.signal && { signal: args.signal }),
  });
}

function address(url: string, operation: Call, args: Loose): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(args.params?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args.query ?? {})) if (value !== undefined) query.set(name, String(value));
  return `${url}/api${path}${query.size > 0 ? `?${query}` : ''}`;
}
