/**
 * The former data of a restore or an upgrade has a record of its own, and in its server the login of the database that it came
 * from. No two records may have the same password: data that is brought back, perhaps in another project, would otherwise
 * let its apps into the database that it came from.
 */
import { databaseSecretPlace, openDatabasePassword } from '../../app-spec/database-access.ts';
import { SealBroken } from '../../db/seal.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { allDatabases, type DatabaseRow, setDatabase, trashedDatabaseRows } from '../../db/tables/managed-database.ts';
import type { DatabasesDeps } from './deps.ts';
import type { Login } from './dialects/dialect.ts';
import { RULES_DUE } from './rules.ts';
import { newDatabasePassword, newTlsPair, otherLogins } from './secrets.ts';

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
 * Records new logins for databases in the trash that have one of these passwords. An earlier version kept former data with the
 * login of its database.
 */
export function renewFormer(base: Base, tx: Tx, ended: readonly Login[]): void {
  const passwords = new Set(ended.map(({ password }) => password));
  for (const former of trashedDatabaseRows(tx, null))
    if (passwords.has(passwordOf(base, former) ?? '')) renewLogin(base, tx, former);
}

/** Whether another record has the password of this one, also for a login that a rotation has not ended yet. */
export function sharesPassword(base: Pick<Base, 'sealer'>, db: Reader, row: DatabaseRow): boolean {
  const password = passwordOf(base, row);
  return (
    password !== null && allDatabases(db).some((other) => other.id !== row.id && hasPassword(base, other, password))
  );
}

function hasPassword({ sealer }: Pick<Base, 'sealer'>, row: DatabaseRow, password: string): boolean {
  const others = orNull(() => otherLogins(sealer, row)) ?? [];
  return passwordOf({ sealer }, row) === password || others.some((login) => login.password === password);
}

function passwordOf({ sealer }: Pick<Base, 'sealer'>, row: DatabaseRow): string | null {
  return orNull(() => openDatabasePassword({ sealer }, row));
}

/** @returns `null` if it cannot be opened: a damaged record must not stop a task of another database */
function orNull<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
