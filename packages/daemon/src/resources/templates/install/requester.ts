/**
 * Permissions of the user who started the task of an installation. They are stored when the task starts. If the user
 * loses a permission later, the task loses it too.
 */
import { narrower } from '@davit/api';
import { intersection, projectIds } from '../../../auth/actor.ts';
import type { Actor } from '../../../auth/context.ts';
import type { Reader } from '../../../db/store.ts';
import { userById } from '../../../db/tables/user.ts';

/**
 * Permissions of the API request that started a task. An API key or a connected client may have fewer permissions than
 * its user.
 */
export type RequesterRights = Pick<Actor, 'userId' | 'role' | 'projects'>;

export function rightsOf({ userId, role, projects }: Actor): RequesterRights {
  return { userId, role, projects };
}

/**
 * Returns the current permissions of the user who started a task, or `null` if the user was deleted or blocked. The
 * result contains only permissions that the user had at the start of the task and still has. The task continues after
 * the API key or session of the user has expired.
 */
export function rightsNow(db: Reader, initialRights: RequesterRights): RequesterRights | null {
  const { userId } = initialRights;
  // Without a user account, the request comes from an operator on the server, whose permissions never change.
  if (userId === null) return initialRights;
  const user = userById(db, userId);
  if (user === undefined || user.blocked === 1) return null;
  const projects = intersection(initialRights.projects, projectIds(user.projects));
  return { userId, role: narrower(initialRights.role, user.role), projects };
}
