import type { Role } from '@davit/api';
import type { Reader, Tx } from './store.ts';

/** A key with its own rights and its owner's; what it may do is the narrower of the two. */
export interface ApiKeyRow {
  id: number;
  user_id: number;
  name: string;
  role: Role;
  projects: string | null;
  expires_at: number | null;
  used_at: number | null;
  username: string;
  user_role: Role;
  user_projects: string | null;
  user_blocked: number;
}

export function apiKeyByHash(db: Reader, keyHash: string): ApiKeyRow | undefined {
  return db.get(
    `SELECT k.id, k.user_id, k.name, k.role, k.projects, k.expires_at, k.used_at,
       u.username, u.role AS user_role, u.projects AS user_projects, u.blocked AS user_blocked
     FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.key_hash = ?`,
    keyHash,
  );
}

/** A key as its owner lists it. */
export interface ApiKeyListing {
  id: number;
  name: string;
  role: Role;
  projects: string | null;
  created_at: number;
  expires_at: number | null;
  used_at: number | null;
}

export function apiKeysOfUser(db: Reader, userId: number): ApiKeyListing[] {
  return db.all(
    'SELECT id, name, role, projects, created_at, expires_at, used_at FROM api_keys WHERE user_id = ? ORDER BY id',
    userId,
  );
}

export interface NewApiKey {
  userId: number;
  name: string;
  keyHash: string;
  role: Role;
  projects: readonly number[] | null;
  at: number;
  expiresAt: number | null;
}

export function insertApiKey(tx: Tx, key: NewApiKey): number {
  const { id } = tx.run(
    'INSERT INTO api_keys (user_id, name, key_hash, role, projects, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    key.userId,
    key.name,
    key.keyHash,
    key.role,
    key.projects === null ? null : JSON.stringify(key.projects),
    key.at,
    key.expiresAt,
  );
  return id;
}

export function touchApiKey(tx: Tx, id: number, at: number): void {
  tx.run('UPDATE api_keys SET used_at = ? WHERE id = ?', at, id);
}

/** Puts another secret in the place of a key's, which has not been used then; answers whether there was the key. */
export function replaceApiKeyHash(tx: Tx, id: number, keyHash: string): boolean {
  const { changes } = tx.run('UPDATE api_keys SET key_hash = ?, used_at = NULL WHERE id = ?', keyHash, id);
  return changes === 1;
}

export function deleteApiKey(tx: Tx, userId: number, id: number): void {
  tx.run('DELETE FROM api_keys WHERE id = ? AND user_id = ?', id, userId);
}
