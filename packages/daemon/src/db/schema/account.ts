import type { Role } from '@davit/api';
import { integer, nullable, rowId, text, withDefault } from './table.ts';

/** SQLite tables for users, sessions, API keys, OAuth grants and push credentials. */
export const ACCOUNT_TABLES = {
  users: {
    id: rowId(),
    username: text(),
    password_hash: text(),
    role: text<Role>(),
    /** Ids of the projects that the user may access, as a JSON array. `null` means all projects. */
    projects: nullable(text()),
    created_at: integer(),
    /**
     * 1 if the user is blocked. A blocked user cannot sign in. The sessions and API keys of a blocked user do not work.
     */
    blocked: withDefault(integer()),
    /** Time of the user's last request, accurate to the minute. `null` if the user has never sent a request. */
    seen_at: nullable(integer()),
    /**
     * Time when the list of the user's projects last changed, in milliseconds since the epoch. 0 if the list never
     * changed.
     */
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
    /** 1 if the user signed in without TLS (plain HTTP). */
    is_plain: withDefault(integer()),
    /**
     * 1 if other programs on the server can receive the session cookie. Browsers send this cookie to all ports of the
     * same host.
     */
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
    /** 1 if the API key was created with an expiry date, or with fewer permissions than its owner had. */
    restricted: withDefault(integer()),
  },

  sign_in_networks: {
    user_id: integer(),
    network: text(),
    seen_at: integer(),
  },

  /** OAuth grants: permissions that users gave to connected clients. */
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

  /**
   * API keys and passwords that clients used to push images to the instance's registry. A row stays after its user is
   * deleted.
   */
  push_credentials: {
    id: rowId(),
    user_id: integer(),
    username: text(),
    /** Id of the API key, or `null` if the client pushed with the user's password. */
    key_id: nullable(integer()),
    /**
     * Time when the API key or password expires, was revoked or was replaced, in milliseconds since the epoch. `null`
     * means that the API key or password is valid and never expires.
     */
    ends_at: nullable(integer()),
  },

  push_grants: {
    repository: text(),
    credential_id: integer(),
    granted_at: integer(),
  },
};
