import { databaseSecretPlace } from '../../../app-spec/database-access.ts';
import type { Tx } from '../../../db/store.ts';
import { type DatabaseRow, setDatabase } from '../../../db/tables/managed-database.ts';
import type { DatabasesDeps } from '../deps.ts';
import type { Login } from '../dialects/dialect.ts';
import { renewFormer } from '../former.ts';
import { databaseFacts, otherLogins, sealOtherLogins } from '../secrets.ts';

/** What was begun later than these has the new login; what was begun before may have this one. */
export interface Retiring extends Login {
  /** The apps that the database was attached to when the login was replaced. */
  apps: number[];
  lastDeployment: number;
  lastRun: number;
}

/** Those of rotations that have not come to their end. @throws SealBroken */
export function retiringLogins({ sealer }: Pick<DatabasesDeps, 'sealer'>, row: DatabaseRow): Retiring[] {
  // Only a rotation writes them, by the function below.
  return otherLogins(sealer, row) as Retiring[];
}

/** Makes another login the one that apps get from now on; the one before stays valid. */
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

/** Before any of them is ended: whatever comes of that, no rules and no new server let them in again. */
export function noteEnd({ sealer, now }: Pick<DatabasesDeps, 'sealer' | 'now'>, tx: Tx, row: DatabaseRow): void {
  const ended = retiringLogins({ sealer }, row).map((login) => ({ ...login, endedAt: login.endedAt ?? now() }));
  setDatabase(tx, row.id, { other_logins: sealOtherLogins(sealer, row.id, ended) });
  renewFormer({ sealer, now }, tx, row);
}

const SECOND = '_2';
const LONGEST = 32;

/**
 * The name of the next login: one and the other take turns. An engine that has but one user keeps it, with another
 * password.
 * @param reserved names that belong to the engine
 */
export function nextUsername(current: string, onlyUser: string | undefined, reserved: RegExp): string {
  if (onlyUser !== undefined) return current;
  const first = current.slice(0, -SECOND.length);
  if (current.endsWith(SECOND) && first !== '' && !reserved.test(first)) return first;
  return `${current.slice(0, LONGEST - SECOND.length)}${SECOND}`;
}
