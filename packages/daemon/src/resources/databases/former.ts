/**
 * Gives new passwords to databases in the trash. A restore or upgrade keeps the old data of a database in the trash.
 * This old data becomes a separate database, but has the same password as the original.
 *
 * An app could later get this old database, even in another project. With its password, the app could sign in to the
 * original database.
 */
import { databaseSecretLocation } from '../../app-spec/database-access.ts';
import { SealBroken } from '../../db/seal.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { allDatabases, type DatabaseRow, setDatabase, trashedDatabaseRows } from '../../db/tables/managed-database.ts';
import type { DatabasesDeps } from './deps.ts';
import { RULES_DUE } from './rules.ts';
import { newDatabasePassword, newTlsPair } from './secrets.ts';

type Base = Pick<DatabasesDeps, 'sealer' | 'now'>;

/**
 * Stores a new password and a new TLS key for a database in the trash. A restore from the trash sets this password in
 * the database server before apps can connect. Davit's own password does not change, because Davit signs in with it to
 * MySQL and MariaDB.
 */
export function renewLogin(
  { sealer, now }: Base,
  tx: Tx,
  { id, ...identity }: Pick<DatabaseRow, 'id' | 'name' | 'environment' | 'project'>,
): void {
  const password = sealer.seal(newDatabasePassword(), databaseSecretLocation(id, 'password'));
  const tls = sealer.seal(JSON.stringify(newTlsPair(identity, now())), databaseSecretLocation(id, 'tls'));
  setDatabase(tx, id, { password, tls, rules: RULES_DUE });
}

/**
 * Sets new passwords for the old copies of a database in the trash. A restore or upgrade makes such a copy. Earlier
 * Davit versions did not change the password of a copy, so it may be the same as the database's own password. A
 * password rotation calls this function before it disables the old password.
 */
export function renewFormer(base: Base, tx: Tx, of: DatabaseRow): void {
  for (const former of relativesOf(base, trashedDatabaseRows(tx, null), of)) renewLogin(base, tx, former);
}

/**
 * Returns whether another database has the same origin as this database. For example, a restore keeps the old data as a
 * separate database in the trash.
 */
export function hasRelative(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  return relativesOf(base, allDatabases(db), row).length > 0;
}

/**
 * Returns the databases that have the same origin as the given database, for example its old data in the trash. These
 * databases have the same password for Davit's own login, because Davit never changes this password.
 */
function relativesOf(base: Pick<Base, 'sealer'>, rows: readonly DatabaseRow[], of: DatabaseRow): DatabaseRow[] {
  const password = adminPasswordOf(base, of);
  if (password === null) return [];
  return rows.filter((row) => row.id !== of.id && adminPasswordOf(base, row) === password);
}

/**
 * Decrypts the password of Davit's own login. Returns `null` if this fails, because a damaged row of one database must
 * not stop a task of another database.
 */
function adminPasswordOf({ sealer }: Pick<Base, 'sealer'>, { id, admin_password }: DatabaseRow): string | null {
  try {
    return sealer.open(admin_password, databaseSecretLocation(id, 'admin_password'));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
