/** Databases that were deleted and whose data is still there. */
import { type Database, DavitError, type RestoreDatabaseInput, Slug } from '@davit/api';
import type { OpContext } from '../context.ts';
import type { Restoring } from '../databases/kinds/lifecycle.ts';
import { DATABASE } from '../databases/resident.ts';
import { EngineRefused } from '../engine/errors.ts';
import { destroy } from '../residents/keep.ts';
import { environmentBySlugs } from '../store/environment.ts';
import {
  type DatabaseRow,
  databaseById,
  databaseByName,
  databaseReference,
  setDatabase,
  trashedDatabaseRows,
} from '../store/managed-database.ts';
import type { Reader } from '../store/store.ts';
import type { TaskAsk } from '../tasks/tasks.ts';
import type { Core } from './core.ts';
import { presentDatabases } from './database.ts';
import { byPathNumber, sees } from './lookup.ts';
import { numberKey, type Page, type PageAsk, pageOf } from './paging.ts';

/** The last deleted first. */
export function listTrashedDatabases(core: Core, ctx: OpContext, ask: PageAsk): Page<Database> {
  const keyOf = ({ deleted_at, id }: DatabaseRow) => numberKey(1e15 - (deleted_at ?? 0)) + numberKey(1e15 - id);
  return presentDatabases(core, ctx, pageOf(trashedDatabaseRows(core.store, ctx.actor.projects), keyOf, ask));
}

/**
 * Brings one back to its environment, or to the one that has its name by now, and starts it.
 * @returns the task's number
 * @throws DavitError not_found, conflict when its time is over, its environment is gone or its name is taken
 */
export function restoreDatabase(
  core: Core,
  ctx: OpContext,
  number: string | undefined,
  { name: asked }: RestoreDatabaseInput = {},
): number {
  return core.tasks.start((tx): TaskAsk<Restoring> => {
    const row = trashed(tx, ctx, number);
    tellWhose(core, row);
    const { id, project, environment: slug, deleted_at: deletedAt, expires_at: expiresAt } = row;
    if (deletedAt === null || expiresAt === null || expiresAt <= core.now())
      throw new DavitError('conflict', `The time of ${row.name} in the trash is over: it is being removed.`);
    const environment = environmentBySlugs(tx, project, slug);
    if (environment?.project_id !== row.project_id)
      throw new DavitError(
        'conflict',
        `There is no environment ${project}/${slug} any more: create it, then bring ${row.name} back.`,
      );
    const name = asked ?? row.name;
    // What a task has left there is called as nothing can be.
    if (!Slug.safeParse(name).success)
      throw new DavitError(
        'invalid_input',
        `name: give it one, since ${row.name} is no name that it could be found by.`,
      );
    if (databaseByName(tx, environment.id, name))
      throw new DavitError('conflict', `${project}/${slug} has a database ${name} by now: give it another name.`);
    const back = { name, environment_id: environment.id, deleted_at: null, expires_at: null, address: null };
    setDatabase(tx, id, { ...back, wanted: 'running', observed: 'unknown' }, { change: 'restored', at: core.now() });
    const subject = { kind: 'database', name: databaseReference({ ...row, name }) } as const;
    const { name: before, environment_id: environmentId, wanted } = row;
    const input = { database: id, trashed: { name: before, environmentId, wanted, deletedAt, expiresAt } };
    const { username: by, via } = ctx.actor;
    return { kind: 'database.restore', subject, projectId: row.project_id, input, by, via };
  });
}

/**
 * Removes one with its data, at once and for ever.
 * @throws DavitError not_found, invalid_input, conflict while something uses it; EngineUnavailable
 */
export async function destroyDatabase(
  core: Core,
  ctx: OpContext,
  number: string | undefined,
  confirm: string,
): Promise<void> {
  const row = core.store.tx((tx) => {
    const found = trashed(tx, ctx, number);
    tellWhose(core, found);
    if (confirm !== found.name)
      throw new DavitError('invalid_input', `confirm: must be the database’s name, ${found.name}.`);
    // Its time is over from here on, so that nobody brings back what is being removed.
    setDatabase(tx, found.id, { expires_at: 0 });
    return found;
  });
  try {
    await destroy(DATABASE, core, row);
  } catch (cause) {
    // Its term is as it was: what is on record can still be brought back or tried again.
    core.store.tx((tx) => setDatabase(tx, row.id, { expires_at: row.expires_at }));
    if (!(cause instanceof EngineRefused)) throw cause;
    throw new DavitError(
      'conflict',
      `${row.name} cannot be removed yet (${cause.message}): remove what uses it first.`,
      { cause },
    );
  }
}

function trashed(db: Reader, { actor }: OpContext, number: string | undefined): DatabaseRow {
  const row = byPathNumber(number, (id) => databaseById(db, id));
  if (row === undefined || row.deleted_at === null || !sees(actor, row.project_id))
    throw new DavitError('not_found', 'There is no such database in the trash, or you do not see it: list the trash.');
  return row;
}

/** An address without a project says nothing of whose it is. */
function tellWhose({ store }: Core, row: DatabaseRow): void {
  store.trail.about({ target: databaseReference(row), projectId: row.project_id });
}
