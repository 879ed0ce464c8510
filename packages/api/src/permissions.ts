/**
 * Roles and their permissions. The daemon enforces the permissions. Clients use the same table to show what a user may
 * do.
 */

export const ROLES = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Permissions that a role can have. `read`: read everything in visible projects, except secret values. `secrets`: read
 * secret values and credentials. `operate`: deploy and manage apps, environments and their settings. `administer`:
 * manage projects, users and settings of the instance.
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

/**
 * Compares two roles and returns the role with fewer permissions. Used for the role of an API key and the role of its
 * user, because the key must not have more permissions than the user.
 */
export function narrower(a: Role, b: Role): Role {
  return ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b;
}

/** Returns the role with the fewest permissions that still has a given permission. Used in error messages. */
export function leastRole(permission: Permission): Role {
  return ROLES.find((role) => allows(role, permission)) ?? 'admin';
}

/** Returns the error message for a role that lacks a permission, or `null` if the role has the permission. */
export function whyForbidden(role: Role, permission: Permission): string | null {
  return allows(role, permission)
    ? null
    : `This operation requires the role ${leastRole(permission)}, but your role is ${role}. Ask an admin to do it.`;
}
