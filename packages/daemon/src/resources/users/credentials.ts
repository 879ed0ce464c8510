/** What gives another user access: an admin sees the keys, the sessions and the connected programs, and ends them. */
import { type ApiKey, type Connection, DavitError, type UserSession } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { connectionsOf } from '../../auth/oauth/consent.ts';
import { keysOf } from '../../auth/own-keys.ts';
import { sessionsOf } from '../../auth/own-sessions.ts';
import { deleteApiKey } from '../../db/tables/api-key.ts';
import { deleteGrant } from '../../db/tables/oauth.ts';
import { deleteSession } from '../../db/tables/session.ts';
import type { UserRow } from '../../db/tables/user.ts';
import { numberKey, type Page, type PageAsk, pageOf } from '../../input/paging.ts';
import { pathNumber } from '../../input/path-number.ts';
import type { UsersDeps } from './deps.ts';
import { demandNotOwnAccount } from './own-account.ts';

/** Oldest first. @throws DavitError invalid_input for a cursor that was never given out */
export function listUserKeys({ store }: UsersDeps, ctx: OpContext, user: UserRow, ask: PageAsk): Page<ApiKey> {
  demandNotOwnAccount(ctx, user);
  return pageOf(keysOf(store, user), ({ id }) => numberKey(id), ask);
}

/** @throws DavitError not_found */
export function revokeUserKey({ store, now }: UsersDeps, ctx: OpContext, user: UserRow, key: string | undefined): void {
  demandNotOwnAccount(ctx, user);
  const found = keysOf(store, user).find(({ id }) => id === pathNumber(key));
  if (!found) throw new DavitError('not_found', `${user.username} has no such key: list theirs to see their numbers.`);
  store.tx((tx) => deleteApiKey(tx, user.id, found.id, now()));
}

/** Oldest first. @throws DavitError invalid_input for a cursor that was never given out */
export function listUserSessions(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  ask: PageAsk,
): Page<UserSession> {
  demandNotOwnAccount(ctx, user);
  return pageOf(sessionsOf(store, user.id, now(), ctx.actor.credential), ({ id }) => numberKey(id), ask);
}

/** @throws DavitError not_found */
export function endUserSession(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  session: string | undefined,
): void {
  demandNotOwnAccount(ctx, user);
  const found = sessionsOf(store, user.id, now()).find(({ id }) => id === pathNumber(session));
  if (!found)
    throw new DavitError('not_found', `${user.username} has no such session: list theirs to see their numbers.`);
  store.tx((tx) => deleteSession(tx, found.id));
}

/** Oldest first. @throws DavitError invalid_input for a cursor that was never given out */
export function listUserConnections(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  ask: PageAsk,
): Page<Connection> {
  demandNotOwnAccount(ctx, user);
  return pageOf(connectionsOf(store, user.id, now()), ({ id }) => numberKey(id), ask);
}

/** @throws DavitError not_found */
export function endUserConnection(
  { store, now }: UsersDeps,
  ctx: OpContext,
  user: UserRow,
  connection: string | undefined,
): void {
  demandNotOwnAccount(ctx, user);
  const found = connectionsOf(store, user.id, now()).find(({ id }) => id === pathNumber(connection));
  if (!found)
    throw new DavitError('not_found', `${user.username} has no such connection: list theirs to see their numbers.`);
  store.tx((tx) => deleteGrant(tx, found.id));
}
