/** MCP agents: the official client in two protocol revisions, and single messages in their wire format. */

import { type Answer, type Sending, send, type TestDaemon } from '@davit/testkit';
import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Revisions of the protocol: the stateless one, and the revision before it. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof ERAS)[number];

export interface Connection {
  /** Query string of the MCP address, for example `?tools=all`. Default: none. */
  query?: string;
  /** Sends the HTTP requests of the client. Default: `fetch`. */
  fetch?: FetchLike;
}

/** Returns a connected client. Disposing it closes the connection. */
export async function connect(
  { url }: Pick<TestDaemon, 'url'>,
  key: string,
  era: Era = '2026-07-28',
  { query = '', ...options }: Connection = {},
): Promise<Client & AsyncDisposable> {
  const client = new Client(
    { name: 'test', version: '1' },
    era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { ...options, requestInit }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

export interface Message {
  jsonrpc: string;
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown> | null;
}

const META = 'io.modelcontextprotocol/';

/** Returns a message of the stateless revision. */
export function message(method: string, params: Record<string, unknown> = {}, id: number | string = 1): Message {
  const _meta = {
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientInfo`]: { name: 'test', version: '1' },
    [`${META}clientCapabilities`]: {},
    ...(params._meta as object | undefined),
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
}

/** Returns the HTTP headers of a message. */
export function headersFor({ method = '', params = {} }: Message): Record<string, string> {
  const name = params?.name ?? params?.uri;
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

/**
 * Sends a message with exactly these headers. A header with the value `undefined` is omitted.
 * @param query query string of the MCP address
 */
export function post(
  daemon: TestDaemon,
  body: unknown,
  headers: Record<string, string | undefined> = {},
  key: string | null = daemon.key,
  query = '',
): Promise<Answer> {
  const usual = headersFor((body ?? {}) as Message);
  const all = { ...usual, ...(key !== null && { authorization: `Bearer ${key}` }), ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const sending: Sending = {
    method: 'POST',
    path: `/mcp${query}`,
    headers: sent as Record<string, string>,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
  return daemon.send(sending);
}

export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** Returns the JSON-RPC message of a response: its JSON, or the last event of its stream. */
export function messageIn({ text, headers }: Answer): {
  result?: ToolResult;
  error?: { code: number; message: string };
} {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
  const last = isStream
    ? text
        .trimEnd()
        .split('\n')
        .at(-1)
        ?.replace(/^data: /, '')
    : text;
  return JSON.parse(last ?? '');
}

/**
 * Calls a tool with one message.
 * @returns the result of the tool
 * @throws Error for any other response
 */
export async function callTool(
  daemon: TestDaemon,
  name: string,
  args: Record<string, unknown> = {},
  key: string = daemon.key,
): Promise<ToolResult> {
  const answer = await post(daemon, message('tools/call', { name, arguments: args }), {}, key);
  const { result, error } = messageIn(answer);
  if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error ?? answer.text)}`);
  return result;
}

/** Returns all text parts of a tool's result. */
export function said({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}
export { send };
