/** Returns the caller and the current permissions for an OAuth access token. */
import { narrower, type Role } from '@davit/api';
import { accessTokenByHash, type GrantRow, touchGrant } from '../../db/tables/oauth.ts';
import { type AuthenticationParts, type Caller, intersection, note, projectIds, USE_NOTED_EVERY_MS } from '../actor.ts';
import { hashSecret } from '../secrets.ts';

/**
 * Returns the caller for an OAuth token, with the current permissions. Returns `null` if the token is not valid.
 * @param resource requested endpoint, for which the token must be issued
 */
export function tokenCaller(parts: AuthenticationParts, token: string, resource: string): Caller | null {
  const { store, now } = parts;
  const tokenHash = hashSecret(token);
  const row = store.memo(`oauth ${tokenHash}`, () => accessTokenByHash(store, tokenHash));
  const at = now();
  if (row?.resource !== resource) return null;
  if (row.token_expires_at <= at || row.expires_at <= at || row.user_blocked === 1) return null;
  if (at - (row.used_at ?? 0) >= USE_NOTED_EVERY_MS) note(parts, row.user_id, (tx) => touchGrant(tx, row.id, at));
  const credential = { kind: 'connection', id: row.id, name: row.client_name } as const;
  const { username, user_id: userId } = row;
  const rights = { role: roleOf(row), projects: projectsOf(row) };
  return { actor: { username, userId, ...rights, via: 'mcp', credential }, credential };
}

/**
 * Returns the current role of a connected client. This is the lower of two roles: the role that the user gave to the
 * client, and the user's own role.
 */
export function roleOf({ role, user_role: userRole }: GrantRow): Role {
  return narrower(role, userRole);
}

export function projectsOf({ projects, user_projects: ofUser }: GrantRow): readonly number[] | null {
  return intersection(projectIds(projects), projectIds(ofUser));
}
