import { databaseSecretLocation } from '../../../app-spec/database-access.ts';
import type { Tx } from '../../../db/store.ts';
import { type DatabaseRow, setDatabase } from '../../../db/tables/managed-database.ts';
import type { DatabasesDeps } from '../deps.ts';
import type { Login } from '../dialects/dialect.ts';
import { renewFormer } from '../former.ts';
import { databaseFacts, otherLogins, sealOtherLogins } from '../secrets.ts';

/**
 * Old database login that apps may still use. Deployments after `lastDeployment` and one-off commands after `lastRun`
 * use the new login.
 */
export interface Retiring extends Login {
  /**
   * Ids of the apps that may still use this old login. These apps were attached to the database when a password
   * rotation replaced the login.
   */
  apps: number[];
  lastDeployment: number;
  lastRun: number;
}

/**
 * Returns the old logins of a database that are not disabled yet, because a password rotation has not finished.
 * @throws SealBroken
 */
export function retiringLogins({ sealer }: Pick<DatabasesDeps, 'sealer'>, row: DatabaseRow): Retiring[] {
  // The type cast is safe, because only the functions in this file write the column `other_logins`.
  return otherLogins(sealer, row) as Retiring[];
}

/** Saves a new login as the current login in the database row. The previous login is still valid. */
export function replaceLogin(
  { sealer, now }: Pick<DatabasesDeps, 'sealer' | 'now'>,
  tx: Tx,
  row: DatabaseRow,
  login: Login,
  since: Pick<Retiring, 'apps' | 'lastDeployment' | 'lastRun'>,
): void {
  const { login: before } = databaseFacts(sealer, row);
  const retiring = [...retiringLogins({ sealer }, row), { ...before, ...since, replacedAt: now() }];
  setDatabase(
    tx,
    row.id,
    {
      username: login.username,
      password: sealer.seal(login.password, databaseSecretLocation(row.id, 'password')),
      other_logins: sealOtherLogins(sealer, row.id, retiring),
    },
    { change: 'credentials', at: now() },
  );
}

/**
 * Saves that the old logins are disabled, before they are disabled in the database server. If the server fails, Davit
 * can disable them later.
 */
export function noteEnd({ sealer, now }: Pick<DatabasesDeps, 'sealer' | 'now'>, tx: Tx, row: DatabaseRow): void {
  const ended = retiringLogins({ sealer }, row).map((login) => ({ ...login, endedAt: login.endedAt ?? now() }));
  setDatabase(tx, row.id, { other_logins: sealOtherLogins(sealer, row.id, ended) });
  renewFormer({ sealer }, tx, row);
}
