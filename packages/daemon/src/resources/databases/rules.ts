import type { Reader, Tx } from '../../db/store.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { openTaskOf } from '../../db/tables/task.ts';
import { inTurn } from '../../managed-services/turn.ts';
import { AskFailed, answers, ask } from './ask.ts';
import type { DatabasesDeps } from './deps.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseFacts } from './secrets.ts';

/** Version of the rules. It increases with each change of what `renewRules` of a dialect does. */
export const RULES = 11;

/** Version in the record of a database whose server may differ from the record, for example in a password. */
export const RULES_DUE = 0;

/**
 * Version in the record of a database whose server has another password and keeps it: a session with this password blocks the
 * replacement. A new server has no sessions, and accepts no login until the rules are applied.
 */
export const RULES_BLOCKED = -1;

type RulesBase = Pick<DatabasesDeps, 'engine' | 'sealer' | 'store' | 'residentTurns'>;

/**
 * Applies the rules for a task. The function is idempotent. It does nothing during a password rotation: the rotation may
 * have made a login that no record has yet, and the rules would end this login. A rotation applies the rules itself.
 * @returns `false` if only a new container with the same data can apply the rules
 * @throws AskFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
export function renewRules(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isRotating, base, id, signal);
}

/**
 * Applies the rules to a running server without an open task. If a task is open, the reconciler applies the rules after it.
 * @returns as {@link renewRules}
 * @throws as {@link renewRules}
 */
export function renewRulesWhereFree(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isOccupied, base, id, signal);
}

/**
 * Applies the rules while the server accepts no login of apps, and then opens the server for the logins. So no session with
 * a previous password outlives the password.
 * @returns as {@link renewRules}
 * @throws as {@link renewRules}
 */
export function renewRulesClosed(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isRotating, base, id, signal, closed);
}

type Words = (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand[];

const open: Words = (dialect, facts) => [dialect.renewRules(facts)];

/** For an engine without access rules, all logins are locked and their sessions end. The rules unlock recorded logins. */
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
  /** Returns `undefined` if there is nothing to do. */
  const due = () => {
    const row = databaseById(store, id);
    const isDue = row !== undefined && row.rules !== RULES && row.container_id !== null && !isLeftAlone(store, row);
    return isDue ? row : undefined;
  };
  // A call without work must not wait for another command of this database.
  if (due() === undefined) return true;
  return inTurn('database', base, id, signal, async () => {
    const row = due();
    if (row === undefined) return true;
    if (!(await applyOrTell(base, row, words, signal))) return false;
    store.tx((tx) => {
      const now = databaseById(tx, id);
      if (now === undefined) return;
      // The next pass of the reconciler applies changes that were made meanwhile.
      setDatabase(tx, id, { rules: isSame(now, row) ? RULES : RULES_DUE });
      tell(tx, now, null);
    });
    return true;
  });
}

/** Shown to users while the rules cannot be applied, because some logins may be closed until then. */
const NOT_APPLIED =
  'Davit could not set the passwords and rights of the logins of this database, and tries again every few seconds. If this message stays, restart the database.';

/** Like {@link apply}, and records a failure where users see it. @throws as {@link apply} */
async function applyOrTell(base: RulesBase, row: DatabaseRow, words: Words, signal: AbortSignal): Promise<boolean> {
  try {
    return await apply(base, row, words, signal);
  } catch (error) {
    if (error instanceof AskFailed)
      base.store.tx((tx) => {
        const now = databaseById(tx, row.id);
        if (now !== undefined) tell(tx, now, NOT_APPLIED);
      });
    throw error;
  }
}

/** Records a reason for a database that responds. If it is down, the reason why it is down must stay. */
function tell(tx: Tx, { id, observed, reason }: DatabaseRow, text: string | null): void {
  if (observed === 'ready' && reason !== text) setDatabase(tx, id, { reason: text }, { change: 'status' });
}

/**
 * Marks the rules of a running server as due if a login of apps has another password than the record. Every role of
 * PostgreSQL may change its own password. So a trigger in the data can change it when the app writes.
 * @returns whether the passwords are those of the record
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
    // A rotation may have begun meanwhile. It applies the rules itself.
    if (now === undefined || now.rules !== RULES || !isSame(now, row)) return true;
    setDatabase(tx, id, { rules: RULES_DUE });
    return false;
  });
}

/** @returns as {@link renewRules} */
async function apply(
  { engine, sealer, store }: Pick<DatabasesDeps, 'engine' | 'sealer' | 'store'>,
  row: DatabaseRow,
  words: Words,
  signal: AbortSignal,
): Promise<boolean> {
  const container = row.container_id ?? '';
  const dialect = DIALECTS[row.engine];
  const facts = databaseFacts(sealer, row);
  // The logins for the next start come first: they are then correct even if a later command fails.
  const noted = dialect.noteLogins?.(facts);
  if (noted !== undefined) await ask(engine, container, noted, facts, signal);
  try {
    for (const said of words(dialect, facts)) await ask(engine, container, said, facts, signal);
    return true;
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error;
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

/** Columns that the rules depend on. */
const APPLIED = [
  ...(['container_id', 'username', 'password', 'admin_password', 'other_logins', 'allow_config'] as const),
  ...(['database', 'extensions', 'tls'] as const),
] satisfies (keyof DatabaseRow)[];

function isSame(one: DatabaseRow, other: DatabaseRow): boolean {
  return APPLIED.every((column) => one[column] === other[column]);
}
