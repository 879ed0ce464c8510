import type { DatabasesDeps } from '../deps.ts';
/** Extensions that are added to a postgres. What is there is never taken away: tables may stand on it. */

import { extensionsOf, setDatabase } from '../../../db/tables/managed-database.ts';
import { isCurrent } from '../../../managed-services/container.ts';
import { TaskFailed, type TaskKind } from '../../tasks/kind.ts';
import type { OfDatabase } from '../base.ts';
import { DIALECTS } from '../dialects/index.ts';
import { DATABASE, databaseRow } from '../resident.ts';
import { sqlName } from '../secrets.ts';
import { type DatabaseStep, type DatabaseWork, newContainer, published, ready } from '../steps.ts';
import { tellInTask } from '../tell.ts';

export interface AddingExtensions extends OfDatabase {
  /** All that it is to have, with what they stand on. */
  extensions: string[];
  before: string[];
}

type Step = DatabaseStep<AddingExtensions>;
type Work = DatabaseWork<AddingExtensions>;

/** Before anything is changed: what the image does not have cannot be added to it. */
const available: Step = {
  name: 'available',
  async run({ core, input }, signal) {
    const row = databaseRow(core, input.database);
    const words = DIALECTS[row.engine].available?.();
    if (words === undefined) throw new TaskFailed(`${row.engine} has no extensions.`);
    const answer = await tellInTask(core, input.database, { words: () => words }, signal);
    const has = new Set(answer.split('\n').map((line) => line.trim()));
    const missing = input.extensions.filter((name) => !has.has(sqlName(name)));
    if (missing.length === 0) return;
    throw new TaskFailed(
      `The image of this database, ${row.image}, has no ${missing.join(', ')}: make a new database with it, and restore a backup into that.`,
    );
  },
};

const record: Step = {
  name: 'record',
  run: async (work) => keep(work, work.input.extensions),
  undo: async (work) => keep(work, work.input.before),
};

function keep({ core, input }: Work, extensions: readonly string[]): void {
  const change = { extensions: JSON.stringify(extensions) };
  core.store.tx((tx) => setDatabase(tx, input.database, change, { change: 'changed', at: core.now() }));
}

const add: Step = {
  name: 'add',
  async run({ core, input }, signal) {
    const names = input.extensions.map(sqlName);
    await tellInTask(core, input.database, { words: (dialect, facts) => dialect.addExtensions(facts, names) }, signal);
  },
};

/** Some are loaded with the server, which takes another start of it. */
function steps(work: Work): Step[] {
  const row = databaseRow(work.core, work.input.database);
  const after = { ...row, extensions: JSON.stringify(work.input.extensions) };
  if (!startsAgain(work) && isCurrent(DATABASE, after)) return [available, record, add];
  return [available, record, { ...newContainer, undo: backToBefore }, ready, published, add];
}

/** The same list whenever it is asked for: once its container was made anew, it is current again. */
function startsAgain({ state }: Work): boolean {
  return state.get<{ generation: number }>().generation !== undefined;
}

/** What is undone last is the record, which the container is made by. */
async function backToBefore(work: Work): Promise<void> {
  keep(work, work.input.before);
  if (!isCurrent(DATABASE, databaseRow(work.core, work.input.database))) await newContainer.undo(work);
}

export const extensionsKind: TaskKind<AddingExtensions, DatabasesDeps> = { kind: 'database.extensions', steps };

/** Those of a database with further ones, each after what it stands on. */
export function withExtensions(row: Parameters<typeof extensionsOf>[0], added: readonly string[]): string[] {
  return [...new Set([...extensionsOf(row), ...added])];
}
