import type { Role } from '@davit/api';
import { columnsOf, type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { endPushCredential } from './push-credential.ts';

const USER = selectFrom(
  'users',
  'id, username, password_hash, role, projects, blocked, created_at, projects_at, seen_at',
);

export type UserRow = Row<typeof USER>;

const u = columnsOf('users', 'u');

/** Columns of a user who owns an API key or OAuth grant. The SQL statement must join the table `users u`. */
export const OWNER = {
  username: u.username,
  user_role: u.role,
  user_projects: u.projects,
  user_blocked: u.blocked,
};

export function userByName(db: Reader, username: string): UserRow | undefined {
  return db.get(USER.from('users WHERE username = ?'), username);
}

export function userById(db: Reader, id: number): UserRow | undefined {
  return db.get(USER.from('users WHERE id = ?'), id);
}

/** Returns all users, sorted by user name. */
export function listUsers(db: Reader): UserRow[] {
  return db.all(USER.from('users ORDER BY username'));
}

/** Returns whether at least one user exists. An instance without users has not been set up yet. */
export function hasUsers(db: Reader): boolean {
  return db.exists('SELECT 1 FROM users LIMIT 1');
}

/**
 * Returns whether there is another admin with access to all projects. Ignores blocked admins.
 * @param id id of the user to ignore
 */
export function hasOtherAdmin(db: Reader, id: number): boolean {
  const sql = "SELECT 1 FROM users WHERE role = 'admin' AND projects IS NULL AND blocked = 0 AND id <> ? LIMIT 1";
  return db.exists(sql, id);
}

export interface NewUser {
  username: string;
  passwordHash: string;
  role: Role;
  projects: readonly number[] | null;
  at: number;
}

export function insertUser(tx: Tx, user: NewUser): number {
  return insert(tx, 'users', {
    username: user.username,
    password_hash: user.passwordHash,
    role: user.role,
    projects: user.projects === null ? null : JSON.stringify(user.projects),
    created_at: user.at,
  });
}

/** Sets a new password hash of a user. The registry then rejects image pushes with the old password. */
export function changePasswordHash(tx: Tx, id: number, passwordHash: string, at: number): void {
  renewPasswordHash(tx, id, passwordHash);
  endPushCredential(tx, id, null, at);
}

/** Replaces the password hash of a user with a new hash of the same password. */
export function renewPasswordHash(tx: Tx, id: number, passwordHash: string): void {
  update(tx, 'users', id, { password_hash: passwordHash });
}

export function setUserRights(tx: Tx, id: number, role: Role, projects: readonly number[] | null, at: number): void {
  tx.run(
    `UPDATE users SET role = ?1, projects_at = CASE WHEN projects IS ?2 THEN projects_at ELSE ?3 END, projects = ?2
      WHERE id = ?4`,
    role,
    projects === null ? null : JSON.stringify(projects),
    at,
    id,
  );
}

/**
 * Records the time of a user's last request. Call this function in the transaction that records the use of the session
 * or API key. A separate transaction would cause a second disk write.
 */
export function touchUser(tx: Tx, id: number, at: number): void {
  update(tx, 'users', id, { seen_at: at });
}

export function setUserBlocked(tx: Tx, id: number, blocked: boolean): void {
  update(tx, 'users', id, { blocked: blocked ? 1 : 0 });
}

/** Deletes a user. Foreign keys with `ON DELETE CASCADE` also delete the user's sessions, API keys and OAuth grants. */
export function deleteUser(tx: Tx, id: number): void {
  tx.run('DELETE FROM users WHERE id = ?', id);
}

/**
 * Maximum number of networks that Davit stores for the sign-ins of a user. If there are more networks, Davit deletes
 * the least recently used one.
 */
const NETWORKS_KEPT = 50;

/** Returns whether a user has signed in from this network before. */
export function knowsNetwork(db: Reader, userId: number, network: string): boolean {
  return db.exists('SELECT 1 FROM sign_in_networks WHERE user_id = ? AND network = ?', userId, network);
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
