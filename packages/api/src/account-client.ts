import type { z } from 'zod';
import type { AbsentRoute } from './absent.ts';
import type { Fetch } from './client.ts';
import { acceptWithProblem, refusal } from './refusal.ts';
import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  LoginInput,
  PasswordChange,
  Session,
  Setup,
  SetupInput,
  UserSession,
} from './schemas/account.ts';
import type { Authorization, Connection, Consented, ConsentInput } from './schemas/oauth.ts';

export interface AccountClientOptions {
  /** URL of the instance without `/api`. Empty if the page comes from the instance itself. */
  url: string;
  /** API key. Absent if a cookie or the local socket authenticates the caller. */
  key?: string;
  /** Session cookie, for callers other than browsers. */
  cookie?: string;
  fetch?: Fetch;
  /** Receives the headers of each successful answer, such as the cookie of a new session. */
  onHeaders?: (headers: Headers) => void;
}

/**
 * Signs in, and manages the user's own keys, sessions and password. These routes are not in the OpenAPI document and
 * therefore not in the typed client. Each method rejects with a `DavitError` that contains the message of the server.
 */
export interface AccountClient {
  isClaimed(): Promise<boolean>;
  /** Creates the first account and a session. */
  claim(input: SetupInput): Promise<Session>;
  /** Creates a session. */
  signIn(input: LoginInput): Promise<Session>;
  /** Ends the current session. */
  signOut(): Promise<void>;
  keys(): Promise<ApiKey[]>;
  createKey(input: z.input<typeof ApiKeyCreate>): Promise<ApiKeyCreated>;
  /** Creates a replacement for a key. The old key is no longer valid. */
  rotateKey(id: number | string): Promise<ApiKeyCreated>;
  revokeKey(id: number | string): Promise<void>;
  sessions(): Promise<UserSession[]>;
  endSession(id: number | string): Promise<void>;
  changePassword(input: PasswordChange): Promise<void>;
  /**
   * Returns the program that requests access and the requested rights.
   * @param request query of the page that the program opened
   */
  reviewAuthorization(request: string): Promise<Authorization>;
  /** Allows or denies access to a program. */
  consent(input: ConsentInput): Promise<Consented>;
  /** Returns the connected programs. */
  connections(): Promise<Connection[]>;
  endConnection(id: number | string): Promise<void>;
}

export function createAccountClient(options: AccountClientOptions): AccountClient {
  const ask = <T>(route: AbsentRoute, more: More = {}) => send(options, route, more) as Promise<T>;
  return {
    isClaimed: async () => (await ask<z.output<typeof Setup>>('GET /api/setup')).claimed,
    claim: (body) => ask('POST /api/setup', { body }),
    signIn: (body) => ask('POST /api/auth/login', { body }),
    signOut: () => ask('POST /api/auth/logout'),
    keys: () => ask('GET /api/users/me/api-keys'),
    createKey: (body) => ask('POST /api/users/me/api-keys', { body }),
    rotateKey: (id) => ask('POST /api/users/me/api-keys/{key}/rotate', { id }),
    revokeKey: (id) => ask('DELETE /api/users/me/api-keys/{key}', { id }),
    sessions: () => ask('GET /api/users/me/sessions'),
    endSession: (id) => ask('DELETE /api/users/me/sessions/{session}', { id }),
    changePassword: (body) => ask('PUT /api/users/me/password', { body }),
    reviewAuthorization: (request) => ask('POST /api/oauth/review', { body: { request } }),
    consent: (body) => ask('POST /api/oauth/consent', { body }),
    connections: () => ask('GET /api/users/me/connections'),
    endConnection: (id) => ask('DELETE /api/users/me/connections/{connection}', { id }),
  };
}

interface More {
  /** Value of the only parameter of the route. */
  id?: number | string;
  body?: unknown;
}

async function send(options: AccountClientOptions, route: AbsentRoute, { id, body }: More): Promise<unknown> {
  const [method = '', path = ''] = route.split(' ');
  const ask: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const response = await ask(`${options.url}${path.replace(/\{\w+\}/, () => encodeURIComponent(id ?? ''))}`, {
    method,
    headers: headersOf(options, body !== undefined),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  options.onHeaders?.(response.headers);
  return text === '' ? undefined : JSON.parse(text);
}

function headersOf({ url, key, cookie }: AccountClientOptions, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = { accept: acceptWithProblem() };
  if (hasBody) headers['content-type'] = 'application/json';
  // The server accepts a cookie only from the instance's own pages, so this client sends their origin.
  if (cookie !== undefined) Object.assign(headers, { cookie, origin: new URL(url).origin });
  else if (key !== undefined) headers.authorization = `Bearer ${key}`;
  return headers;
}
