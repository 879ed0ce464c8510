/**
 * Permissions of the user who started a task. They are saved at the start of the task. If the user loses permissions
 * later, the task loses them too.
 */
import { narrower } from '@davit/api';
import { intersection, projectIds } from '../../auth/actor.ts';
import type { Actor } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { userById } from '../../db/tables/user.ts';

/**
 * Permissions of the API request that started a task. An API key or a connected client may have fewer permissions than
 * the user.
 */
export type RequesterRights = Pick<Actor, 'userId' | 'role' | 'projects'>;

export function rightsOf({ userId, role, projects }: Actor): RequesterRights {
  return { userId, role, projects };
}

/**
 * Returns the permissions from the start of the task that the user still has. Returns `null` for a deleted or blocked
 * user. Expired sessions are ignored.
 */
export function rightsNow(db: Reader, initialRights: RequesterRights): RequesterRights | null {
  const { userId } = initialRights;
  /*
   * If there is no user account, the request came from an operator on the server. The operator's permissions never
   * change.
   */
  if (userId === null) return initialRights;
  const user = userById(db, userId);
  if (user === undefined || user.blocked === 1) return null;
  const projects = intersection(initialRights.projects, projectIds(user.projects));
  return { userId, role: narrower(initialRights.role, user.role), projects };
}
