import type { Role } from '@davit/api';
import { columnsOf, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { OWNER } from './user.ts';

const GRANT_COLUMNS = {
  ...pick(columnsOf('oauth_grants', 'g'), 'id, user_id, client_id, client_name, role, projects'),
  ...pick(columnsOf('oauth_grants', 'g'), 'created_at, used_at, expires_at'),
  ...OWNER,
};
const GRANT = select(GRANT_COLUMNS);

/**
 * OAuth grant: the permissions that a user gave to a connected client. The row also contains the current permissions of
 * the user.
 */
export type GrantRow = Row<typeof GRANT>;

const t = columnsOf('oauth_tokens', 't');
const ACCESS_TOKEN = select({ ...GRANT_COLUMNS, token_expires_at: t.expires_at, resource: t.resource });

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
  return insert(tx, 'oauth_grants', {
    user_id: grant.userId,
    client_id: grant.clientId,
    client_name: grant.clientName,
    role: grant.role,
    projects: grant.projects === null ? null : JSON.stringify(grant.projects),
    created_at: grant.at,
    expires_at: grant.expiresAt,
  });
}

export function grantById(db: Reader, id: number): GrantRow | undefined {
  return db.get(GRANT.from('oauth_grants g JOIN users u ON u.id = g.user_id WHERE g.id = ?'), id);
}

/**
 * Returns the valid OAuth grants of a user, oldest first. Omits a grant if the client has not exchanged the
 * authorization code for a token yet.
 */
export function grantsOfUser(db: Reader, userId: number, at: number): GrantRow[] {
  return db.all(
    GRANT.from(
      `oauth_grants g JOIN users u ON u.id = g.user_id
        WHERE g.user_id = ? AND g.expires_at > ? AND EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = g.id)
        ORDER BY g.id`,
    ),
    userId,
    at,
  );
}

export function touchGrant(tx: Tx, id: number, at: number): void {
  update(tx, 'oauth_grants', id, { used_at: at });
}

export function extendGrant(tx: Tx, id: number, expiresAt: number): void {
  update(tx, 'oauth_grants', id, { expires_at: expiresAt });
}

/** Deletes an OAuth grant with its authorization codes and tokens. */
export function deleteGrant(tx: Tx, id: number): void {
  tx.run('DELETE FROM oauth_grants WHERE id = ?', id);
}

/** Deletes all OAuth grants of a user with their authorization codes and tokens. */
export function deleteGrantsOfUser(tx: Tx, userId: number): void {
  tx.run('DELETE FROM oauth_grants WHERE user_id = ?', userId);
}

/**
 * Deletes the OAuth grants and tokens that have expired.
 * @param at current time in milliseconds since the epoch
 */
export function deleteDeadGrants(tx: Tx, at: number): void {
  tx.run('DELETE FROM oauth_grants WHERE expires_at <= ?', at);
  tx.run('DELETE FROM oauth_tokens WHERE expires_at <= ?', at);
}

/**
 * Deletes the tokens of an OAuth grant, except for the newest `kept` tokens. Otherwise, a client that often renews its
 * token could fill the database.
 */
export function deleteOldTokens(tx: Tx, grantId: number, kept: number): void {
  tx.run(
    `DELETE FROM oauth_tokens WHERE grant_id = ?1 AND rowid <=
       (SELECT rowid FROM oauth_tokens WHERE grant_id = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)`,
    grantId,
    kept,
  );
}

const CODE = selectFrom('oauth_codes', 'grant_id, redirect_uri, challenge, resource, expires_at, used');

export type CodeRow = Row<typeof CODE>;

export function insertCode(tx: Tx, codeHash: string, code: Omit<CodeRow, 'used'>): void {
  insert(tx, 'oauth_codes', {
    code_hash: codeHash,
    grant_id: code.grant_id,
    redirect_uri: code.redirect_uri,
    challenge: code.challenge,
    resource: code.resource,
    expires_at: code.expires_at,
  });
}

export function codeByHash(db: Reader, codeHash: string): CodeRow | undefined {
  return db.get(CODE.from('oauth_codes WHERE code_hash = ?'), codeHash);
}

export function useCode(tx: Tx, codeHash: string): void {
  tx.run('UPDATE oauth_codes SET used = 1 WHERE code_hash = ?', codeHash);
}

const TOKEN = selectFrom('oauth_tokens', 'grant_id, kind, resource, expires_at, replaced_at');

export type TokenRow = Row<typeof TOKEN>;

export type TokenKind = TokenRow['kind'];

export function insertToken(tx: Tx, tokenHash: string, token: Omit<TokenRow, 'replaced_at'>): void {
  insert(tx, 'oauth_tokens', {
    token_hash: tokenHash,
    grant_id: token.grant_id,
    kind: token.kind,
    resource: token.resource,
    expires_at: token.expires_at,
  });
}

export function tokenByHash(db: Reader, tokenHash: string): TokenRow | undefined {
  return db.get(TOKEN.from('oauth_tokens WHERE token_hash = ?'), tokenHash);
}

/** Returns an OAuth access token with its OAuth grant and user. */
export function accessTokenByHash(db: Reader, tokenHash: string): Row<typeof ACCESS_TOKEN> | undefined {
  return db.get(
    ACCESS_TOKEN.from(
      `oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
        WHERE t.token_hash = ? AND t.kind = 'access'`,
    ),
    tokenHash,
  );
}

/** Marks all refresh tokens of an OAuth grant as replaced by a newer token. */
export function markReplaced(tx: Tx, grantId: number, at: number): void {
  tx.run(
    "UPDATE oauth_tokens SET replaced_at = ? WHERE grant_id = ? AND kind = 'refresh' AND replaced_at IS NULL",
    at,
    grantId,
  );
}
