import type { Role } from '@davit/api';
import { columnsOf, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { endPushCredential } from './push-credential.ts';
import { OWNER } from './user.ts';

const KEY = select({
  ...pick(columnsOf('api_keys', 'k'), 'id, user_id, name, role, projects, expires_at, used_at, restricted'),
  ...OWNER,
});

/**
 * API key with its role and projects, and with the role and projects of its owner. A client that uses the API key needs
 * the permissions of both.
 */
export type ApiKeyRow = Row<typeof KEY>;

export function apiKeyByHash(db: Reader, keyHash: string): ApiKeyRow | undefined {
  return db.get(KEY.from('api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_hash = ?'), keyHash);
}

const LISTED = selectFrom('api_keys', 'id, name, role, projects, created_at, expires_at, used_at');

/** API key without its secret, as shown in the list of a user's API keys. */
export type ApiKeyListing = Row<typeof LISTED>;

export function apiKeysOfUser(db: Reader, userId: number): ApiKeyListing[] {
  return db.all(LISTED.from('api_keys WHERE user_id = ? ORDER BY id'), userId);
}

export interface NewApiKey {
  userId: number;
  name: string;
  keyHash: string;
  role: Role;
  projects: readonly number[] | null;
  at: number;
  expiresAt: number | null;
  /** Whether the API key has an expiry date, or has fewer permissions than its owner. */
  restricted: boolean;
}

export function insertApiKey(tx: Tx, key: NewApiKey): number {
  return insert(tx, 'api_keys', {
    user_id: key.userId,
    name: key.name,
    key_hash: key.keyHash,
    role: key.role,
    projects: key.projects === null ? null : JSON.stringify(key.projects),
    created_at: key.at,
    expires_at: key.expiresAt,
    restricted: key.restricted ? 1 : 0,
  });
}

export function touchApiKey(tx: Tx, id: number, at: number): void {
  update(tx, 'api_keys', id, { used_at: at });
}

/**
 * Replaces the secret of an API key and clears its time of last use. The registry then rejects image pushes with the
 * old secret.
 * @returns whether the user has an API key with this id
 */
export function replaceApiKeyHash(tx: Tx, userId: number, id: number, keyHash: string, at: number): boolean {
  const sql = 'UPDATE api_keys SET key_hash = ?, used_at = NULL WHERE id = ? AND user_id = ?';
  const { changes } = tx.run(sql, keyHash, id, userId);
  endPushCredential(tx, userId, id, at);
  return changes === 1;
}

export function deleteApiKey(tx: Tx, userId: number, id: number, at: number): void {
  tx.run('DELETE FROM api_keys WHERE id = ? AND user_id = ?', id, userId);
  endPushCredential(tx, userId, id, at);
}
