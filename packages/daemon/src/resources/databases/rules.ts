import type { Reader, Tx } from '../../db/store.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { openTaskOf } from '../../db/tables/task.ts';
import { inTurn } from '../../managed-services/turn.ts';
import { answers, ask, StatementFailed } from './ask.ts';
import type { DatabasesDeps } from './deps.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseFacts } from './secrets.ts';

/**
 * Version of the login rules: the passwords and rights that Davit sets in database servers. Increase it with each
 * change of `renewRules` in a dialect.
 */
export const RULES = 11;

/**
 * Rules version of a database row whose server may have other passwords or rights than the row. The login rules must be
 * applied again.
 */
export const RULES_DUE = 0;

/**
 * Rules version of a database row whose server keeps an outdated password, because an open session blocks the
 * replacement. Davit then starts a new server, which accepts no login until the login rules are applied.
 */
export const RULES_BLOCKED = -1;

type RulesBase = Pick<DatabasesDeps, 'engine' | 'sealer' | 'store' | 'managedServiceTurns'>;

/**
 * Applies the login rules to a database server for a task. The function is idempotent. It does nothing during a
 * password rotation. The database row does not contain the rotation's new login yet, so the rules would end this login.
 * @returns `false` if only a new container with the same data can apply the rules
 * @throws StatementFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
export function renewRules(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isRotating, base, id, signal);
}

/**
 * Applies the login rules to a running database server that has no open task. During a task it does nothing, and the
 * reconciler of databases applies the rules afterwards.
 * @returns `false` if only a new container with the same data can apply the rules
 * @throws StatementFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
export function renewRulesWhereFree(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isOccupied, base, id, signal);
}

/**
 * Applies the login rules while the database server rejects all logins of apps, and then opens the server. No session
 * with a previous password survives the change.
 * @returns `false` if only a new container with the same data can apply the rules
 * @throws StatementFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
export function renewRulesClosed(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isRotating, base, id, signal, closed);
}

type Words = (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand[];

const open: Words = (dialect, facts) => [dialect.renewRules(facts)];

/**
 * For an engine without access rules, `endLogins` locks all logins and ends their sessions. `renewRules` then unlocks
 * the logins of the database row.
 */
const closed: Words = (dialect, facts) =>
  dialect.admit === undefined
    ? [...(dialect.endLogins === undefined ? [] : [dialect.endLogins(facts)]), dialect.renewRules(facts)]
    : [dialect.renewRules({ ...facts, admitted: [] }), dialect.admit(facts)];

function isRotating(db: Reader, row: DatabaseRow): boolean {
  return openTaskOf(db, 'database', databaseReference(row))?.kind === 'database.rotate';
}

function isOccupied(db: Reader, row: DatabaseRow): boolean {
  const isServing = row.state === 'made' && row.wanted === 'running' && row.deleted_at === null;
  return !isServing || openTaskOf(db, 'database', databaseReference(row)) !== undefined;
}

async function renewUnless(
  isLeftAlone: (db: Reader, row: DatabaseRow) => boolean,
  base: RulesBase,
  id: number,
  signal: AbortSignal,
  words: Words = open,
): Promise<boolean> {
  const { store } = base;
  /** Returns the database row if the login rules must be applied, otherwise `undefined`. */
  const due = () => {
    const row = databaseById(store, id);
    const isDue = row !== undefined && row.rules !== RULES && row.container_id !== null && !isLeftAlone(store, row);
    return isDue ? row : undefined;
  };
  // A call without work must not wait for another command of the same database.
  if (due() === undefined) return true;
  return inTurn('database', base, id, signal, async () => {
    const row = due();
    if (row === undefined) return true;
    if (!(await applyOrTell(base, row, words, signal))) return false;
    store.tx((tx) => {
      const now = databaseById(tx, id);
      if (now === undefined) return;
      // If another request changed the row meanwhile, the next pass of the reconciler of databases applies the login
      // rules again.
      setDatabase(tx, id, { rules: isSame(now, row) ? RULES : RULES_DUE });
      tell(tx, now, null);
    });
    return true;
  });
}

