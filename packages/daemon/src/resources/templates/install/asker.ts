/**
 * Rights of the user who started a task on an installation. They are recorded with the task, and restricted to the
 * user's current rights while the task runs.
 */
import { narrower } from '@davit/api';
import { intersection, projectIds } from '../../../auth/actor.ts';
import type { Actor } from '../../../auth/context.ts';
import type { Reader } from '../../../db/store.ts';
import { userById } from '../../../db/tables/user.ts';

/**
 * Rights of the API request that started a task. An API key or a connected program may have fewer rights than its user.
 */
export type AskerRights = Pick<Actor, 'userId' | 'role' | 'projects'>;

export function rightsOf({ userId, role, projects }: Actor): AskerRights {
  return { userId, role, projects };
}

/**
 * Returns the recorded rights that the user still has, or `null` if the user was deleted or blocked. A task continues
 * after the end of the API key or session that started it.
 */
export function rightsNow(db: Reader, asked: AskerRights): AskerRights | null {
  const { userId } = asked;
  // The local operator has no account that could change.
  if (userId === null) return asked;
  const user = userById(db, userId);
  if (user === undefined || user.blocked === 1) return null;
  const projects = intersection(asked.projects, projectIds(user.projects));
  return { userId, role: narrower(asked.role, user.role), projects };
}
