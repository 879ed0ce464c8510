/** Roles and what each may do: the one table that the daemon enforces and every client shows. */

export const ROLES = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * `read`: everything but secret values, in the projects one sees. `secrets`: secret values and credentials. `operate`:
 * deploy and everything it takes to run an app, its environment and its settings. `administer`: projects, users,
 * instance settings.
 */
export const PERMISSIONS = ['read', 'secrets', 'operate', 'administer'] as const;
export type Permission = (typeof PERMISSIONS)[number];

const GRANTS = {
  viewer: ['read'],
  member: ['read', 'secrets', 'operate'],
  admin: ['read', 'secrets', 'operate', 'administer'],
} as const satisfies Record<Role, readonly Permission[]>;

/** Whether a role carries a permission. */
export function allows(role: Role, permission: Permission): boolean {
  return (GRANTS[role] as readonly Permission[]).includes(permission);
}

/** The narrower of two roles: a key's role never exceeds its owner's. */
export function narrower(a: Role, b: Role): Role {
  return ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b;
}

/** The least role that carries a permission, for messages. */
export function leastRole(permission: Permission): Role {
  return ROLES.find((role) => allows(role, permission)) ?? 'admin';
}

/** Why a role may not do something, in the sentence that everybody is told; null: it may. */
export function whyForbidden(role: Role, permission: Permission): string | null {
  return allows(role, permission) ? null : `This needs the role ${leastRole(permission)}; yours is ${role}.`;
}
