import type { ApiKey, ApiKeyCreated, Fetch, LoginInput, SetupInput } from '@davit/api';
import type { Connection } from './credentials/choose.ts';
import { CliError, exitOfStatus } from './exit.ts';
import { fetchOf } from './requests.ts';
import type { World } from './world.ts';

/** Signing in and one's own keys: not in the document, so not in the typed client. */
export interface OwnAccount {
  isClaimed(): Promise<boolean>;
  /** Makes the first account. @returns the cookie of its session */
  claim(input: SetupInput): Promise<string>;
  /** @returns the cookie of a session */
  signIn(input: LoginInput): Promise<string>;
  signOut(cookie: string): Promise<void>;
  keys(): Promise<ApiKey[]>;
  /** @param cookie of a session, for who has no key yet */
  createKey(
    input: { name: string; expires_at?: string; role?: string; projects?: string[] },
    cookie?: string,
  ): Promise<ApiKeyCreated>;
  rotateKey(id: string): Promise<ApiKeyCreated>;
  revokeKey(id: string): Promise<void>;
}

/** Every method rejects with a CliError that carries the instance's own sentence. */
export function ownAccount(connection: Connection, world: World): OwnAccount {
  const fetch = fetchOf(connection, world);
  const ask = (method: string, path: string, more: { body?: unknown; cookie?: string } = {}) =>
    send(fetch, connection, method, path, { ...more, signal: world.signal });
  const json = async <T>(method: string, path: string, more?: { body?: unknown; cookie?: string }) =>
    (await (await ask(method, path, more)).json()) as T;
  const keyPath = (id: string) => `/users/me/api-keys/${encodeURIComponent(id)}`;
  return {
    isClaimed: async () => (await json<{ claimed: boolean }>('GET', '/setup')).claimed,
    claim: async (input) => cookieOf(await ask('POST', '/setup', { body: input })),
    signIn: async (input) => cookieOf(await ask('POST', '/auth/login', { body: input })),
    signOut: async (cookie) => {
      await ask('POST', '/auth/logout', { cookie });
    },
    keys: () => json('GET', '/users/me/api-keys'),
    createKey: (input, cookie) =>
      json('POST', '/users/me/api-keys', { body: input, ...(cookie !== undefined && { cookie }) }),
    rotateKey: (id) => json('POST', `${keyPath(id)}/rotate`),
    revokeKey: async (id) => {
      await ask('DELETE', keyPath(id));
    },
  };
}

interface Sent {
  body?: unknown;
  cookie?: string;
  signal: AbortSignal;
}

async function send(
  fetch: Fetch,
  { url, key }: Connection,
  method: string,
  path: string,
  { body, cookie, signal }: Sent,
): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  // A cookie is taken only from the instance's own pages, and this is none of a browser's.
  if (cookie !== undefined) Object.assign(headers, { cookie, origin: new URL(url).origin });
  else if (key !== undefined) headers.authorization = `Bearer ${key}`;
  const init = { method, headers, signal, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${url}/api${path}`, init);
  if (response.ok) return response;
  const sentence = (await response.text()).trim() || `HTTP ${response.status}`;
  throw new CliError(exitOfStatus(response.status), sentence, { status: response.status });
}

function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}
