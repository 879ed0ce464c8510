import { databaseSecretPlace } from '../../../app-spec/database-access.ts';
import type { Tx } from '../../../db/store.ts';
import { type DatabaseRow, setDatabase } from '../../../db/tables/managed-database.ts';
import type { DatabasesDeps } from '../deps.ts';
import type { Login } from '../dialects/dialect.ts';
import { renewFormer } from '../former.ts';
import { databaseFacts, otherLogins, sealOtherLogins } from '../secrets.ts';

/**
 * Previous database login that may still be in use. Deployments and runs with a higher number than `lastDeployment` and
 * `lastRun` use the new login.
 */
export interface Retiring extends Login {
  /** Ids of the apps that were attached to the database when the login was replaced. */
  apps: number[];
  lastDeployment: number;
  lastRun: number;
}

/** Returns the previous logins of unfinished password rotations. @throws SealBroken */
export function retiringLogins({ sealer }: Pick<DatabasesDeps, 'sealer'>, row: DatabaseRow): Retiring[] {
  // The cast is safe, because only `replaceLogin` and `noteEnd` write the column `other_logins`.
  return otherLogins(sealer, row) as Retiring[];
}

/** Records a new login as the current login of a database. The previous login stays valid. */
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
 * Records the end of the previous logins before the database server ends them. Even if the server fails to end them,
 * the login rules and new servers reject these logins later.
 */
export function noteEnd({ sealer, now }: Pick<DatabasesDeps, 'sealer' | 'now'>, tx: Tx, row: DatabaseRow): void {
  const ended = retiringLogins({ sealer }, row).map((login) => ({ ...login, endedAt: login.endedAt ?? now() }));
  setDatabase(tx, row.id, { other_logins: sealOtherLogins(sealer, row.id, ended) });
  renewFormer({ sealer, now }, tx, row);
}

const LONGEST = 32;

/**
 * Number of login names before a name is used again. A client that is still signing in with an ended login could get a
 * session of a newer login with this name. Twelve rotations take longer than a sign-in.
 */
const LAST = 12;
const SUFFIX = /^(.+)_([2-9]|1[0-2])$/;

/** Returns the name of the next database login. @param reserved matches names that belong to the database engine */
export function nextUsername(current: string, onlyUser: string | undefined, reserved: RegExp): string {
  // A database engine with a single user, such as Redis, keeps the name. Only the password changes.
  if (onlyUser !== undefined) return current;
  const { base, number } = partsOf(current);
  if (number === LAST && !reserved.test(base)) return base;
  return named(base, number === LAST ? 2 : number + 1);
}

/** Returns the names that rotations give to earlier and later logins of the same database. */
export function otherUsernames(current: string, reserved: RegExp): string[] {
  const { base } = partsOf(current);
  const suffixed = Array.from({ length: LAST - 1 }, (_, n) => named(base, n + 2));
  return [base, ...suffixed].filter((name) => name !== current && !reserved.test(name));
}

/** Splits a login name such as `shop_3` into the first login's name `shop` and the number 3. */
function partsOf(username: string): { base: string; number: number } {
  const [, base = username, suffix] = SUFFIX.exec(username) ?? [];
  return { base, number: suffix === undefined ? 1 : Number(suffix) };
}

function named(base: string, number: number): string {
  const suffix = `_${number}`;
  return `${base.slice(0, LONGEST - suffix.length)}${suffix}`;
}
