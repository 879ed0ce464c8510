/**
 * Gives new passwords to copies of databases in the trash. An app that later gets a copy could sign in to the original
 * with its password.
 */
import { databaseSecretLocation } from '../../app-spec/database-access.ts';
import { SealBroken } from '../../db/seal.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { allDatabases, type DatabaseRow, setDatabase, trashedDatabaseRows } from '../../db/tables/managed-database.ts';
import type { DatabasesDeps } from './deps.ts';
import { RULES_DUE } from './rules.ts';
import { newDatabasePassword, newTlsKey } from './secrets.ts';

type Base = Pick<DatabasesDeps, 'sealer'>;

/**
 * Stores a new password and TLS key for a database in the trash. Davit's own password stays, because Davit signs in to
 * MySQL with it.
 */
export function renewLogin({ sealer }: Base, tx: Tx, id: number): void {
  const password = sealer.seal(newDatabasePassword(), databaseSecretLocation(id, 'password'));
  // A restore from the trash issues a certificate for the new key, and sets the password before apps can connect.
  setDatabase(tx, id, { password, tls: newTlsKey(sealer, id), certificate: null, rules: RULES_DUE });
}

/**
 * Sets new passwords for old copies of a database in the trash. Copies of earlier Davit versions may have the
 * database's own password.
 */
export function renewFormer(base: Base, tx: Tx, of: DatabaseRow): void {
  for (const former of relativesOf(base, trashedDatabaseRows(tx, null), of)) renewLogin(base, tx, former.id);
}

/**
 * Returns whether another database has the same origin as this database. For example, a restore keeps the old data as a
 * separate database in the trash.
 */
export function hasRelative(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  return relativesOf(base, allDatabases(db), row).length > 0;
}

/**
 * Returns the databases with the same origin, such as old data in the trash. They share Davit's own password, which
 * Davit never changes.
 */
function relativesOf(base: Pick<Base, 'sealer'>, rows: readonly DatabaseRow[], of: DatabaseRow): DatabaseRow[] {
  const password = adminPasswordOf(base, of);
  if (password === null) return [];
  return rows.filter((row) => row.id !== of.id && adminPasswordOf(base, row) === password);
}

/**
 * Decrypts the password of Davit's own login. `null` if this fails, because a damaged row must not stop a task of
 * another database.
 */
function adminPasswordOf({ sealer }: Pick<Base, 'sealer'>, { id, admin_password }: DatabaseRow): string | null {
  try {
    return sealer.open(admin_password, databaseSecretLocation(id, 'admin_password'));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
