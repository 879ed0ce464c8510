import type { Reader, Tx } from '../../db/store.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { openTaskOf } from '../../db/tables/task.ts';
import { inTurn } from '../../managed-services/turn.ts';
import { runCommand, StatementFailed, succeeds } from './commands.ts';
import type { DatabasesDeps } from './deps.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { isOccupied } from './occupied.ts';
import { databaseFacts } from './secrets.ts';

/**
 * Version of the passwords and permissions that `renewRules` sets in database servers. Increase this number with each
 * change of these permissions, so that Davit updates all servers.
 */
export const RULES = 13;

/**
 * Value of the column `rules` if the database server may have outdated passwords or permissions. Davit then sets the
 * passwords and permissions again.
 */
export const RULES_DUE = 0;

/**
 * Value of the column `rules` if an open session blocks a password change in the database server. Davit then replaces
 * the container. The new server rejects apps until the password is changed.
 */
export const RULES_BLOCKED = -1;

type RulesBase = Pick<DatabasesDeps, 'engine' | 'sealer' | 'store' | 'managedServiceTurns'>;

/**
 * Sets the passwords and permissions in a database server. During a password rotation, the function changes nothing.
 * @returns `false` if a new container is required
 * @throws StatementFailed, EngineRefused, EngineUnavailable
 */
export function renewRules(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  /*
   * Change nothing during a password rotation. The database row does not contain the new login yet, so Davit would
   * disable the new login.
   */
  return renewUnless(isRotating, base, id, signal);
}

/**
 * Sets the passwords and permissions in a database server. If the database has an unfinished task, the function changes
 * nothing.
 * @returns `false` if a new container is required
 * @throws StatementFailed, EngineRefused, EngineUnavailable
 */
export function renewRulesWhereFree(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  // If the database has an unfinished task, a background job sets the passwords and permissions after the task.
  return renewUnless(isOccupied, base, id, signal);
}

/**
 * Sets the passwords and permissions in a database server. During this time, no app can sign in to the server.
 * @returns `false` if a new container is required
 * @throws StatementFailed, EngineRefused, EngineUnavailable
 */
export function renewRulesClosed(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isRotating, base, id, signal, closed);
}

type Commands = (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand[];

const open: Commands = (dialect, facts) => [dialect.renewRules(facts)];

/**
 * Commands that set passwords and permissions while no app can sign in to the database server. If the database engine
 * has no access rules, the first command disables the logins of apps.
 */
const closed: Commands = (dialect, facts) =>
  dialect.admit === undefined
    ? [...(dialect.endLogins === undefined ? [] : [dialect.endLogins(facts)]), dialect.renewRules(facts)]
    : [dialect.renewRules({ ...facts, admitted: [] }), dialect.admit(facts)];

function isRotating(db: Reader, row: DatabaseRow): boolean {
  return openTaskOf(db, 'database', databaseReference(row))?.kind === 'database.rotate';
}

async function renewUnless(
  isLeftAlone: (db: Reader, row: DatabaseRow) => boolean,
  base: RulesBase,
  id: number,
  signal: AbortSignal,
  commands: Commands = open,
): Promise<boolean> {
  const { store } = base;
  /**
   * Returns the database row if Davit can and must set the passwords and permissions in the database server. Otherwise,
   * returns `undefined`.
   */
  const due = () => {
    const row = databaseById(store, id);
    const isDue = row !== undefined && row.rules !== RULES && row.container_id !== null && !isLeftAlone(store, row);
    return isDue ? row : undefined;
  };
  /*
   * If no change is necessary, return at once. Otherwise, the function would wait for other commands of the same
   * database.
   */
  if (due() === undefined) return true;
  return inTurn('database', base, id, signal, async () => {
    const row = due();
    if (row === undefined) return true;
    if (!(await applyOrReport(base, row, commands, signal))) return false;
    store.tx((tx) => {
      const now = databaseById(tx, id);
      if (now === undefined) return;
      // If the database row has changed in the meantime, a background job sets the passwords and permissions again.
      setDatabase(tx, id, { rules: isSame(now, row) ? RULES : RULES_DUE });
      setReason(tx, now, null);
    });
    return true;
  });
}

/**
 * Error message for users if Davit cannot set the passwords and permissions in a database server. The server may then
 * reject some logins.
 */
const NOT_APPLIED =
  'Davit could not set the passwords and permissions of users in this database, and tries again every few seconds. If the problem remains, restart the database.';

/**
 * Sets the passwords and permissions in a database server. If the server returns an error, saves an error message for
 * users in the database row.
 * @throws StatementFailed, EngineRefused, EngineUnavailable
 */
async function applyOrReport(
  base: RulesBase,
  row: DatabaseRow,
  commands: Commands,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await apply(base, row, commands, signal);
  } catch (error) {
    if (error instanceof StatementFailed)
      base.store.tx((tx) => {
        const now = databaseById(tx, row.id);
        if (now !== undefined) setReason(tx, now, NOT_APPLIED);
      });
    throw error;
  }
}

