/**
 * Sets new passwords for old copies of a database in the trash. Otherwise, an app with access to an old copy could also
 * sign in to the database, because both would have the same password.
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
 * Saves a new password and TLS key for a database in the trash. The password of Davit's own login is not changed,
 * because Davit signs in to MySQL with this password.
 */
export function renewLogin({ sealer }: Base, tx: Tx, id: number): void {
  const password = sealer.seal(newDatabasePassword(), databaseSecretLocation(id, 'password'));
  /*
   * A restore from the trash sets the password in the server before apps can connect. The restore also issues a
   * certificate for the new key.
   */
  setDatabase(tx, id, { password, tls: newTlsKey(sealer, id), certificate: null, rules: RULES_DUE });
}

/**
 * Sets new passwords for the copies of a database in the trash. Copies of earlier Davit versions may have the same
 * password as the database.
 */
export function renewFormer(base: Base, tx: Tx, of: DatabaseRow): void {
  for (const former of relativesOf(base, trashedDatabaseRows(tx, null), of)) renewLogin(base, tx, former.id);
}

/**
 * Returns whether another database was copied from the same original database. For example, a restore in place moves
 * the old data to the trash as a separate database.
 */
export function hasRelative(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  return relativesOf(base, allDatabases(db), row).length > 0;
}

/**
 * Returns the databases that were copied from the same original database, such as old data in the trash. These
 * databases have the same password for Davit's own login, because Davit never changes this password.
 */
function relativesOf(base: Pick<Base, 'sealer'>, rows: readonly DatabaseRow[], of: DatabaseRow): DatabaseRow[] {
  const password = adminPasswordOf(base, of);
  if (password === null) return [];
  return rows.filter((row) => row.id !== of.id && adminPasswordOf(base, row) === password);
}

/**
 * Decrypts the password of Davit's own login. If the decryption fails, returns `null`, because a damaged row of one
 * database must not stop a task of another database.
 */
function adminPasswordOf({ sealer }: Pick<Base, 'sealer'>, { id, admin_password }: DatabaseRow): string | null {
  try {
    return sealer.open(admin_password, databaseSecretLocation(id, 'admin_password'));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
