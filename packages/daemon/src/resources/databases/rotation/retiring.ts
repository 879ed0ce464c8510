import { databaseSecretPlace } from '../../../app-spec/database-access.ts';
import type { Tx } from '../../../db/store.ts';
import { type DatabaseRow, setDatabase } from '../../../db/tables/managed-database.ts';
import type { DatabasesDeps } from '../deps.ts';
import type { Login } from '../dialects/dialect.ts';
import { renewFormer } from '../former.ts';
import { databaseFacts, otherLogins, sealOtherLogins } from '../secrets.ts';

/**
 * Previous database login that apps may still use. Deployments and one-off commands with a higher id than
 * `lastDeployment` and `lastRun` started later, so they use the new login.
 */
export interface Retiring extends Login {
  /** Ids of the apps that were attached to the database when a new login replaced this login. */
  apps: number[];
  lastDeployment: number;
  lastRun: number;
}

/** Returns the previous logins of unfinished password rotations. @throws SealBroken */
export function retiringLogins({ sealer }: Pick<DatabasesDeps, 'sealer'>, row: DatabaseRow): Retiring[] {
  // The cast is safe, because only `replaceLogin` and `noteEnd` write the column `other_logins`.
  return otherLogins(sealer, row) as Retiring[];
}

/** Stores a new login as the current login in the database row. The previous login stays valid. */
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
      password: sealer.seal(login.password, databaseSecretPlace(row.id, 'password')),
      other_logins: sealOtherLogins(sealer, row.id, retiring),
    },
    { change: 'credentials', at: now() },
  );
}

/**
 * Records in the database row that the previous logins are disabled. This happens before the database server disables
 * them. If the server fails, the login rules and new servers still reject these logins later.
 */
export function noteEnd({ sealer, now }: Pick<DatabasesDeps, 'sealer' | 'now'>, tx: Tx, row: DatabaseRow): void {
  const ended = retiringLogins({ sealer }, row).map((login) => ({ ...login, endedAt: login.endedAt ?? now() }));
  setDatabase(tx, row.id, { other_logins: sealOtherLogins(sealer, row.id, ended) });
  renewFormer({ sealer, now }, tx, row);
}
