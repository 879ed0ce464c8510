/**
 * New passwords for the previous data of a database. A restore or an upgrade moves the previous data to the trash, as a
 * separate database.
 *
 * The database in the trash must not keep the login of the original database. Otherwise, apps that later use the
 * previous data could sign in to the original database, even from another project.
 */
import { databaseSecretPlace } from '../../app-spec/database-access.ts';
import { SealBroken } from '../../db/seal.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { allDatabases, type DatabaseRow, setDatabase, trashedDatabaseRows } from '../../db/tables/managed-database.ts';
import type { DatabasesDeps } from './deps.ts';
import { RULES_DUE } from './rules.ts';
import { newDatabasePassword, newTlsPair } from './secrets.ts';

type Base = Pick<DatabasesDeps, 'sealer' | 'now'>;

/**
 * Stores a new login password and a new TLS key in the row of a database in the trash. A restore from the trash sets
 * this password in the database server before apps can connect. The administrator's password does not change, because
 * Davit needs it to change a MySQL or MariaDB server.
 */
export function renewLogin(
  { sealer, now }: Base,
  tx: Tx,
  { id, ...identity }: Pick<DatabaseRow, 'id' | 'name' | 'environment' | 'project'>,
): void {
  const password = sealer.seal(newDatabasePassword(), databaseSecretPlace(id, 'password'));
  const tls = sealer.seal(JSON.stringify(newTlsPair(identity, now())), databaseSecretPlace(id, 'tls'));
  setDatabase(tx, id, { password, tls, rules: RULES_DUE });
}

/**
 * Stores new passwords for databases in the trash that contain previous data of this database. Earlier Davit versions
 * left the login of the original database in the trash. Therefore a password rotation calls this function before it
 * disables the previous login.
 */
export function renewFormer(base: Base, tx: Tx, of: DatabaseRow): void {
  for (const former of relativesOf(base, trashedDatabaseRows(tx, null), of)) renewLogin(base, tx, former);
}

/** Returns whether another database row contains the original or the previous data of this database. */
export function hasRelative(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  return relativesOf(base, allDatabases(db), row).length > 0;
}

/**
 * Returns the database rows that contain the same original database or its previous data. They have the same password
 * of Davit's own login, because Davit generates it once and never changes it. The password of the app's login cannot be
 * compared, because users can choose it and a rotation replaces it.
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
    return sealer.open(admin_password, databaseSecretPlace(id, 'admin_password'));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
