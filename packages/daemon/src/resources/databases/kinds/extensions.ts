/**
 * Task that adds extensions to a PostgreSQL database. There is no task that removes an extension, because tables may
 * depend on the extension.
 */

import { databaseReference, extensionsOf, setDatabase } from '../../../db/tables/managed-database.ts';
import { isCurrent } from '../../../managed-services/container.ts';
import { TaskFailed, type TaskKind } from '../../tasks/kind.ts';
import type { OfDatabase } from '../base.ts';
import { runInTask } from '../commands-in-turn.ts';
import type { DatabasesDeps } from '../deps.ts';
import { DIALECTS } from '../dialects/index.ts';
import { DATABASE, databaseRow } from '../managed-service.ts';
import { sqlName } from '../secrets.ts';
import { type DatabaseStep, type DatabaseWork, newContainer, published, ready } from '../steps.ts';

export interface AddingExtensions extends OfDatabase {
  /** All extensions of the database after the task, including the extensions that others require. */
  extensions: string[];
  before: string[];
}

type Step = DatabaseStep<AddingExtensions>;
type Work = DatabaseWork<AddingExtensions>;

/** Checks that the PostgreSQL image contains the extensions. This step runs before the task changes anything. */
const available: Step = {
  name: 'available',
  async run({ core, input }, signal) {
    const row = databaseRow(core, input.database);
    const available = DIALECTS[row.engine].available?.();
    if (available === undefined) throw new TaskFailed(`Extensions are not supported by ${row.engine}.`);
    const answer = await runInTask(core, input.database, { command: () => available }, signal);
    const has = new Set(answer.split('\n').map((line) => line.trim()));
    const missing = input.extensions.filter((name) => !has.has(sqlName(name)));
    if (missing.length === 0) return;
    throw new TaskFailed(
      `The image ${row.image} does not contain ${missing.join(', ')}. Create a database with these extensions, and restore a backup of ${databaseReference(row)} into it.`,
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
    await runInTask(core, input.database, { command: (dialect, facts) => dialect.addExtensions(facts, names) }, signal);
  },
};

/**
 * Returns the steps of the task that adds extensions. If PostgreSQL must load the library of an extension at its start,
 * the steps replace the container.
 */
function steps(work: Work): Step[] {
  const row = databaseRow(work.core, work.input.database);
  const after = { ...row, extensions: JSON.stringify(work.input.extensions) };
  if (!startsAgain(work) && isCurrent(DATABASE, after)) return [available, record, add];
  return [available, record, { ...newContainer, undo: backToBefore }, ready, published, add];
}

/**
 * Returns whether the task has already started to replace the container. After a restart of the daemon, the task must
 * have the same steps as before.
 */
function startsAgain({ state }: Work): boolean {
  return state.get<{ generation: number }>().generation !== undefined;
}

/**
 * Restores the old database row and then creates the old container again. This order is necessary, because Davit
 * creates the container from the row.
 */
async function backToBefore(work: Work): Promise<void> {
  keep(work, work.input.before);
  if (!isCurrent(DATABASE, databaseRow(work.core, work.input.database))) await newContainer.undo(work);
}

export const extensionsKind: TaskKind<AddingExtensions, DatabasesDeps> = { kind: 'database.extensions', steps };

/**
 * Returns the current extensions of a database, followed by the added extensions, without duplicates. The added
 * extensions keep their order.
 */
export function withExtensions(row: Parameters<typeof extensionsOf>[0], added: readonly string[]): string[] {
  return [...new Set([...extensionsOf(row), ...added])];
}
