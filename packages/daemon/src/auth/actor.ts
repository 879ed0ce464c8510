import { DavitError, isRestrictedKey, narrower } from '@davit/api';
import type { Logger } from '@davit/service';
import type { Store, Tx } from '../db/store.ts';
import { type ApiKeyRow, apiKeyByHash, touchApiKey } from '../db/tables/api-key.ts';
import { type SessionRow, sessionByHash, touchSession } from '../db/tables/session.ts';
import { touchUser } from '../db/tables/user.ts';
import type { Actor, Credential } from './context.ts';
import { sessionToken } from './cookie.ts';
import { countOf, type RequestFacts } from './facts.ts';
import { hashSecret } from './secrets.ts';
import { mayUseSession } from './session-binding.ts';
import { SESSION_IDLE_MS } from './sessions.ts';

export interface Caller {
  actor: Actor;
  credential: Credential;
}

export interface AuthenticationParts {
  store: Store;
  now: () => number;
  log: Logger;
  /**
   * `true` if a credential is only checked again, for example while an event stream is open. Such a check does not
   * update the last use of the session, so the session can still expire.
   */
  isLook?: boolean;
}

const LOCAL = caller(
  { username: 'local', role: 'admin', projects: null, via: 'local', userId: null },
  { kind: 'local' },
);

/**
 * Minimum interval in milliseconds between two updates of a credential's last use. Each update is a write to the disk.
 */
export const USE_NOTED_EVERY_MS = 60_000;

const BEARER = /^bearer +(davit_[0-9a-f]{64}) *$/i;

/**
 * Returns the caller of a request. Reads the permissions from the database each time, so that changes affect the next
 * request.
 * @throws DavitError unauthorized
 */
export function authenticate(parts: AuthenticationParts, facts: RequestFacts): Caller {
  if (facts.local) return LOCAL;
  if (facts.headers.authorization !== undefined) return byKey(parts, facts);
  const token = sessionToken(facts);
  if (token !== undefined) return bySession(parts, facts, token);
  throw new DavitError('unauthorized');
}

/** Returns whether a request contains a credential. The credential may be invalid. */
export function showsCredential(facts: RequestFacts): boolean {
  return facts.local || facts.headers.authorization !== undefined || sessionToken(facts) !== undefined;
}

function byKey(parts: AuthenticationParts, facts: RequestFacts): Caller {
  return keyCaller(parts, bearerToken(facts), viaOf(facts)) ?? refuseToken();
}

/**
 * Returns the bearer token of the `Authorization` header. Checks only the format of the token.
 * @throws DavitError unauthorized if there is not exactly one `Authorization` header
 */
export function bearerToken(facts: RequestFacts): string {
  const token = BEARER.exec(facts.headers.authorization ?? '')?.[1];
  if (token !== undefined && countOf(facts, 'authorization') === 1) return token;
  throw new DavitError(
    'unauthorized',
    'The header “Authorization” is not valid. Send it only once, in the form “Bearer <key>” with an API key of this instance.',
  );
}

/** Throws the error for an invalid API key or OAuth token. @throws DavitError unauthorized */
export function refuseToken(): never {
  throw new DavitError(
    'unauthorized',
    'This API key is not valid: it does not exist, was revoked or has expired, or its owner is blocked. Use another API key.',
  );
}

/**
 * Returns the caller for an API key, and updates the last use of the API key. Returns `null` if the API key is invalid.
 * @param key secret of the API key: `davit_…`
 */
export function keyCaller(parts: AuthenticationParts, key: string, via: Actor['via']): Caller | null {
  const hash = hashSecret(key);
  const row = parts.store.memo(`key ${hash}`, () => apiKeyByHash(parts.store, hash));
  const now = parts.now();
  const isOver = row === undefined || row.user_blocked === 1 || (row.expires_at !== null && row.expires_at <= now);
  if (isOver) return null;
  if (now - (row.used_at ?? 0) >= USE_NOTED_EVERY_MS) note(parts, row.user_id, (tx) => touchApiKey(tx, row.id, now));
  return callerOf(row, via);
}

