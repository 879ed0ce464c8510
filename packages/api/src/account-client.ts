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
  /** The instance's address without `/api`; empty where the page comes from the instance itself. */
  url: string;
  /** An API key; absent where a cookie or the local socket speaks for the caller. */
  key?: string;
  /** The cookie of a session, where no browser sends it by itself. */
  cookie?: string;
  fetch?: Fetch;
  /** Hears the headers of each answer that is no refusal: the cookie of a session that was begun. */
  onHeaders?: (headers: Headers) => void;
}

/**
 * Signing in, and what an account does with its own keys, sessions and password: not in the document, so not in the
 * typed client. Each rejects with a `DavitError` carrying the server's sentence.
 */
export interface AccountClient {
  isClaimed(): Promise<boolean>;
  /** Makes the first account, and begins a session. */
  claim(input: SetupInput): Promise<Session>;
  /** Begins a session. */
  signIn(input: LoginInput): Promise<Session>;
  /** Ends the session that asks. */
  signOut(): Promise<void>;
  keys(): Promise<ApiKey[]>;
  createKey(input: z.input<typeof ApiKeyCreate>): Promise<ApiKeyCreated>;
  /** The old key does not work any more. */
  rotateKey(id: number | string): Promise<ApiKeyCreated>;
  revokeKey(id: number | string): Promise<void>;
  sessions(): Promise<UserSession[]>;
  endSession(id: number | string): Promise<void>;
  changePassword(input: PasswordChange): Promise<void>;
  /** Who asks for access, and for what. @param request the query of the page that the program has opened */
  reviewAuthorization(request: string): Promise<Authorization>;
  /** Lets a program in, or does not. */
  consent(input: ConsentInput): Promise<Consented>;
  /** The programs that were let in. */
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
  /** What the route's one parameter is. */
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
  // A cookie is taken only from the instance's own pages; this is who sends it in their place.
  if (cookie !== undefined) Object.assign(headers, { cookie, origin: new URL(url).origin });
  else if (key !== undefined) headers.authorization = `Bearer ${key}`;
  return headers;
}
