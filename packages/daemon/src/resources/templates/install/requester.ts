/**
 * Permissions of the user who started the task of an installation. The task stores them when it starts. A permission
 * that the user loses later is no longer valid for the task.
 */
import { narrower } from '@davit/api';
import { intersection, projectIds } from '../../../auth/actor.ts';
import type { Actor } from '../../../auth/context.ts';
import type { Reader } from '../../../db/store.ts';
import { userById } from '../../../db/tables/user.ts';

/**
 * Permissions of the API request that started a task. An API key or a connected program may have fewer permissions
 * than its user.
 */
export type RequesterRights = Pick<Actor, 'userId' | 'role' | 'projects'>;

export function rightsOf({ userId, role, projects }: Actor): RequesterRights {
  return { userId, role, projects };
}

/**
 * Returns those of the stored permissions that the user still has. Returns `null` if the user was deleted or blocked.
 * A task continues if the API key or session that started it expires.
 */
export function rightsNow(db: Reader, asked: RequesterRights): RequesterRights | null {
  const { userId } = asked;
  // The local operator has no user account. Therefore the permissions of the local operator cannot change.
  if (userId === null) return asked;
  const user = userById(db, userId);
  if (user === undefined || user.blocked === 1) return null;
  const projects = intersection(asked.projects, projectIds(user.projects));
  return { userId, role: narrower(asked.role, user.role), projects };
}
