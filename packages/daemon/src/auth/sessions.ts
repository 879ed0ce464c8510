import { type Session, timestamp } from '@davit/api';
import type { Tx } from '../db/store.ts';
import { deleteDeadSessions, insertSession } from '../db/tables/session.ts';
import { noteNetwork, touchUser, type UserRow } from '../db/tables/user.ts';
import { addressNetwork } from './facts.ts';
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
  /** Without TLS. */
  isPlain: boolean;
  /** Browsers also send the session to programs on other ports of the host. */
  isExposed: boolean;
}

const USER_AGENT_LENGTH = 200;

/** Begins a session with a token of its own, whatever the browser had before, and remembers where from. */
export function openSession(
  tx: Tx,
  user: Pick<UserRow, 'id' | 'username' | 'role'>,
  { address, userAgent, isPlain, isExposed }: Origin,
  at: number,
): OpenedSession {
  const token = randomSecret();
  const expiresAt = at + SESSION_LIFE_MS;
  const shown = userAgent === null ? null : userAgent.replaceAll(/\p{Cc}/gu, ' ').slice(0, USER_AGENT_LENGTH);
  deleteDeadSessions(tx, at, SESSION_IDLE_MS);
  const from = { address, userAgent: shown, isPlain, isExposed };
  insertSession(tx, { userId: user.id, tokenHash: hashSecret(token), at, expiresAt, ...from });
  noteNetwork(tx, user.id, addressNetwork(address), at);
  touchUser(tx, user.id, at);
  const session = { username: user.username, role: user.role, expires_at: timestamp(expiresAt) };
  return { token, session };
}
