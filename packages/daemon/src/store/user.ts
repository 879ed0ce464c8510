import type { Role } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface UserRow {
  id: number;
  username: string;
  password_hash: string;
  role: Role;
  /** JSON array of project ids; null: all. */
  projects: string | null;
  /** 1: none of his sessions and keys works, and he cannot sign in. */
  blocked: number;
  created_at: number;
  /** To the minute; null: never. */
  seen_at: number | null;
}

const COLUMNS = 'id, username, password_hash, role, projects, blocked, created_at, seen_at';

export function userByName(db: Reader, username: string): UserRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM users WHERE username = ?`, username);
}

export function userById(db: Reader, id: number): UserRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM users WHERE id = ?`, id);
}

/** By name. */
export function listUsers(db: Reader): UserRow[] {
  return db.all(`SELECT ${COLUMNS} FROM users ORDER BY username`);
}

/** Whether the instance has been claimed: it has an account. */
export function hasUsers(db: Reader): boolean {
  return db.get('SELECT 1 FROM users LIMIT 1') !== undefined;
}

/** Whether anybody else may do everything: an admin of all projects who is not blocked. */
export function hasOtherAdmin(db: Reader, id: number): boolean {
  const sql = "SELECT 1 FROM users WHERE role = 'admin' AND projects IS NULL AND blocked = 0 AND id <> ? LIMIT 1";
  return db.get(sql, id) !== undefined;
}

export interface NewUser {
  username: string;
  passwordHash: string;
  role: Role;
  projects: readonly number[] | null;
  at: number;
}

export function insertUser(tx: Tx, user: NewUser): number {
  const { id } = tx.run(
    'INSERT INTO users (username, password_hash, role, projects, created_at) VALUES (?, ?, ?, ?, ?)',
    user.username,
    user.passwordHash,
    user.role,
    user.projects === null ? null : JSON.stringify(user.projects),
    user.at,
  );
  return id;
}

export function setPasswordHash(tx: Tx, id: number, passwordHash: string): void {
  tx.run('UPDATE users SET password_hash = ? WHERE id = ?', passwordHash, id);
}

export function setUserRights(tx: Tx, id: number, role: Role, projects: readonly number[] | null): void {
  tx.run(
    'UPDATE users SET role = ?, projects = ? WHERE id = ?',
    role,
    projects === null ? null : JSON.stringify(projects),
    id,
  );
}

/** Notes that he is here; written with the use of what he asked with, so that it costs no write of its own. */
export function touchUser(tx: Tx, id: number, at: number): void {
  tx.run('UPDATE users SET seen_at = ? WHERE id = ?', at, id);
}

export function setUserBlocked(tx: Tx, id: number, blocked: boolean): void {
  tx.run('UPDATE users SET blocked = ? WHERE id = ?', blocked ? 1 : 0, id);
}

/** His sessions and keys go with him. */
export function deleteUser(tx: Tx, id: number): void {
  tx.run('DELETE FROM users WHERE id = ?', id);
}

/** More networks than one person signs in from; the one that was not used for longest is forgotten. */
const NETWORKS_KEPT = 50;

/** Whether a user has signed in from a network before. */
export function knowsNetwork(db: Reader, userId: number, network: string): boolean {
  return db.get('SELECT 1 FROM sign_in_networks WHERE user_id = ? AND network = ?', userId, network) !== undefined;
}

export function noteNetwork(tx: Tx, userId: number, network: string, at: number): void {
  tx.run(
    `INSERT INTO sign_in_networks (user_id, network, seen_at) VALUES (?, ?, ?)
     ON CONFLICT (user_id, network) DO UPDATE SET seen_at = excluded.seen_at`,
    userId,
    network,
    at,
  );
  tx.run(
    `DELETE FROM sign_in_networks WHERE user_id = ?1 AND network NOT IN
       (SELECT network FROM sign_in_networks WHERE user_id = ?1 ORDER BY seen_at DESC LIMIT ?2)`,
    userId,
    NETWORKS_KEPT,
  );
}
