import type { Reader } from '../../db/store.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { openTaskOf } from '../../db/tables/task.ts';
import { inTurn } from '../../managed-services/turn.ts';
import { AskFailed, answers, ask } from './ask.ts';
import type { DatabasesDeps } from './deps.ts';
import type { DatabaseCommand, DatabaseFacts, Dialect } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { databaseFacts } from './secrets.ts';

/** The number of this version's rules; to be raised with each change of what `renewRules` of a dialect says. */
export const RULES = 10;

/** On a record that differs from its server, which may still have another password. */
export const RULES_DUE = 0;

type RulesBase = Pick<DatabasesDeps, 'engine' | 'sealer' | 'store' | 'residentTurns'>;

/**
 * Applies the rules for a task, or for whatever needs the users that they create. May be repeated at any time. Does nothing
 * while the password is rotated: the rotation may have made a login that no record has yet, which the rules would end. It
 * applies them itself.
 * @returns false where the instance is not let in to do it, and a new container of the same data would let it in
 * @throws AskFailed, EngineRefused, EngineUnavailable, the signal's reason
 */
export function renewRules(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isRotating, base, id, signal);
}

/**
 * Applies the rules to a server that runs while no task is open for it; else the reconciler does it after the task.
 * @returns as {@link renewRules}
 * @throws as {@link renewRules}
 */
export function renewRulesWhereFree(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isOccupied, base, id, signal);
}

/**
 * Applies the rules while nobody can connect with the login of apps, and then lets it in. So a session that was opened with
 * an earlier password cannot outlive it.
 * @returns as {@link renewRules}
 * @throws as {@link renewRules}
 */
export function renewRulesClosed(base: RulesBase, id: number, signal: AbortSignal): Promise<boolean> {
  return renewUnless(isRotating, base, id, signal, closed);
}

type Words = (dialect: Dialect, facts: DatabaseFacts) => DatabaseCommand[];

const open: Words = (dialect, facts) => [dialect.renewRules(facts)];

/** An engine without rules of access has all logins locked and their sessions ended; the rules unlock those of the record. */
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
  /** Undefined: nothing is to be done. */
  const due = () => {
    const row = databaseById(store, id);
    const isDue = row !== undefined && row.rules !== RULES && row.container_id !== null && !isLeftAlone(store, row);
    return isDue ? row : undefined;
  };
  // What need not be done does not wait for what is said to the server now.
  if (due() === undefined) return true;
  return inTurn('database', base, id, signal, async () => {
    const row = due();
    if (row === undefined) return true;
    if (!(await apply(base, row, words, signal))) return false;
    store.tx((tx) => {
      const now = databaseById(tx, id);
      // What was changed meanwhile is applied by the next pass of the reconciler.
      if (now !== undefined) setDatabase(tx, id, { rules: isSame(now, row) ? RULES : RULES_DUE });
    });
    return true;
  });
}

/**
 * Marks the rules of a running server as due if a login of apps has another password than the record. Every role of PostgreSQL
 * may change its own password, so a trigger that an earlier login left in the data can do it when the app writes.
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
  { engine, sealer }: Pick<DatabasesDeps, 'engine' | 'sealer'>,
  row: DatabaseRow,
  words: Words,
  signal: AbortSignal,
): Promise<boolean> {
  const container = row.container_id ?? '';
  const dialect = DIALECTS[row.engine];
  const facts = databaseFacts(sealer, row);
  // What it reads at its next start comes first: it is right then, whatever becomes of the rest.
  const noted = dialect.noteLogins?.(facts);
  if (noted !== undefined) await ask(engine, container, noted, facts, signal);
  try {
    for (const said of words(dialect, facts)) await ask(engine, container, said, facts, signal);
    return true;
  } catch (error) {
    const letsIn = dialect.letsIn?.(facts);
    if (!(error instanceof AskFailed) || letsIn === undefined) throw error;
    if (!(await answers(engine, container, letsIn, facts, signal))) return false;
    throw error;
  }
}

/** What the rules are made of, and the server that they are said to. */
const APPLIED = [
  ...(['container_id', 'username', 'password', 'admin_password', 'other_logins', 'allow_config'] as const),
  ...(['database', 'extensions', 'tls'] as const),
] satisfies (keyof DatabaseRow)[];

function isSame(one: DatabaseRow, other: DatabaseRow): boolean {
  return APPLIED.every((column) => one[column] === other[column]);
}
