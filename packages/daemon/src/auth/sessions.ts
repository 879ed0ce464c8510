import { type Session, timestamp } from '@davit/api';
import { deleteDeadSessions, insertSession } from '../store/sessions.ts';
import type { Tx } from '../store/store.ts';
import type { UserRow } from '../store/users.ts';
import { hashSecret, randomSecret } from './secrets.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Unused for so long, a session has ended. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** However much it is used. */
export const SESSION_LIFE_MS = 30 * DAY_MS;

/** A session that has just begun; the token is for the cookie and is kept nowhere. */
export interface OpenedSession {
  token: string;
  session: Session;
}

/** Begins a session with a token of its own, whatever the browser had before. */
export function openSession(tx: Tx, user: Pick<UserRow, 'id' | 'username' | 'role'>, at: number): OpenedSession {
  const token = randomSecret();
  const expiresAt = at + SESSION_LIFE_MS;
  deleteDeadSessions(tx, at, SESSION_IDLE_MS);
  insertSession(tx, { userId: user.id, tokenHash: hashSecret(token), at, expiresAt });
  const session = { username: user.username, role: user.role, expires_at: timestamp(expiresAt) };
  return { token, session };
}
