import type { Schema, TableName } from '../schema/index.ts';

interface Protected<N extends TableName> {
  /** Columns of the primary key. */
  key: readonly (keyof Schema[N] & string)[];
  /** Other columns whose values are protected. Times of the last use and similar values change too often. */
  columns: readonly (keyof Schema[N] & string)[];
}

/**
 * Tables whose rows direct traffic, or contain secrets or permissions. Each row has a MAC (message authentication
 * code), which shows whether the row was changed outside of Davit. After a change of this list, add a migration, so
 * that the next start writes all MACs again.
 */
export const PROTECTED: { readonly [N in TableName]?: Protected<N> } = {
  users: { key: ['id'], columns: ['username', 'password_hash', 'role', 'projects', 'blocked'] },
  sessions: { key: ['id'], columns: ['user_id', 'token_hash', 'expires_at', 'is_plain', 'is_exposed'] },
  api_keys: { key: ['id'], columns: ['user_id', 'name', 'key_hash', 'role', 'projects', 'expires_at', 'restricted'] },
  oauth_grants: { key: ['id'], columns: ['user_id', 'client_id', 'role', 'projects', 'expires_at'] },
  oauth_codes: {
    key: ['code_hash'],
    columns: ['grant_id', 'redirect_uri', 'challenge', 'resource', 'expires_at', 'used'],
  },
  oauth_tokens: { key: ['token_hash'], columns: ['grant_id', 'kind', 'resource', 'expires_at', 'replaced_at'] },
  push_credentials: { key: ['id'], columns: ['user_id', 'username', 'key_id', 'ends_at'] },
  push_grants: { key: ['repository', 'credential_id'], columns: [] },
  projects: { key: ['id'], columns: ['slug', 'deleted_at'] },
  environments: { key: ['id'], columns: ['project_id', 'slug', 'deleted_at'] },
  apps: {
    key: ['id'],
    columns: ['environment_id', 'name', 'spec', 'revision', 'live_deployment', 'stopped', 'deleted_at'],
  },
  app_files: { key: ['app_id', 'version'], columns: ['content'] },
  variables: { key: ['level', 'owner_id', 'key'], columns: ['value', 'secret'] },
  domains: {
    key: ['id'],
    columns: ['app_id', 'host', 'path', 'port', 'protocol', 'https', 'redirect_to', 'rules', 'basic_auth'],
  },
  own_domains: { key: ['domain'], columns: [] },
  routes: { key: ['slot'], columns: ['app_id', 'port', 'protocol'] },
  tcp_ports: { key: ['id'], columns: ['app_id', 'node', 'container_port', 'host_port'] },
  deployments: {
    key: ['id'],
    columns: ['app_id', 'tag', 'image', 'image_id', 'digest', 'port', 'revision', 'mounts'],
  },
  instances: {
    key: ['id'],
    columns: ['app_id', 'deployment_id', 'environment_id', 'ordinal', 'name', 'address', 'container_id', 'role'],
  },
  volumes: { key: ['id'], columns: ['app_id', 'project_id', 'path', 'name', 'state'] },
  attachments: { key: ['id'], columns: ['app_id', 'kind', 'database_id', 'store_id', 'bucket', 'prefix'] },
  databases: {
    key: ['id'],
    columns: [
      ...(['project_id', 'environment_id', 'name', 'engine', 'image', 'username', 'database', 'password'] as const),
      ...(['admin_password', 'tls', 'other_logins', 'exposed_port', 'volume', 'address', 'deleted_at'] as const),
    ],
  },
  object_stores: {
    key: ['id'],
    columns: [
      ...(['project_id', 'environment_id', 'name', 'kind', 'endpoint', 'public_endpoint', 'bucket', 'image'] as const),
      ...(['access_key', 'secret_key', 'volume', 'address', 'port', 'public_only', 'deleted_at'] as const),
    ],
  },
  certificates: { key: ['id'], columns: ['kind', 'directory', 'hosts', 'chain', 'key'] },
  certificate_hosts: { key: ['host', 'certificate_id'], columns: [] },
  acme_accounts: { key: ['directory'], columns: ['key', 'url'] },
  acme_bindings: { key: ['directory'], columns: ['kid', 'hmac_key'] },
  dns_providers: { key: ['id'], columns: ['provider', 'credentials', 'variables', 'domains'] },
  registries: { key: ['id'], columns: ['host', 'all_projects', 'username', 'password'] },
  registry_projects: { key: ['host', 'project_id'], columns: ['registry_id'] },
  settings: { key: ['key'], columns: ['value'] },
};

/** A protected table with the SQL texts for its rows. */
export interface ProtectedTable {
  name: string;
  /** Columns of the primary key, and then the other protected columns. */
  columns: readonly string[];
  keyLength: number;
  /** Returns the SQL expression for the text that identifies a row. `prefix`: alias of the table, or `NEW` or `OLD`. */
  keyOf: (prefix: string) => string;
}

const DECLARED: Record<string, { key: readonly string[]; columns: readonly string[] }> = PROTECTED;

export const PROTECTED_TABLES: readonly ProtectedTable[] = Object.entries(DECLARED).map(([name, { key, columns }]) => ({
  name,
  columns: [...key, ...columns],
  keyLength: key.length,
  keyOf: (prefix) =>
    key.length === 1
      ? `CAST(${prefix}."${key[0]}" AS TEXT)`
      : `json_array(${key.map((column) => `${prefix}."${column}"`).join(', ')})`,
}));
