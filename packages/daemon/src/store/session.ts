import type { Role } from '@davit/api';
import type { Reader, Tx } from './store.ts';

/** A session with what its user may do now. */
export interface SessionRow {
  id: number;
  user_id: number;
  seen_at: number;
  expires_at: number;
  username: string;
  role: Role;
  projects: string | null;
  blocked: number;
}

export function sessionByHash(db: Reader, tokenHash: string): SessionRow | undefined {
  return db.get(
    `SELECT s.id, s.user_id, s.seen_at, s.expires_at, u.username, u.role, u.projects, u.blocked
     FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = ?`,
    tokenHash,
  );
}

/** A session as its owner lists it. */
export interface SessionListing {
  id: number;
  created_at: number;
  seen_at: number;
  expires_at: number;
  address: string | null;
  user_agent: string | null;
}

/** Oldest first. */
export function sessionsOfUser(db: Reader, userId: number): SessionListing[] {
  return db.all(
    'SELECT id, created_at, seen_at, expires_at, address, user_agent FROM sessions WHERE user_id = ? ORDER BY id',
    userId,
  );
}

export interface NewSession {
  userId: number;
  tokenHash: string;
  at: number;
  expiresAt: number;
  address: string;
  userAgent: string | null;
}

/** More than anybody uses: the oldest one ends when another begins. */
const SESSIONS_KEPT = 100;

export function insertSession(tx: Tx, session: NewSession): void {
  const { userId, tokenHash, at, expiresAt, address, userAgent } = session;
  tx.run(
    `INSERT INTO sessions (user_id, token_hash, created_at, seen_at, expires_at, address, user_agent)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    userId,
    tokenHash,
    at,
    at,
    expiresAt,
    address,
    userAgent,
  );
  tx.run(
    `DELETE FROM sessions WHERE user_id = ?1 AND id NOT IN
       (SELECT id FROM sessions WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2)`,
    userId,
    SESSIONS_KEPT,
  );
}

export function touchSession(tx: Tx, id: number, at: number): void {
  tx.run('UPDATE sessions SET seen_at = ? WHERE id = ?', at, id);
}

export function deleteSession(tx: Tx, id: number): void {
  tx.run('DELETE FROM sessions WHERE id = ?', id);
}

/** Ends a user's sessions but for one, or all of them for null. */
export function deleteSessionsOfUser(tx: Tx, userId: number, except: number | null): void {
  tx.run('DELETE FROM sessions WHERE user_id = ? AND id IS NOT ?', userId, except);
}

/** Forgets sessions that nobody can use any more. */
export function deleteDeadSessions(tx: Tx, now: number, idleMs: number): void {
  tx.run('DELETE FROM sessions WHERE expires_at <= ? OR seen_at <= ?', now, now - idleMs);
}
