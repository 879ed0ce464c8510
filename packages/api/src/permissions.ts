/** Roles and their permissions. The daemon enforces this table, and all clients show it. */

export const ROLES = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Permissions:
 * `read`: everything except secret values, in the visible projects.
 * `secrets`: secret values and credentials.
 * `operate`: deployments, and everything to run an app with its environment and settings.
 * `administer`: projects, users and settings of the instance.
 */
export const PERMISSIONS = ['read', 'secrets', 'operate', 'administer'] as const;
export type Permission = (typeof PERMISSIONS)[number];

const GRANTS = {
  viewer: ['read'],
  member: ['read', 'secrets', 'operate'],
  admin: ['read', 'secrets', 'operate', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;

/** Returns whether a role has a permission. */
export function allows(role: Role, permission: Permission): boolean {
  return (GRANTS[role] as readonly Permission[]).includes(permission);
}

/** Returns the role with fewer rights, because the role of a key never exceeds the role of its owner. */
export function narrower(a: Role, b: Role): Role {
  return ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b;
}

/** Returns the role with the fewest rights that has a permission, for messages. */
export function leastRole(permission: Permission): Role {
  return ROLES.find((role) => allows(role, permission)) ?? 'admin';
}

/** Returns the message if a role lacks a permission, or `null` if the role has it. */
export function whyForbidden(role: Role, permission: Permission): string | null {
  return allows(role, permission)
    ? null
    : `This operation requires the role ${leastRole(permission)}, but your role is ${role}. Ask an admin to do it.`;
}
