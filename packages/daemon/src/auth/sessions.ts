import { type Session, timestamp } from '@davit/api';
import { deleteDeadSessions, insertSession } from '../store/session.ts';
import type { Tx } from '../store/store.ts';
import { noteNetwork, touchUser, type UserRow } from '../store/user.ts';
import { networkOf } from './facts.ts';
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

/** Where a session is begun from. */
export interface Origin {
  address: string;
  userAgent: string | null;
}

const USER_AGENT_LENGTH = 200;

/** Begins a session with a token of its own, whatever the browser had before, and remembers where from. */
export function openSession(
  tx: Tx,
  user: Pick<UserRow, 'id' | 'username' | 'role'>,
  { address, userAgent }: Origin,
  at: number,
): OpenedSession {
  const token = randomSecret();
  const expiresAt = at + SESSION_LIFE_MS;
  const shown = userAgent === null ? null : userAgent.replaceAll(/\p{Cc}/gu, ' ').slice(0, USER_AGENT_LENGTH);
  deleteDeadSessions(tx, at, SESSION_IDLE_MS);
  insertSession(tx, { userId: user.id, tokenHash: hashSecret(token), at, expiresAt, address, userAgent: shown });
  noteNetwork(tx, user.id, networkOf(address), at);
  touchUser(tx, user.id, at);
  const session = { username: user.username, role: user.role, expires_at: timestamp(expiresAt) };
  return { token, session };
}
