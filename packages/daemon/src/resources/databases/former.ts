/**
 * The former data of a restore or an upgrade has a record of its own, and in its server the login of the database that it came
 * from. The two must not have the same password: data that is brought back, perhaps in another project, would otherwise
 * let its apps into the database that it came from.
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
 * Records a new login password and a new TLS key. The rules set the password in the server when the database is brought
 * back, before anybody can connect: see {@link RULES_DUE}. The password of the administrator stays, because the server of
 * MariaDB or MySQL can be changed only with that one.
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
 * Records new logins for the former data of a database whose login ends. An earlier version kept former data with the login of
 * its database.
 */
export function renewFormer(base: Base, tx: Tx, of: DatabaseRow): void {
  for (const former of relativesOf(base, trashedDatabaseRows(tx, null), of)) renewLogin(base, tx, former);
}

/** Whether this is former data of another record, or another record is former data of this one. */
export function hasRelative(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  return relativesOf(base, allDatabases(db), row).length > 0;
}

/**
 * The record of former data has the password of the administrator of its database. That one is always generated and never
 * changes, so that no user can choose it. The login is no such sign: users choose its password, and a rotation replaces it.
 */
function relativesOf(base: Pick<Base, 'sealer'>, rows: readonly DatabaseRow[], of: DatabaseRow): DatabaseRow[] {
  const password = adminPasswordOf(base, of);
  if (password === null) return [];
  return rows.filter((row) => row.id !== of.id && adminPasswordOf(base, row) === password);
}

/** @returns `null` if it cannot be opened: a damaged record must not stop a task of another database */
function adminPasswordOf({ sealer }: Pick<Base, 'sealer'>, { id, admin_password }: DatabaseRow): string | null {
  try {
    return sealer.open(admin_password, databaseSecretPlace(id, 'admin_password'));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