/**
 * Saves an error message for users in the database row, or deletes the message. If the server is not ready, the
 * function does nothing, because the row already contains the reason.
 */
function setReason(tx: Tx, { id, observed, reason }: DatabaseRow, text: string | null): void {
  if (observed === 'ready' && reason !== text) setDatabase(tx, id, { reason: text }, { change: 'status' });
}

/**
 * Checks that the database server still has the stored passwords for the logins of apps. An app can change its own
 * password in the server.
 * @returns `false` if a password differs
 * @throws EngineUnavailable
 */
export async function checkPasswords(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  const { engine, sealer, store } = base;
  const row = databaseById(store, id);
  if (row === undefined || row.rules !== RULES || row.observed !== 'ready' || isOccupied(store, row)) return true;
  const facts = databaseFacts(sealer, row);
  const command = DIALECTS[row.engine].hasPasswords?.(facts);
  if (command === undefined || row.container_id === null) return true;
  if (await succeeds(engine, row.container_id, command, facts, signal)) return true;
  return store.tx((tx) => {
    const now = databaseById(tx, id);
    /*
     * If a password rotation has started, change nothing, because the rotation itself sets the passwords and
     * permissions.
     */
    if (now === undefined || now.rules !== RULES || !isSame(now, row)) return true;
    setDatabase(tx, id, { rules: RULES_DUE });
    return false;
  });
}

/** @returns `false` if the passwords and permissions can only be set in a new container with the same data */
async function apply(
  { engine, sealer, store }: Pick<DatabasesDeps, 'engine' | 'sealer' | 'store'>,
  row: DatabaseRow,
  commands: Commands,
  signal: AbortSignal,
): Promise<boolean> {
  const container = row.container_id ?? '';
  const dialect = DIALECTS[row.engine];
  const facts = databaseFacts(sealer, row);
  /*
   * First write the logins to the file that the database server reads at its start. If a later command fails and the
   * server restarts, the server then uses the new logins.
   */
  const noted = dialect.noteLogins?.(facts);
  if (noted !== undefined) await runCommand(engine, container, noted, facts, signal);
  try {
    for (const command of commands(dialect, facts)) await runCommand(engine, container, command, facts, signal);
    return true;
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    const { hasPasswords, admit } = dialect;
    const isBlocked = error.isHeld && admit !== undefined && hasPasswords !== undefined;
    if (isBlocked && !(await succeeds(engine, container, hasPasswords(facts), facts, signal))) {
      store.tx((tx) => setDatabase(tx, row.id, { rules: RULES_BLOCKED }));
      return false;
    }
    const letsIn = dialect.letsIn?.(facts);
    if (letsIn === undefined) throw error;
    if (!(await succeeds(engine, container, letsIn, facts, signal))) return false;
    throw error;
  }
}

/** Columns of the database row from which Davit computes the passwords and permissions in the database server. */
const APPLIED = [
  ...(['container_id', 'username', 'password', 'admin_password', 'other_logins', 'allow_config'] as const),
  ...(['database', 'extensions'] as const),
] satisfies (keyof DatabaseRow)[];

function isSame(one: DatabaseRow, other: DatabaseRow): boolean {
  return APPLIED.every((column) => one[column] === other[column]);
}
