import type { Role } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** Users and their credentials. */
export const ACCOUNT_TABLES = {
  users: {
    id: rowId(),
    username: text(),
    password_hash: text(),
    role: text<Role>(),
    /** JSON array of project ids, or `null` for all projects. */
    projects: nullable(text()),
    created_at: integer(),
    /** 1 if the user is blocked: they cannot sign in, and their sessions and keys do not work. */
    blocked: withDefault(integer()),
    /** Time of the last activity, accurate to the minute, or `null` if the user was never active. */
    seen_at: nullable(integer()),
    /** Time of the last change of the projects, in milliseconds since the epoch, or 0 if they never changed. */
    projects_at: withDefault(integer()),
  },

  sessions: {
    id: rowId(),
    user_id: integer(),
    token_hash: text(),
    created_at: integer(),
    seen_at: integer(),
    expires_at: integer(),
    address: nullable(text()),
    user_agent: nullable(text()),
    /** 1 if the session was created without TLS. */
    is_plain: withDefault(integer()),
    /** 1 if browsers also send the session cookie to programs on other ports of the host. */
    is_exposed: withDefault(integer()),
  },

  api_keys: {
    id: rowId(),
    user_id: integer(),
    name: text(),
    key_hash: text(),
    role: text<Role>(),
    projects: nullable(text()),
    created_at: integer(),
    expires_at: nullable(integer()),
    used_at: nullable(integer()),
    /** Whether the key was created with fewer rights than its owner had, or with an end date. */
    restricted: withDefault(integer()),
  },

  sign_in_networks: {
    user_id: integer(),
    network: text(),
    seen_at: integer(),
  },

  /** Rights that users gave to connected programs. */
  oauth_grants: {
    id: rowId(),
    user_id: integer(),
    client_id: text(),
    client_name: text(),
    role: text<Role>(),
    projects: nullable(text()),
    created_at: integer(),
    used_at: nullable(integer()),
    expires_at: integer(),
  },

  oauth_codes: {
    code_hash: text(),
    grant_id: integer(),
    redirect_uri: text(),
    challenge: text(),
    resource: text(),
    expires_at: integer(),
    used: withDefault(integer()),
  },

  oauth_tokens: {
    token_hash: text(),
    grant_id: integer(),
    kind: text<'access' | 'refresh'>(),
    resource: text(),
    expires_at: integer(),
    replaced_at: nullable(integer()),
  },

  /** API keys and passwords that got a token for a push. Their user may have been deleted. */
  push_credentials: {
    id: rowId(),
    user_id: integer(),
    username: text(),
    /** Id of the API key, or `null` for the user's password. */
    key_id: nullable(integer()),
    /**
     * Time at which the credential expires, was revoked or was replaced, in milliseconds since the epoch. `null` if it
     * never expires and is still valid.
     */
    ends_at: nullable(integer()),
  },

  push_grants: {
    repository: text(),
    credential_id: integer(),
    granted_at: integer(),
  },
};
