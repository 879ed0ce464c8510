import type { AccountClient, ApiKey, ApiKeyCreated, DavitError, LoginInput, SetupInput } from '@davit/api';
import type { Connection } from '../credentials/choose.ts';
import { CliError, exitOf } from '../errors/exit.ts';
import type { Runtime } from '../process/runtime.ts';
import { fetchOf } from './requests.ts';

/**
 * API calls for signing in and for the user's own API keys. A call authenticates with an API key or a session cookie.
 */
export interface OwnAccount {
  isClaimed(): Promise<boolean>;
  /**
   * Creates the first user account of a new instance.
   * @returns the session cookie of this user
   */
  claim(input: SetupInput): Promise<string>;
  /**
   * Signs in with a user name and password.
   * @returns the session cookie
   */
  signIn(input: LoginInput): Promise<string>;
  signOut(cookie: string): Promise<void>;
  keys(): Promise<ApiKey[]>;
  /**
   * Creates an API key.
   * @param cookie session cookie for the request. Required if the user has no API key yet
   */
  createKey(
    input: { name: string; expires_at?: string; role?: string; projects?: string[] },
    cookie?: string,
  ): Promise<ApiKeyCreated>;
  rotateKey(id: string): Promise<ApiKeyCreated>;
  revokeKey(id: string): Promise<void>;
}

/**
 * Creates a client for signing in and for API keys. If the instance refuses a call, the call rejects with a `CliError`
 * that contains the error message of the instance.
 */
export function ownAccount(connection: Connection, runtime: Runtime): OwnAccount {
  const send = <T>(call: (account: AccountClient) => Promise<T>, cookie?: string) =>
    sendCall({ connection, world: runtime, ...(cookie !== undefined && { cookie }) }, call).then(
      ({ answer }) => answer,
    );
  const begin = (call: (account: AccountClient) => Promise<unknown>) =>
    sendCall({ connection, world: runtime }, call).then(({ cookie }) => cookie);
  return {
    isClaimed: () => send((account) => account.isClaimed()),
    claim: (input) => begin((account) => account.claim(input)),
    signIn: (input) => begin((account) => account.signIn(input)),
    signOut: (cookie) => send((account) => account.signOut(), cookie),
    keys: () => send((account) => account.keys()),
    // The CLI does not check the role, because the instance reports an error for an invalid role.
    createKey: (input, cookie) => send((account) => account.createKey(input as { name: string }), cookie),
    rotateKey: (id) => send((account) => account.rotateKey(id)),
    revokeKey: (id) => send((account) => account.revokeKey(id)),
  };
}

interface AccountCall {
  connection: Connection;
  world: Runtime;
  cookie?: string;
}

async function sendCall<T>(
  { connection, world: runtime, cookie }: AccountCall,
  call: (account: AccountClient) => Promise<T>,
): Promise<{ answer: T; cookie: string }> {
  const { createAccountClient } = await import('./typed-client.ts');
  const { url, key } = connection;
  const fetch = fetchOf(connection, runtime);
  let begun = '';
  const account = createAccountClient({
    url,
    ...(key !== undefined && { key }),
    ...(cookie !== undefined && { cookie }),
    fetch: (address, init) => fetch(address, { ...init, signal: runtime.signal }),
    onHeaders: (headers) => {
      begun = headers.get('set-cookie')?.split(';')[0] ?? '';
    },
  });
  try {
    return { answer: await call(account), cookie: begun };
  } catch (error) {
    throw isRefusal(error) ? new CliError(exitOf(error), error.message, { refusal: error }) : error;
  }
}

/**
 * Returns whether an error is a `DavitError`. Only the name of the error is compared. For `instanceof`, the CLI would
 * have to load the API client and would start more slowly.
 */
function isRefusal(error: unknown): error is DavitError {
  return error instanceof Error && error.name === 'DavitError';
}
