/**
 * Logins of former data, which a restore or an upgrade has replaced and moved to the trash. Former data has its own row.
 * It must not have the same password as its original database: otherwise apps of the restored data, perhaps in another
 * project, could sign in to the original database.
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
 * Records a new login password and a new TLS key. A restore from the trash sets the password in the server before apps
 * can connect, see {@link RULES_DUE}. The administrator's password stays, because the instance needs it to change a
 * MariaDB or MySQL server.
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
 * Records new logins for the former data of a database whose login ends. Earlier versions of Davit stored former data
 * with the login of its original database.
 */
export function renewFormer(base: Base, tx: Tx, of: DatabaseRow): void {
  for (const former of relativesOf(base, trashedDatabaseRows(tx, null), of)) renewLogin(base, tx, former);
}

/** Returns whether another row has the original or the former data of this row. */
export function hasRelative(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  return relativesOf(base, allDatabases(db), row).length > 0;
}

/**
 * Returns the rows with the same administrator's password, which only an original database and its former data share.
 * This password is always generated and never changes. The password of the login is not usable for this comparison,
 * because users can choose it and a rotation replaces it.
 */
function relativesOf(base: Pick<Base, 'sealer'>, rows: readonly DatabaseRow[], of: DatabaseRow): DatabaseRow[] {
  const password = adminPasswordOf(base, of);
  if (password === null) return [];
  return rows.filter((row) => row.id !== of.id && adminPasswordOf(base, row) === password);
}

/** Returns `null` if the password cannot be decrypted. A damaged row must not stop a task of another database. */
function adminPasswordOf({ sealer }: Pick<Base, 'sealer'>, { id, admin_password }: DatabaseRow): string | null {
  try {
    return sealer.open(admin_password, databaseSecretPlace(id, 'admin_password'));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
