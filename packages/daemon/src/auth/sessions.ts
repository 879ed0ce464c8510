import { type Session, timestamp } from '@davit/api';
import type { Tx } from '../db/store.ts';
import { deleteDeadSessions, insertSession } from '../db/tables/session.ts';
import { noteNetwork, touchUser, type UserRow } from '../db/tables/user.ts';
import { addressNetwork } from './facts.ts';
import { hashSecret, randomSecret } from './secrets.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Time in milliseconds after which an unused session ends. */
export const SESSION_IDLE_MS = 7 * DAY_MS;
/** Time in milliseconds after which a session ends even if the user still uses it. */
export const SESSION_LIFE_MS = 30 * DAY_MS;

/**
 * New session with its token. The session cookie contains the token. The database contains only the hash of the token.
 */
export interface OpenedSession {
  token: string;
  session: Session;
}

/** Data about the client and the connection of a sign-in. */
export interface Origin {
  address: string;
  userAgent: string | null;
  /** Whether the connection of the browser does not use TLS. */
  isPlain: boolean;
  /** Whether browsers also send the session cookie to programs on other ports of the host. */
  isExposed: boolean;
}

const USER_AGENT_LENGTH = 200;

/** Creates a session with a new token. Also records that the user has signed in from the network of the client. */
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
