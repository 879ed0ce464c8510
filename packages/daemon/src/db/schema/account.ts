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
    /** 1: the user cannot sign in, and none of their sessions and keys works. */
    blocked: withDefault(integer()),
    /** To the minute; `null` for never. */
    seen_at: nullable(integer()),
    /** When the projects were last changed, in milliseconds since the epoch; 0: never. */
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
    /** 1: the session was created without TLS. */
    is_plain: withDefault(integer()),
    /** 1: browsers also send it to programs on other ports of the host. */
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
  },

  sign_in_networks: {
    user_id: integer(),
    network: text(),
    seen_at: integer(),
  },

  /** Rights that a user gave to a program. */
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

  /** API keys and passwords that got a token for a push. The user may be deleted by now. */
  push_credentials: {
    id: rowId(),
    user_id: integer(),
    username: text(),
    /** `null` for the password. */
    key_id: nullable(integer()),
    /** When it expires, was revoked or was replaced. Milliseconds since the epoch, or `null` while it is valid. */
    ends_at: nullable(integer()),
  },

  push_grants: {
    repository: text(),
    credential_id: integer(),
    granted_at: integer(),
  },
};
