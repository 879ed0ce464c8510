import type { ApiKey, Connection, User, UserSession } from '@davit/api';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute } from '../output/words.ts';

export const userList: ListView<User> = {
  columns: [
    { header: 'user', value: ({ username }) => username, style: () => 'bold' },
    { header: 'role', value: ({ role }) => role },
    { header: 'projects', value: ({ projects }) => projectsOf(projects) },
    { header: 'blocked', value: ({ blocked }) => (blocked ? 'yes' : ''), style: () => 'red' },
    { header: 'created', value: ({ created_at }) => minute(created_at) },
    { header: 'last seen', value: ({ last_seen_at }) => minute(last_seen_at) },
  ],
  id: ({ username }) => username,
  empty: 'No users found.',
};

export function userFields(user: User): Field[] {
  return [
    ['user', user.username, 'bold'],
    ['role', user.role],
    ['projects', projectsOf(user.projects)],
    ['blocked', user.blocked ? 'yes' : 'no'],
    ['created', minute(user.created_at)],
    ['last seen', minute(user.last_seen_at)],
  ];
}

export const keyList: ListView<ApiKey> = {
  columns: [
    { header: 'key', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'name', value: ({ name }) => name },
    { header: 'role', value: ({ role }) => role },
    { header: 'projects', value: ({ projects }) => projectsOf(projects) },
    { header: 'expires', value: ({ expires_at }) => minute(expires_at) },
    { header: 'last used', value: ({ last_used_at }) => minute(last_used_at) },
  ],
  id: ({ id }) => id,
  empty: 'No API keys found.',
};

export const sessionList: ListView<UserSession> = {
  columns: [
    { header: 'session', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'last seen', value: ({ last_seen_at }) => minute(last_seen_at) },
    { header: 'address', value: ({ address }) => address },
    { header: 'browser', value: ({ user_agent }) => user_agent },
  ],
  id: ({ id }) => id,
  empty: 'No sessions found.',
};

export const connectionList: ListView<Connection> = {
  columns: [
    { header: 'ID', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'client', value: ({ client_name }) => client_name },
    { header: 'client id', value: ({ client_id }) => client_id },
    { header: 'role', value: ({ role }) => role },
    { header: 'projects', value: ({ projects }) => projectsOf(projects) },
    { header: 'last used', value: ({ last_used_at }) => minute(last_used_at) },
  ],
  id: ({ id }) => id,
  empty: 'No connected OAuth clients found.',
};

function projectsOf(projects: readonly string[] | null): string {
  return projects === null ? 'all' : projects.join(', ') || 'none';
}
