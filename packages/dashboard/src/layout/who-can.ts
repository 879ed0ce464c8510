import { allows, type Permission, ROLES, type Role } from '@davit/api';

/**
 * Returns a sentence that names the roles with a permission, or `null` if the given role has the permission. Pages show
 * the sentence in place of instructions that the user cannot follow.
 * @param what action that the permission allows, such as `push images`
 */
export function whoCan(role: Role, permission: Permission, what: string): string | null {
  if (allows(role, permission)) return null;
  const roles = ROLES.filter((one) => allows(one, permission)).join(' or ');
  return `Your role is ${role}. Ask a user with the role ${roles} to ${what}.`;
}
