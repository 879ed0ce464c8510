/** API functions for admins. They list and end the API keys, sessions and connected clients of another user. */
import { type ApiKey, type Connection, DavitError, type UserSession } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { connectionsOf } from '../../auth/oauth/consent.ts';
import { keysOf } from '../../auth/own-keys.ts';
import { sessionsOf } from '../../auth/own-sessions.ts';
import { deleteApiKey } from '../../db/tables/api-key.ts';
import { deleteGrant } from '../../db/tables/oauth.ts';
import { deleteSession } from '../../db/tables/session.ts';
import type { UserRow } from '../../db/tables/user.ts';
import { numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { pathNumber } from '../../input/path-number.ts';
import type { UsersDeps } from './deps.ts';
import { demandNotOwnAccount } from './own-account.ts';

/**
 * Returns the API keys of a user, oldest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listUserKeys({ store }: UsersDeps, ctx: OpContext, user: UserRow, query: PageQuery): Page<ApiKey> {
  demandNotOwnAccount(ctx, user);
  return pageOf(keysOf(store, user), ({ id }) => numberKey(id), query);
}

/**
 * Revokes an API key of a user.
 * @throws DavitError not_found
 */
export function revokeUserKey({ store, now }: UsersDeps, ctx: OpContext, user: UserRow, key: string | undefined): void {
  demandNotOwnAccount(ctx, user);
  const found = keysOf(store, user).find(({ id }) => id === pathNumber(key));
  if (!found)
    throw new DavitError('not_found', `${user.username} has no API key with this ID. List the API keys of the user.`);
  store.tx((tx) => deleteApiKey(tx, user.id, found.id, now()));
}

/**
 * Returns the sessions of a user, oldest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listUserSessions(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  query: PageQuery,
): Page<UserSession> {
  demandNotOwnAccount(ctx, user);
  return pageOf(sessionsOf(store, user.id, now(), ctx.actor.credential), ({ id }) => numberKey(id), query);
}

/**
 * Ends a session of a user.
 * @throws DavitError not_found
 */
export function endUserSession(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  session: string | undefined,
): void {
  demandNotOwnAccount(ctx, user);
  const found = sessionsOf(store, user.id, now()).find(({ id }) => id === pathNumber(session));
  if (!found)
    throw new DavitError('not_found', `${user.username} has no session with this ID. List the sessions of the user.`);
  store.tx((tx) => deleteSession(tx, found.id));
}

/**
 * Returns the connected clients of a user, oldest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listUserConnections(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  query: PageQuery,
): Page<Connection> {
  demandNotOwnAccount(ctx, user);
  return pageOf(connectionsOf(store, user.id, now()), ({ id }) => numberKey(id), query);
}

/**
 * Disconnects an OAuth client, for example an AI assistant, from the account of a user.
 * @throws DavitError not_found
 */
export function endUserConnection(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  connection: string | undefined,
): void {
  demandNotOwnAccount(ctx, user);
  const found = connectionsOf(store, user.id, now()).find(({ id }) => id === pathNumber(connection));
  if (!found)
    throw new DavitError(
      'not_found',
      `${user.username} has no connected OAuth client with this ID. List the connected clients of the user.`,
    );
  store.tx((tx) => deleteGrant(tx, found.id));
}
