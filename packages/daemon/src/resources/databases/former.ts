/**
 * New passwords for the former data of a database. A restore or an upgrade moves former data to the trash, with a
 * database row of its own. It must not have the same password as the original database. Otherwise apps of the restored
 * data, perhaps in another project, could sign in to the original database.
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
 * Records a new login password and a new TLS key for a database in the trash. A restore from the trash sets this
 * password in the server before apps can connect. The administrator's password stays, because Davit needs it to change
 * a MySQL or MariaDB server.
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
 * Records new passwords for the former data of a database whose previous login ends. Earlier versions of Davit stored
 * former data with the login of its original database.
 */
export function renewFormer(base: Base, tx: Tx, of: DatabaseRow): void {
  for (const former of relativesOf(base, trashedDatabaseRows(tx, null), of)) renewLogin(base, tx, former);
}

/** Returns whether another row contains the original data or the former data of this database. */
export function hasRelative(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  return relativesOf(base, allDatabases(db), row).length > 0;
}

/**
 * Returns the database rows with the same administrator's password. Only an original database and its former data share
 * this password, because it is generated and never changes. The app login's password is no proof: users can choose it,
 * and a rotation replaces it.
 */
function relativesOf(base: Pick<Base, 'sealer'>, rows: readonly DatabaseRow[], of: DatabaseRow): DatabaseRow[] {
  const password = adminPasswordOf(base, of);
  if (password === null) return [];
  return rows.filter((row) => row.id !== of.id && adminPasswordOf(base, row) === password);
}

/**
 * Returns the decrypted administrator's password, or `null` if it cannot be decrypted. A damaged row must not stop a
 * task of another database.
 */
function adminPasswordOf({ sealer }: Pick<Base, 'sealer'>, { id, admin_password }: DatabaseRow): string | null {
  try {
    return sealer.open(admin_password, databaseSecretPlace(id, 'admin_password'));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
