import type { Role } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface UserRow {
  id: number;
  username: string;
  password_hash: string;
  role: Role;
  /** JSON array of project ids; null: all. */
  projects: string | null;
}

const COLUMNS = 'id, username, password_hash, role, projects';

export function userByName(db: Reader, username: string): UserRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM users WHERE username = ?`, username);
}

export function userById(db: Reader, id: number): UserRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM users WHERE id = ?`, id);
}

/** Whether the instance has been claimed: it has an account. */
export function hasUsers(db: Reader): boolean {
  return db.get('SELECT 1 FROM users LIMIT 1') !== undefined;
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
