import {
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyCreated,
  DavitError,
  invalidField,
  isRestrictedKey,
  narrower,
  timestamp,
} from '@davit/api';
import type { Reader, Store } from '../db/store.ts';
import {
  type ApiKeyListing,
  apiKeysOfUser,
  deleteApiKey,
  insertApiKey,
  replaceApiKeyHash,
} from '../db/tables/api-key.ts';
import { listProjects } from '../db/tables/project.ts';
import type { UserRow } from '../db/tables/user.ts';
import { ownAccount } from './accounts.ts';
import { type Caller, intersection, projectIds } from './actor.ts';
import { isRestricted } from './context.ts';
import { hashSecret, randomSecret } from './secrets.ts';

const MOST = 100;

/** Database and clock for the functions that manage the API keys and sessions of a user. */
export interface KeyParts {
  store: Store;
  now: () => number;
}

/**
 * Returns the caller's API keys, oldest first. If the caller uses a restricted API key, returns only this key. Other
 * keys can contain names of projects that the caller must not see.
 */
export function listOwnKeys({ store }: KeyParts, caller: Caller): ApiKey[] {
  const user = ownAccount(store, caller);
  const { credential } = caller;
  const only = credential.kind === 'key' && credential.restricted ? credential.id : null;
  return keysOf(store, user).filter(({ id }) => only === null || id === only);
}

/** Returns the API keys of a user, with the current permissions of each key, oldest first. */
export function keysOf(db: Reader, user: UserRow): ApiKey[] {
  return apiKeysOfUser(db, user.id).map((key) => {
    const projects = intersection(projectIds(key.projects), projectIds(user.projects));
    return present(db, { ...key, role: narrower(key.role, user.role) }, projects);
  });
}

/**
 * Creates an API key with at most the permissions of the caller. Only the response to this request contains the secret
 * of the API key.
 * @throws DavitError invalid_input, conflict, forbidden (also for a restricted API key)
 */
export function createOwnKey({ store, now }: KeyParts, caller: Caller, input: ApiKeyCreate): ApiKeyCreated {
  const user = ownAccount(store, caller);
  const { actor, credential } = caller;
  // A restricted API key must not create other keys, because they would stay valid after the restricted key is revoked.
  if (isRestricted(credential)) {
    const message = 'A restricted API key cannot create API keys. Sign in, or use an API key without restrictions.';
    throw new DavitError('forbidden', message);
  }
  const role = input.role ?? actor.role;
  if (narrower(role, actor.role) !== role) {
    throw new DavitError(
      'forbidden',
      `You cannot create an API key with the role ${role}, because your role is ${actor.role}. Choose a lower role.`,
    );
  }
  const at = now();
  const expiresAt = expiry(input.expires_at, at);
  const projects = input.projects === null ? actor.projects : wantedProjects(store, actor.projects, input.projects);
  if (apiKeysOfUser(store, user.id).length >= MOST) {
    throw new DavitError('conflict', `You have ${MOST} API keys, which is the limit. Revoke one that you do not use.`);
  }
  const key = `davit_${randomSecret()}`;
  const restricted = isRestrictedKey(
    { role, projects, expires: expiresAt !== null },
    { role: user.role, projects: projectIds(user.projects) },
  );
  const fields = { name: input.name, role, projects, expiresAt, restricted, at };
  const id = store.tx((tx) => insertApiKey(tx, { userId: user.id, keyHash: hashSecret(key), ...fields }));
  const listing = { id, name: input.name, role, projects: null, created_at: at, expires_at: expiresAt, used_at: null };
  const { last_used_at: _, ...shown } = present(store, listing, projects);
  return { ...shown, key };
}

/**
 * Revokes an API key of the caller. `id` is `undefined` if the URL contains no valid id.
 * @throws DavitError not_found, or forbidden if a restricted key revokes another key
 */
