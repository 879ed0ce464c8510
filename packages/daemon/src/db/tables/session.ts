import { columnsOf, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const SESSION = select({
  ...pick(columnsOf('sessions', 's'), 'id, user_id, seen_at, expires_at, is_plain, is_exposed, address'),
  ...pick(columnsOf('users', 'u'), 'username, role, projects, blocked'),
});

/** Session of a signed-in browser, with the current permissions of its user. */
export type SessionRow = Row<typeof SESSION>;

export function sessionByHash(db: Reader, tokenHash: string): SessionRow | undefined {
  return db.get(SESSION.from('sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = ?'), tokenHash);
}

const LISTED = selectFrom('sessions', 'id, created_at, seen_at, expires_at, address, user_agent');

/** Session of a signed-in browser, as shown in the list of a user's sessions. */
export type SessionListing = Row<typeof LISTED>;

/** Returns the sessions of a user, oldest first. */
export function sessionsOfUser(db: Reader, userId: number): SessionListing[] {
  return db.all(LISTED.from('sessions WHERE user_id = ? ORDER BY id'), userId);
}

export interface NewSession {
  userId: number;
  tokenHash: string;
  at: number;
  expiresAt: number;
  address: string;
  userAgent: string | null;
  /** Whether the user signed in without TLS (plain HTTP). Default: `false`. */
  isPlain?: boolean;
  /** Whether browsers also send the session cookie to servers on other ports of the same host. Default: `false`. */
  isExposed?: boolean;
}

/** Maximum number of sessions for each user. If a user signs in again, the oldest session ends. */
const SESSIONS_KEPT = 100;

export function insertSession(tx: Tx, session: NewSession): void {
  const { userId, tokenHash, at, expiresAt, address, userAgent, isPlain = false, isExposed = false } = session;
  insert(tx, 'sessions', {
    user_id: userId,
    token_hash: tokenHash,
    created_at: at,
    seen_at: at,
    expires_at: expiresAt,
    address,
    user_agent: userAgent,
    is_plain: isPlain ? 1 : 0,
    is_exposed: isExposed ? 1 : 0,
  });
  tx.run(
    `DELETE FROM sessions WHERE user_id = ?1 AND id NOT IN
       (SELECT id FROM sessions WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2)`,
    userId,
    SESSIONS_KEPT,
  );
}

/**
 * Returns whether a valid session has a cookie that browsers also send to other ports of the same host.
 * @param idleMs time in milliseconds without requests after which a session ends
 */
export function hasExposedSession(db: Reader, now: number, idleMs: number): boolean {
  const sql = 'SELECT 1 FROM sessions WHERE is_exposed = 1 AND expires_at > ? AND seen_at > ? LIMIT 1';
  return db.exists(sql, now, now - idleMs);
}

export function touchSession(tx: Tx, id: number, at: number): void {
  update(tx, 'sessions', id, { seen_at: at });
}

export function deleteSession(tx: Tx, id: number): void {
  tx.run('DELETE FROM sessions WHERE id = ?', id);
}

export function deleteSessionsOfUser(tx: Tx, userId: number): void {
  tx.run('DELETE FROM sessions WHERE user_id = ?', userId);
}

/**
 * Deletes sessions that have expired or were unused for too long.
 * @param idleMs time in milliseconds without requests after which a session ends
 */
export function deleteDeadSessions(tx: Tx, now: number, idleMs: number): void {
  tx.run('DELETE FROM sessions WHERE expires_at <= ? OR seen_at <= ?', now, now - idleMs);
}
