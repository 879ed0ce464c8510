import type { DatabaseBase } from '../databases/base.ts';
import { keepDatabase } from '../databases/keep.ts';
import { databaseVolumeName } from '../engine/names.ts';
import { allDatabases, databaseById, databaseReference } from '../store/managed-database.ts';
import { openTaskOf } from '../store/task.ts';
import { keptTask } from './kept.ts';
import type { Task } from './reconciler.ts';

export interface DatabasesLog {
  warn(fields: object, message: string): void;
}

/**
 * Keeps every database as its record wants it: one that should run runs and is looked at, one that should not does not, what
 * is in the trash has no container. One that a task is open for is the task's business, unless it is in the trash.
 */
export function databasesTask(base: DatabaseBase, log: DatabasesLog): Task {
  const { store, facts } = base;
  return keptTask('databases', base, {
    kind: 'database',
    rows: () => allDatabases(store),
    row: (id) => databaseById(store, id),
    containersOf: ({ id }) => `${databaseVolumeName(facts.id, id)}-`,
    isTasks: (row) => row.deleted_at === null && openTaskOf(store, 'database', databaseReference(row)) !== undefined,
    keep: (row, pass) => keepDatabase(base, row, pass),
    failed: (row, error) =>
      log.warn({ database: databaseReference(row), error }, 'a database is not as it should be: it is tried again'),
  });
}