/**
 * Returns the kind of client from the header `Davit-Via`. Clients can send any value, so the value is used only for the
 * audit log.
 */
export function viaOf({ headers }: RequestFacts): 'cli' | 'mcp' | 'api' {
  const said = headers['davit-via'];
  return said === 'cli' || said === 'mcp' ? said : 'api';
}

function callerOf(row: ApiKeyRow, via: Actor['via']): Caller {
  const role = narrower(row.role, row.user_role);
  const owners = projectIds(row.user_projects);
  const projects = intersection(projectIds(row.projects), owners);
  // An API key that was created with restrictions stays restricted, even if its owner later loses permissions.
  const isNow = isRestrictedKey(
    { role, projects, expires: row.expires_at !== null },
    { role: row.user_role, projects: owners },
  );
  const restricted = row.restricted === 1 || isNow;
  return caller(
    { username: row.username, role, projects, via, userId: row.user_id },
    { kind: 'key', id: row.id, name: row.name, restricted, expiresAt: row.expires_at },
  );
}

/**
 * Returns whether a request has the cookie of a valid session. Does not update the last use of the session, and ignores
 * API keys.
 */
export function hasSession(parts: Pick<AuthenticationParts, 'store' | 'now'>, facts: RequestFacts): boolean {
  const token = sessionToken(facts);
  return token !== undefined && validSession(parts, facts, token) !== null;
}

function validSession(
  { store, now }: Pick<AuthenticationParts, 'store' | 'now'>,
  facts: RequestFacts,
  token: string,
): SessionRow | null {
  const row = sessionByHash(store, hashSecret(token));
  const at = now();
  const isOver = row === undefined || row.blocked === 1 || row.expires_at <= at || row.seen_at + SESSION_IDLE_MS <= at;
  return isOver || !mayUseSession(facts, row) ? null : row;
}

function bySession(parts: AuthenticationParts, facts: RequestFacts, token: string): Caller {
  const row = validSession(parts, facts, token);
  if (row === null) throw new DavitError('unauthorized', 'Your session has ended. Sign in again.');
  const now = parts.now();
  if (now - row.seen_at >= USE_NOTED_EVERY_MS) note(parts, row.user_id, (tx) => touchSession(tx, row.id, now));
  return sessionCaller(row);
}

function sessionCaller({ id, username, role, projects, user_id }: SessionRow): Caller {
  const actor = { username, role, projects: projectIds(projects), via: 'dashboard', userId: user_id } as const;
  return caller(actor, { kind: 'session', id });
}

function caller(actor: Actor, credential: Credential): Caller {
  return { actor: { ...actor, credential }, credential };
}

/**
 * Updates the last use of a credential. The change is not part of the request's audit entry. An error is only logged,
 * because read requests must work on a full disk.
 */
export function note(
  { store, log, now, isLook = false }: AuthenticationParts,
  userId: number,
  write: (tx: Tx) => void,
): void {
  if (isLook) return;
  const used = (tx: Tx) => {
    write(tx);
    touchUser(tx, userId, now());
  };
  try {
    store.trail.apart(() => store.tx(used));
  } catch (error) {
    log.warn({ error }, 'time of the last use of a session or API key could not be stored');
  }
}

/** Parses the database column `projects`. Returns project IDs, or `null` for all projects. */
export function projectIds(column: string | null): readonly number[] | null {
  return column === null ? null : (JSON.parse(column) as number[]);
}

/** Returns the project IDs that are in both lists. A list of `null` means all projects. */
export function intersection(a: readonly number[] | null, b: readonly number[] | null): readonly number[] | null {
  if (a === null) return b;
  return b === null ? a : a.filter((id) => b.includes(id));
}