/** Status reason for users while the login rules cannot be applied. Some logins may be rejected until then. */
const NOT_APPLIED =
  'Davit could not update the logins of this database and tries again every few seconds. If this message stays, restart the database.';

/**
 * Applies the login rules. If the database server refuses, records the failure as the status reason of the database.
 * @throws StatementFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
async function applyOrTell(base: RulesBase, row: DatabaseRow, words: Words, signal: AbortSignal): Promise<boolean> {
  try {
    return await apply(base, row, words, signal);
  } catch (error) {
    if (error instanceof StatementFailed)
      base.store.tx((tx) => {
        const now = databaseById(tx, row.id);
        if (now !== undefined) tell(tx, now, NOT_APPLIED);
      });
    throw error;
  }
}

/** Records a status reason for a ready database. For a database that is down, the reason for being down must stay. */
function tell(tx: Tx, { id, observed, reason }: DatabaseRow, text: string | null): void {
  if (observed === 'ready' && reason !== text) setDatabase(tx, id, { reason: text }, { change: 'status' });
}

/**
 * Checks that the logins of apps in a running database server have the passwords of the database row. If not, marks the
 * login rules as due. An app can cause the difference: every PostgreSQL role may change its own password, for example
 * in a trigger.
 * @returns `false` if a password differs
 * @throws EngineUnavailable, the signal's reason
 */
export async function checkPasswords(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  const { engine, sealer, store } = base;
  const row = databaseById(store, id);
  if (row === undefined || row.rules !== RULES || row.observed !== 'ready' || isOccupied(store, row)) return true;
  const facts = databaseFacts(sealer, row);
  const command = DIALECTS[row.engine].hasPasswords?.(facts);
  if (command === undefined || row.container_id === null) return true;
  if (await answers(engine, row.container_id, command, facts, signal)) return true;
  return store.tx((tx) => {
    const now = databaseById(tx, id);
    // A password rotation may have begun meanwhile. The rotation applies the login rules itself.
    if (now === undefined || now.rules !== RULES || !isSame(now, row)) return true;
    setDatabase(tx, id, { rules: RULES_DUE });
    return false;
  });
}

/** @returns `false` if only a new container with the same data can apply the login rules */
async function apply(
  { engine, sealer, store }: Pick<DatabasesDeps, 'engine' | 'sealer' | 'store'>,
  row: DatabaseRow,
  words: Words,
  signal: AbortSignal,
): Promise<boolean> {
  const container = row.container_id ?? '';
  const dialect = DIALECTS[row.engine];
  const facts = databaseFacts(sealer, row);
  // First write the logins for the next server start, so that they are correct even if a later command fails.
  const noted = dialect.noteLogins?.(facts);
  if (noted !== undefined) await ask(engine, container, noted, facts, signal);
  try {
    for (const said of words(dialect, facts)) await ask(engine, container, said, facts, signal);
    return true;
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    const { hasPasswords, admit } = dialect;
    const isBlocked = error.isHeld && admit !== undefined && hasPasswords !== undefined;
    if (isBlocked && !(await answers(engine, container, hasPasswords(facts), facts, signal))) {
      store.tx((tx) => setDatabase(tx, row.id, { rules: RULES_BLOCKED }));
      return false;
    }
    const letsIn = dialect.letsIn?.(facts);
    if (letsIn === undefined) throw error;
    if (!(await answers(engine, container, letsIn, facts, signal))) return false;
    throw error;
  }
}

/** Columns of the database row that the login rules use. */
const APPLIED = [
  ...(['container_id', 'username', 'password', 'admin_password', 'other_logins', 'allow_config'] as const),
  ...(['database', 'extensions', 'tls'] as const),
] satisfies (keyof DatabaseRow)[];

function isSame(one: DatabaseRow, other: DatabaseRow): boolean {
  return APPLIED.every((column) => one[column] === other[column]);
}
