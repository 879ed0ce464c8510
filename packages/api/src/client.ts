import type { z } from 'zod';
import type { Call } from './call.ts';
import { CALLS } from './calls.ts';
import type { DavitError } from './errors.ts';
import { follow, type LiveMessage, type Requester } from './follow.ts';
import type { Body, Operation, Params, Query, Result } from './operation.ts';
import type { OperationId, Operations } from './operations/index.ts';
import { acceptWithProblem, refusal } from './refusal.ts';

/** The part of `fetch` that the client needs: a unix socket or a test can stand in for the network. */
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<Response>;

export interface ClientOptions {
  /** The instance's address without `/api`, for example `http://127.0.0.1:3000`. */
  url: string;
  /** An API key; absent where a cookie or the local socket speaks for the caller. */
  key?: string;
  fetch?: Fetch;
}

/** What any call may carry beside what its operation declares. */
export interface CallOptions {
  signal?: AbortSignal;
  /** For a POST: sent again with the same key, it is carried out once. */
  idempotencyKey?: string;
  /** For a change: refused unless what a read showed with this `ETag` is still the same. */
  ifMatch?: string;
  /** Hears the headers of the answer: its `ETag`, the `Link` to the next page. */
  onHeaders?: (headers: Headers) => void;
  /** Hears, once an outage, that a live answer is cut off; it goes on by itself when the instance is back. */
  onAway?: () => void;
  /** Hears the position of a live answer that begins without one: what it is resumed with before its first event. */
  onPosition?: (id: string) => void;
  /** A live answer ends with its first connection: whoever asks goes on by himself, with another question. */
  once?: boolean;
}

type Arguments<O extends Operation> = (Params<O> extends undefined ? { params?: undefined } : { params: Params<O> }) &
  (Query<O> extends undefined ? { query?: undefined } : { query?: Query<O> }) &
  (Body<O> extends undefined ? { body?: undefined } : { body?: Body<O> }) &
  CallOptions;

/** One method an operation, typed by its declaration; each rejects with a {@link DavitError} carrying the server's sentence. */
export type Client = { [Id in OperationId]: (args?: Arguments<Operations[Id]>) => Promise<Result<Operations[Id]>> } & {
  /** The operations that answer live, as they happen. */
  live: LiveClient;
};

/** The operations that can be followed. */
export type LiveOperationId = {
  [Id in OperationId]: Operations[Id]['responses'] extends { 200: { events: z.ZodType } } ? Id : never;
}[OperationId];

type Told<O extends Operation> = O['responses'] extends { 200: { events: infer E extends z.ZodType } }
  ? z.output<E>
  : never;

/**
 * One method an operation that answers live. What is only read is connected to again when the connection breaks, after
 * the last event, until the server says that there is no more, the signal aborts or the loop is left. Each rejects with
 * a {@link DavitError} when it is refused.
 */
export type LiveClient = {
  [Id in LiveOperationId]: (args?: Arguments<Operations[Id]>) => AsyncGenerator<LiveMessage<Told<Operations[Id]>>>;
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
  // What may be larger than memory is the caller’s to take.
  if (response.ok && response.headers.get('content-type') === 'application/octet-stream') return response.body;
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return isJson ? JSON.parse(text) : text || undefined;
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
      return response.status === 204 ? null : response.body;
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
  const ask: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  return ask(address(options.url, operation, args), {
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
