import type { Role } from '@davit/api';
import type { Reader, Tx } from './store.ts';

/** What a person allowed a program, with what he may do himself now. */
export interface GrantRow {
  id: number;
  user_id: number;
  client_id: string;
  client_name: string;
  role: Role;
  projects: string | null;
  created_at: number;
  used_at: number | null;
  expires_at: number;
  username: string;
  user_role: Role;
  user_projects: string | null;
  user_blocked: number;
}

const GRANT = `g.id, g.user_id, g.client_id, g.client_name, g.role, g.projects, g.created_at, g.used_at, g.expires_at,
  u.username, u.role AS user_role, u.projects AS user_projects, u.blocked AS user_blocked`;

export interface NewGrant {
  userId: number;
  clientId: string;
  clientName: string;
  role: Role;
  projects: readonly number[] | null;
  at: number;
  expiresAt: number;
}

export function insertGrant(tx: Tx, grant: NewGrant): number {
  const { id } = tx.run(
    `INSERT INTO oauth_grants (user_id, client_id, client_name, role, projects, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    grant.userId,
    grant.clientId,
    grant.clientName,
    grant.role,
    grant.projects === null ? null : JSON.stringify(grant.projects),
    grant.at,
    grant.expiresAt,
  );
  return id;
}

export function grantById(db: Reader, id: number): GrantRow | undefined {
  return db.get(`SELECT ${GRANT} FROM oauth_grants g JOIN users u ON u.id = g.user_id WHERE g.id = ?`, id);
}

/** Those that still count, oldest first. One whose code was never exchanged is none yet. */
export function grantsOfUser(db: Reader, userId: number, at: number): GrantRow[] {
  return db.all(
    `SELECT ${GRANT} FROM oauth_grants g JOIN users u ON u.id = g.user_id
      WHERE g.user_id = ? AND g.expires_at > ? AND EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = g.id)
      ORDER BY g.id`,
    userId,
    at,
  );
}

export function touchGrant(tx: Tx, id: number, at: number): void {
  tx.run('UPDATE oauth_grants SET used_at = ? WHERE id = ?', at, id);
}

export function extendGrant(tx: Tx, id: number, expiresAt: number): void {
  tx.run('UPDATE oauth_grants SET expires_at = ? WHERE id = ?', expiresAt, id);
}

/** With everything that hangs on it. */
export function deleteGrant(tx: Tx, id: number): void {
  tx.run('DELETE FROM oauth_grants WHERE id = ?', id);
}

/** What nobody can use any more. */
export function deleteDeadGrants(tx: Tx, at: number): void {
  tx.run('DELETE FROM oauth_grants WHERE expires_at <= ?', at);
  tx.run('DELETE FROM oauth_tokens WHERE expires_at <= ?', at);
}

/** All but the newest of a grant: a program may renew them as often as it likes. */
export function deleteOldTokens(tx: Tx, grantId: number, kept: number): void {
  tx.run(
    `DELETE FROM oauth_tokens WHERE grant_id = ?1 AND rowid <=
       (SELECT rowid FROM oauth_tokens WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)`,
    grantId,
    kept,
  );
}

export interface CodeRow {
  grant_id: number;
  redirect_uri: string;
  challenge: string;
  resource: string;
  expires_at: number;
  used: number;
}

export function insertCode(tx: Tx, codeHash: string, code: Omit<CodeRow, 'used'>): void {
  tx.run(
    'INSERT INTO oauth_codes (code_hash, grant_id, redirect_uri, challenge, resource, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
    codeHash,
    code.grant_id,
    code.redirect_uri,
    code.challenge,
    code.resource,
    code.expires_at,
  );
}

export function codeByHash(db: Reader, codeHash: string): CodeRow | undefined {
  return db.get(
    'SELECT grant_id, redirect_uri, challenge, resource, expires_at, used FROM oauth_codes WHERE code_hash = ?',
    codeHash,
  );
}

export function useCode(tx: Tx, codeHash: string): void {
  tx.run('UPDATE oauth_codes SET used = 1 WHERE code_hash = ?', codeHash);
}

export type TokenKind = 'access' | 'refresh';

export interface TokenRow {
  grant_id: number;
  kind: TokenKind;
  resource: string;
  expires_at: number;
  replaced_at: number | null;
}

export function insertToken(tx: Tx, tokenHash: string, token: Omit<TokenRow, 'replaced_at'>): void {
  tx.run(
    'INSERT INTO oauth_tokens (token_hash, grant_id, kind, resource, expires_at) VALUES (?, ?, ?, ?, ?)',
    tokenHash,
    token.grant_id,
    token.kind,
    token.resource,
    token.expires_at,
  );
}

export function tokenByHash(db: Reader, tokenHash: string): TokenRow | undefined {
  return db.get(
    'SELECT grant_id, kind, resource, expires_at, replaced_at FROM oauth_tokens WHERE token_hash = ?',
    tokenHash,
  );
}

/** An access token with who it speaks for. */
export function accessTokenByHash(db: Reader, tokenHash: string): (GrantRow & TokenExpiry) | undefined {
  return db.get(
    `SELECT ${GRANT}, t.expires_at AS token_expires_at, t.resource
       FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
      WHERE t.token_hash = ? AND t.kind = 'access'`,
    tokenHash,
  );
}

interface TokenExpiry {
  token_expires_at: number;
  resource: string;
}

/** Whatever a grant was renewed with until now. */
export function markReplaced(tx: Tx, grantId: number, at: number): void {
  tx.run(
    "UPDATE oauth_tokens SET replaced_at = ? WHERE grant_id = ? AND kind = 'refresh' AND replaced_at IS NULL",
    at,
    grantId,
  );
}