export function revokeOwnKey({ store, now }: KeyParts, caller: Caller, id: number | undefined): void {
  const key = ownKey(store, caller, id, 'revoke');
  store.tx((tx) => deleteApiKey(tx, key.user.id, key.id, now()));
}

/**
 * Replaces the secret of an API key of the caller. The old secret is rejected at once.
 * @throws DavitError not_found, forbidden, or conflict if the key has expired
 */
export function rotateOwnKey({ store, now }: KeyParts, caller: Caller, id: number | undefined): ApiKeyCreated {
  const { user, ...found } = ownKey(store, caller, id, 'rotate');
  if (found.expires_at !== null && found.expires_at <= now()) {
    throw new DavitError('conflict', 'This API key has expired. Create a new one.');
  }
  const key = `davit_${randomSecret()}`;
  store.tx((tx) => {
    // Another request may have revoked the API key after the current request read it.
    if (!replaceApiKeyHash(tx, user.id, found.id, hashSecret(key), now())) throw noSuchKey();
  });
  const [shown] = keysOf(store, user).filter((listed) => listed.id === found.id);
  if (shown === undefined) throw noSuchKey();
  const { last_used_at: _, ...rest } = shown;
  return { ...rest, key };
}

function ownKey(
  store: Store,
  caller: Caller,
  id: number | undefined,
  verb: 'revoke' | 'rotate',
): ApiKeyListing & { user: UserRow } {
  const user = ownAccount(store, caller);
  const { credential } = caller;
  const found = apiKeysOfUser(store, user.id).find((key) => key.id === id);
  if (found === undefined) throw noSuchKey();
  if (credential.kind === 'key' && credential.restricted && credential.id !== id) {
    throw new DavitError('forbidden', `A restricted API key can ${verb} only itself. Sign in to ${verb} other keys.`);
  }
  return { ...found, user };
}

function noSuchKey(): DavitError {
  return new DavitError('not_found', 'You have no API key with this ID. List your API keys to see their IDs.');
}

/**
 * Parses the expiry date of an API key as milliseconds since the epoch. Returns `null` if the API key never expires.
 * @throws DavitError invalid_input for a date in the past
 */
function expiry(wish: string | null, at: number): number | null {
  const expiresAt = wish === null ? null : Date.parse(wish);
  if (expiresAt !== null && expiresAt <= at) throw invalidField('expires_at', 'too_small', 'must be in the future.');
  return expiresAt;
}

/**
 * Returns the ids of the named projects.
 * @param seen ids of the projects that the caller can see, or `null` for all projects
 * @throws DavitError invalid_input if the caller cannot see a project
 */
export function wantedProjects(db: Reader, seen: readonly number[] | null, slugs: readonly string[]): number[] {
  const projects = new Map(listProjects(db, seen).map((project) => [project.slug, project.id]));
  return [...new Set(slugs)].map((slug, i) => {
    const id = projects.get(slug);
    if (id === undefined)
      throw invalidField(
        `projects.${i}`,
        'not_found',
        `The project “${slug}” does not exist, or you cannot access it.`,
      );
    return id;
  });
}

/**
 * Checks that none of the projects was deleted. Call this function in the transaction that uses the projects.
 * @throws DavitError invalid_input if a project was deleted
 */
export function demandSameProjects(db: Reader, ids: readonly number[] | null): void {
  if (ids === null || listProjects(db, ids).length === ids.length) return;
  throw invalidField(
    'projects',
    'not_found',
    'One of the projects was deleted during the request. List the projects, then send the request again.',
  );
}

function present(db: Reader, key: ApiKeyListing, projects: readonly number[] | null): ApiKey {
  return {
    id: key.id,
    name: key.name,
    role: key.role,
    projects: projects === null ? null : listProjects(db, projects).map((project) => project.slug),
    created_at: timestamp(key.created_at),
    expires_at: timestamp(key.expires_at),
    last_used_at: timestamp(key.used_at),
  };
}
