import { allows, isRestrictedKey, type Me } from '@davit/api';
import type { RightsDraft } from '../users/rights-fields.tsx';

/**
 * Returns a sentence with the operations that a new API key cannot perform, and the reason. Returns `null` if the key
 * is not restricted.
 * @param me user who creates the key
 * @param expires whether the key has an expiry date
 */
export function whatKeyCannotDo(
  me: Pick<Me, 'role' | 'projects'>,
  { role, projects }: RightsDraft,
  expires: boolean,
): string | null {
  if (!isRestrictedKey({ role, projects: projects ?? me.projects, expires }, me)) return null;
  const reason = expires ? 'This key expires' : 'This key has fewer permissions than you';
  const operations = allows(role, 'administer')
    ? 'create users or API keys, change permissions or passwords of users, or change your account'
    : 'create API keys or change your account';
  return `${reason}, so it cannot ${operations}.`;
}
