import type { z } from 'zod';
import type { AbsentRoute } from './absent.ts';
import { bodyIn } from './answer.ts';
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
  /** URL of the instance without `/api`. Empty if the client runs on a web page that the instance serves. */
  url: string;
  /** API key. Absent if the client authenticates with a session cookie or through the local Unix socket. */
  key?: string;
  /** Session cookie for clients that are not browsers. A browser sends its session cookie automatically. */
  cookie?: string;
  fetch?: Fetch;
  /** Function that receives the headers of each successful response. An example is `Set-Cookie` with a new session. */
  onHeaders?: (headers: Headers) => void;
}

/**
 * API client for sign-in and the user's own account. The generated client lacks these routes, because the OpenAPI
 * document omits them.
 * @throws DavitError
 */
export interface AccountClient {
  isClaimed(): Promise<boolean>;
  /** Returns whether the instance already has a user, and whether the browser is signed in. */
  setup(): Promise<Setup>;
  /** Creates the first user account of a new instance and signs in. */
  claim(input: SetupInput): Promise<Session>;
  signIn(input: LoginInput): Promise<Session>;
  signOut(): Promise<void>;
  keys(): Promise<ApiKey[]>;
  createKey(input: z.input<typeof ApiKeyCreate>): Promise<ApiKeyCreated>;
  /** Replaces an API key with a new API key. The old API key becomes invalid. */
  rotateKey(id: number | string): Promise<ApiKeyCreated>;
  revokeKey(id: number | string): Promise<void>;
  sessions(): Promise<UserSession[]>;
  endSession(id: number | string): Promise<void>;
  changePassword(input: PasswordChange): Promise<void>;
  /**
   * Returns the client and the requested role of an OAuth authorization request.
   * @param request query string of the OAuth consent page
   */
  reviewAuthorization(request: string): Promise<Authorization>;
  /** Allows or denies an OAuth authorization request. */
  consent(input: ConsentInput): Promise<Consented>;
  /** Returns the OAuth clients that may use the MCP endpoint for the user. */
  connections(): Promise<Connection[]>;
  endConnection(id: number | string): Promise<void>;
}

export function createAccountClient(options: AccountClientOptions): AccountClient {
  const call = <T>(route: AbsentRoute, more: More = {}) => send(options, route, more) as Promise<T>;
  return {
    isClaimed: async () => (await call<Setup>('GET /api/setup')).claimed,
    setup: () => call('GET /api/setup'),
    claim: (body) => call('POST /api/setup', { body }),
    signIn: (body) => call('POST /api/auth/login', { body }),
    signOut: () => call('POST /api/auth/logout'),
    keys: () => call('GET /api/users/me/api-keys'),
    createKey: (body) => call('POST /api/users/me/api-keys', { body }),
    rotateKey: (id) => call('POST /api/users/me/api-keys/{key}/rotate', { id }),
    revokeKey: (id) => call('DELETE /api/users/me/api-keys/{key}', { id }),
    sessions: () => call('GET /api/users/me/sessions'),
    endSession: (id) => call('DELETE /api/users/me/sessions/{session}', { id }),
    changePassword: (body) => call('PUT /api/users/me/password', { body }),
    reviewAuthorization: (request) => call('POST /api/oauth/review', { body: { request } }),
    consent: (body) => call('POST /api/oauth/consent', { body }),
    connections: () => call('GET /api/users/me/connections'),
    endConnection: (id) => call('DELETE /api/users/me/connections/{connection}', { id }),
  };
}

interface More {
  /** Value of the route's path parameter. Each route for the user's account has at most one path parameter. */
  id?: number | string;
  body?: unknown;
}

async function send(options: AccountClientOptions, route: AbsentRoute, { id, body }: More): Promise<unknown> {
  const [method = '', path = ''] = route.split(' ');
  const sendRequest: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const response = await sendRequest(`${options.url}${path.replace(/\{\w+\}/, () => encodeURIComponent(id ?? ''))}`, {
    method,
    headers: headersOf(options, body !== undefined),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  options.onHeaders?.(response.headers);
  return bodyIn(response, text);
}

function headersOf({ url, key, cookie }: AccountClientOptions, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = { accept: acceptWithProblem() };
  if (hasBody) headers['content-type'] = 'application/json';
  /*
   * To prevent CSRF, the instance accepts a session cookie only if the `Origin` header contains the instance's own
   * origin.
   */
  if (cookie !== undefined) Object.assign(headers, { cookie, origin: new URL(url).origin });
  else if (key !== undefined) headers.authorization = `Bearer ${key}`;
  return headers;
}
