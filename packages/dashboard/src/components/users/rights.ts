/** Texts of the dashboard that explain user roles, permissions and project access. */
import { allows, PERMISSIONS, type Permission, ROLES, type Role, type User } from '@davit/api';

const PERMISSION_WORDS: Record<Permission, { name: string; words: string }> = {
  read: { name: 'View', words: 'View projects, apps, deployments, logs, charts and settings, without secret values.' },
  secrets: { name: 'Read secrets', words: 'Read the values of secret variables.' },
  operate: {
    name: 'Manage apps',
    words:
      'Create, deploy, roll back, stop and delete apps. Change their settings, variables and domains. Push images.',
  },
  administer: {
    name: 'Administer',
    words: 'Manage projects, users, certificates, registries and the settings of the instance. Read the audit log.',
  },
};

export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'Read-only access, without secret values.',
  member: 'Can manage apps with their settings and variables, and can read secret values.',
  admin: 'Full access, including projects, users and the settings of the instance.',
};

/** Permissions, each with the roles that have it. Each entry is a row of the table of roles on the users page. */
export const RIGHTS = PERMISSIONS.map((permission) => ({
  permission,
  ...PERMISSION_WORDS[permission],
  roles: ROLES.filter((role) => allows(role, permission)),
}));

/** Formats the projects of a user or an API key, such as `all projects`, `shop and blog` or `no project`. */
export function projectsInWords(projects: readonly string[] | null): string {
  if (projects === null) return 'all projects';
  return projects.length === 0 ? 'no project' : new Intl.ListFormat('en').format(projects);
}

type Rights = Pick<User, 'role' | 'projects' | 'blocked'>;

function isAdminOfAll({ role, projects, blocked }: Rights): boolean {
  return role === 'admin' && projects === null && !blocked;
}

/**
 * Returns the reason why a user cannot be changed or deleted. The reason is that at least one admin with access to all
 * projects must remain.
 * @param users all users that the signed-in user may see
 * @param next role and projects of the user after the change, or `null` for a deletion
 * @returns the same message as the server's error, or `null` if the change is allowed
 */
export function whyLastAdmin(user: User, users: readonly User[], next: Rights | null): string | null {
  if (!isAdminOfAll(user) || (next !== null && isAdminOfAll(next))) return null;
  if (users.some((other) => other.username !== user.username && isAdminOfAll(other))) return null;
  return `${user.username} is the last admin with access to all projects. Create another admin with access to all projects first.`;
}
