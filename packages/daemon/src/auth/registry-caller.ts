/** Authenticates requests to the token service of the instance's registry. */
import { DavitError } from '@davit/api';
import type { Accounts } from './accounts.ts';
import { type AuthenticationParts, keyCaller, projectIds } from './actor.ts';
import type { Actor } from './context.ts';
import { callerAddress, countOf, type RequestFacts } from './facts.ts';
import type { RegistryKeys } from './registry-keys.ts';

export interface RegistryCallerParts extends AuthenticationParts {
  accounts: Pick<Accounts, 'prove' | 'pace'>;
  keys: Pick<RegistryKeys, 'appOfCredential'>;
}

/** Docker client that requests a registry token to pull an image for an app. `appId` is the id of this app. */
export interface PullingApp {
  appId: number;
  username: string;
}

export type RegistryCaller = Actor | PullingApp;

export function isPullingApp(caller: RegistryCaller): caller is PullingApp {
  return 'appId' in caller;
}

export interface BasicCredentials {
  username: string;
  password: string;
}

const KEY = /^davit_[0-9a-f]{64}$/;
const WRONG = 'The user name, API key or password is not valid. Check them, or create a new API key.';
/** Maximum length in characters of the Base64 text with user name and password. A longer text is never valid. */
const LONGEST = 8_192;

/**
 * Returns the user name and password of basic authentication. Returns `null` if there is not exactly one valid
 * `Authorization` header.
 */
export function basicCredentials(facts: RequestFacts): BasicCredentials | null {
  const { authorization = '' } = facts.headers;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined || encoded.length > LONGEST || countOf(facts, 'authorization') !== 1) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Authenticates a caller of the registry's token service by API key or password. Passwords have the same rate limits as
 * for sign-ins.
 * @throws DavitError unauthorized, too_many_requests
 */
export async function registryCaller(
  parts: RegistryCallerParts,
  { username, password }: BasicCredentials,
  facts: RequestFacts,
): Promise<RegistryCaller> {
  const appId = parts.keys.appOfCredential({ username, password });
  if (appId !== null) return { appId, username };
  if (KEY.test(password)) {
    const found = keyCaller(parts, password, 'push');
    if (found?.actor.username === username) return found.actor;
    throw new DavitError('unauthorized', WRONG);
  }
  const address = callerAddress(facts);
  parts.accounts.pace(address);
  const user = await parts.accounts.prove({ username, password }, address).catch((error: unknown) => {
    throw error instanceof DavitError && error.code === 'unauthorized' ? new DavitError('unauthorized', WRONG) : error;
  });
  return { username, role: user.role, projects: projectIds(user.projects), via: 'push', userId: user.id };
}
