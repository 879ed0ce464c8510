/**
 * Permissions of the user who started a task, stored at its start. The task loses permissions that the user loses
 * later.
 */
import { narrower } from '@davit/api';
import { intersection, projectIds } from '../../auth/actor.ts';
import type { Actor } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { userById } from '../../db/tables/user.ts';

/**
 * Permissions of the API request that started a task. An API key or a connected client may have fewer permissions than
 * its user.
 */
export type RequesterRights = Pick<Actor, 'userId' | 'role' | 'projects'>;

export function rightsOf({ userId, role, projects }: Actor): RequesterRights {
  return { userId, role, projects };
}

/**
 * Returns permissions from the task's start that the user still has, or `null` for a deleted or blocked user. Expired
 * sessions do not matter.
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
