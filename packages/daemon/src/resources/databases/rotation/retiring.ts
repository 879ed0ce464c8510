import { databaseSecretPlace } from '../../../app-spec/database-access.ts';
import type { Tx } from '../../../db/store.ts';
import { type DatabaseRow, setDatabase } from '../../../db/tables/managed-database.ts';
import type { DatabasesDeps } from '../deps.ts';
import type { Login } from '../dialects/dialect.ts';
import { renewFormer } from '../former.ts';
import { databaseFacts, otherLogins, sealOtherLogins } from '../secrets.ts';

/** Previous login that may still be in use. Later deployments and runs than the two given below use the new login. */
export interface Retiring extends Login {
  /** Apps that the database was attached to when the login was replaced. */
  apps: number[];
  lastDeployment: number;
  lastRun: number;
}

/** Returns the previous logins of unfinished rotations. @throws SealBroken */
export function retiringLogins({ sealer }: Pick<DatabasesDeps, 'sealer'>, row: DatabaseRow): Retiring[] {
  // Only `replaceLogin` writes this column, so that the cast is safe.
  return otherLogins(sealer, row) as Retiring[];
}

/** Makes another login the current login of apps. The previous login stays valid. */
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
 * Records that the previous logins end, before the server ends any of them.
 * Even if that fails, later rules and new servers reject these logins.
 */
export function noteEnd({ sealer, now }: Pick<DatabasesDeps, 'sealer' | 'now'>, tx: Tx, row: DatabaseRow): void {
  const ended = retiringLogins({ sealer }, row).map((login) => ({ ...login, endedAt: login.endedAt ?? now() }));
  setDatabase(tx, row.id, { other_logins: sealOtherLogins(sealer, row.id, ended) });
  renewFormer({ sealer, now }, tx, row);
}

const LONGEST = 32;

/**
 * Number of names before a name is used again. A client that began to sign in with an ended login would get a session of
 * a new login with the same name. This many rotations take longer than a client has to sign in.
 */
const LAST = 12;
const SUFFIX = /^(.+)_([2-9]|1[0-2])$/;

/** Returns the name of the next login. @param reserved names that belong to the engine */
export function nextUsername(current: string, onlyUser: string | undefined, reserved: RegExp): string {
  // An engine with a single user keeps the name, and only the password changes.
  if (onlyUser !== undefined) return current;
  const { base, number } = partsOf(current);
  if (number === LAST && !reserved.test(base)) return base;
  return named(base, number === LAST ? 2 : number + 1);
}

/** Returns the names that earlier and later logins have. */
export function otherUsernames(current: string, reserved: RegExp): string[] {
  const { base } = partsOf(current);
  const suffixed = Array.from({ length: LAST - 1 }, (_, n) => named(base, n + 2));
  return [base, ...suffixed].filter((name) => name !== current && !reserved.test(name));
}

/** Divides the name of a login into the name of the first login and its own number. */
function partsOf(username: string): { base: string; number: number } {
  const [, base = username, suffix] = SUFFIX.exec(username) ?? [];
  return { base, number: suffix === undefined ? 1 : Number(suffix) };
}

function named(base: string, number: number): string {
  const suffix = `_${number}`;
  return `${base.slice(0, LONGEST - suffix.length)}${suffix}`;
}
