import { DavitError, ERRORS, type ErrorCode } from './errors.ts';
import type { Body, Operation, Params, Query, Result } from './operation.ts';
import { type OperationId, type Operations, operations } from './operations/index.ts';

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

type Arguments<O extends Operation> = (Params<O> extends undefined ? { params?: undefined } : { params: Params<O> }) &
  (Query<O> extends undefined ? { query?: undefined } : { query?: Query<O> }) &
  (Body<O> extends undefined ? { body?: undefined } : { body?: Body<O> }) & { signal?: AbortSignal };

/** One method an operation, typed by its declaration; each rejects with a {@link DavitError} carrying the server's sentence. */
export type Client = { [Id in OperationId]: (args?: Arguments<Operations[Id]>) => Promise<Result<Operations[Id]>> };

export function createClient(options: ClientOptions): Client {
  const entries = Object.entries(operations).map(([id, operation]) => [
    id,
    (args: Loose = {}) => call(options, operation, args),
  ]);
  return Object.fromEntries(entries) as Client;
}

interface Loose {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

async function call(options: ClientOptions, operation: Operation, args: Loose): Promise<unknown> {
  const headers: Record<string, string> = {};
  if (options.key) headers.authorization = `Bearer ${options.key}`;
  if (args.body !== undefined) headers['content-type'] = 'application/json';
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const response = await send(address(options.url, operation, args), {
    method: operation.method,
    headers,
    ...(args.body !== undefined && { body: JSON.stringify(args.body) }),
    ...(args.signal && { signal: args.signal }),
  });
  const text = await response.text();
  if (!response.ok) throw new DavitError(codeOf(response.status), text.trim() || `HTTP ${response.status}`);
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return isJson ? JSON.parse(text) : text || undefined;
}

function address(url: string, operation: Operation, args: Loose): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(args.params?.[name] ?? ''));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args.query ?? {})) if (value !== undefined) query.set(name, String(value));
  return `${url}/api${path}${query.size > 0 ? `?${query}` : ''}`;
}

function codeOf(status: number): ErrorCode {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return codes.find((code) => ERRORS[code].status === status) ?? 'internal';
}
