/**
 * Roles and their permissions. The daemon enforces the permissions. With the same table, clients show users the actions
 * that they may perform.
 */

export const ROLES = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Permissions of roles. `read`: all data except secret values. `secrets`: secret values and credentials. `operate`:
 * apps and environments. `administer`: projects, users and the instance.
 */
export const PERMISSIONS = ['read', 'secrets', 'operate', 'administer'] as const;
export type Permission = (typeof PERMISSIONS)[number];

const GRANTS = {
  viewer: ['read'],
  member: ['read', 'secrets', 'operate'],
  admin: ['read', 'secrets', 'operate', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;

export function allows(role: Role, permission: Permission): boolean {
  return (GRANTS[role] as readonly Permission[]).includes(permission);
}

/** Returns the role with fewer permissions, because an API key must not have more permissions than its user. */
export function narrower(a: Role, b: Role): Role {
  return ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b;
}

/** Role and projects of a user or an API key. `null` means all projects. */
interface Access<Project> {
  role: Role;
  projects: readonly Project[] | null;
}

/**
 * Returns whether an API key is restricted. A key is restricted if it expires, or if it has fewer permissions than its
 * owner. A restricted key must not create credentials or grant permissions that stay valid after the key ends.
 */
export function isRestrictedKey<Project>(
  { role, projects, expires }: Access<Project> & { expires: boolean },
  owner: Access<Project>,
): boolean {
  const seesLess =
    projects !== null && (owner.projects === null || owner.projects.some((project) => !projects.includes(project)));
  return narrower(role, owner.role) !== owner.role || seesLess || expires;
}

/**
 * Returns the role with the fewest permissions among the roles that have a given permission. Error messages contain
 * this role.
 */
export function leastRole(permission: Permission): Role {
  return ROLES.find((role) => allows(role, permission)) ?? 'admin';
}

/** Returns the error message for a role without the given permission. Returns `null` if the role has the permission. */
export function whyForbidden(role: Role, permission: Permission): string | null {
  return allows(role, permission)
    ? null
    : `This operation requires the role ${leastRole(permission)}, but your role is ${role}. Ask an admin to do it.`;
}
