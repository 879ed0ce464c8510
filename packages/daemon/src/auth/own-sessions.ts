import { DavitError, timestamp, type UserSession } from '@davit/api';
import type { Reader } from '../db/store.ts';
import { deleteSession, sessionsOfUser } from '../db/tables/session.ts';
import { ownAccount } from './accounts.ts';
import type { Caller } from './actor.ts';
import { isRestricted } from './context.ts';
import type { KeyParts } from './own-keys.ts';
import { SESSION_IDLE_MS } from './sessions.ts';

/**
 * Returns the caller's sessions, oldest first.
 * @throws DavitError forbidden for a restricted API key, conflict without a user account
 */
export function listOwnSessions({ store, now }: KeyParts, caller: Caller): UserSession[] {
  const user = ownAccount(store, caller);
  demandUnrestricted(caller);
  return sessionsOf(store, user.id, now(), caller.credential);
}

/**
 * Ends one of the caller's sessions. The next request with this session is rejected.
 * @throws DavitError not_found, forbidden for a restricted API key, conflict without an account
 */
export function endOwnSession({ store, now }: KeyParts, caller: Caller, id: number | undefined): void {
  const user = ownAccount(store, caller);
  demandUnrestricted(caller);
  const found = sessionsOf(store, user.id, now(), caller.credential).find((session) => session.id === id);
  if (!found)
    throw new DavitError('not_found', 'You have no session with this ID. List your sessions to see their IDs.');
  store.tx((tx) => deleteSession(tx, found.id));
}

/**
 * Returns the valid sessions of a user, oldest first.
 * @param currentCredential credential of the caller. The session with this credential gets `current: true`.
 */
export function sessionsOf(
  db: Reader,
  userId: number,
  at: number,
  currentCredential?: Caller['credential'],
): UserSession[] {
  const alive = sessionsOfUser(db, userId).filter((row) => row.expires_at > at && row.seen_at + SESSION_IDLE_MS > at);
  return alive.map((row) => ({
    id: row.id,
    created_at: timestamp(row.created_at),
    last_seen_at: timestamp(row.seen_at),
    expires_at: timestamp(row.expires_at),
    address: row.address,
    user_agent: row.user_agent,
    current: currentCredential?.kind === 'session' && currentCredential.id === row.id,
  }));
}

/** Checks that the caller may manage sessions. A caller with a restricted API key may not manage sessions. */
function demandUnrestricted({ credential }: Caller): void {
  if (!isRestricted(credential)) return;
  throw new DavitError(
    'forbidden',
    'A restricted API key cannot manage sessions. Sign in, or use an API key without restrictions.',
  );
}
