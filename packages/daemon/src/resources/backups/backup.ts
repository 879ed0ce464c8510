/** Lists, deletes and downloads backups of databases, and converts backups to the format of the HTTP API. */
import { type Backup, type BackupDestination, type BackupStatus, DavitError, timestamp } from '@davit/api';
import { sentence } from '../../app-spec/sentence.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { type BackupRow, backupById, forgetBackup, listBackups as listRows } from '../../db/tables/backup.ts';
import { type DatabaseRow, databaseById } from '../../db/tables/managed-database.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, type Page, type PageQuery } from '../../input/paging.ts';
import type { BackupsDeps } from './deps.ts';
import { DestinationRefused, DestinationUnavailable } from './destination.ts';
import { taskReading } from './in-use.ts';
import { openBackup, removeKept } from './open.ts';

/**
 * Lists the backups of all projects that the user or API key can see, newest first. The list includes backups of
 * deleted databases.
 */
export function listBackups(
  { store }: BackupsDeps,
  { actor }: OpContext,
  { status, ...query }: PageQuery & { status?: BackupStatus | undefined },
): Page<Backup> {
  const filter = { projectIds: actor.projects, status };
  return presented(store, query, (limit, before) => listRows(store, filter, limit, before));
}

/**
 * Lists the backups of a database, newest first. The database may have been in another project before. Backups from
 * that time are included only if the user can see that project.
 */
export function listDatabaseBackups(
  { store }: BackupsDeps,
  { actor }: OpContext,
  { id }: DatabaseRow,
  query: PageQuery,
): Page<Backup> {
  const filter = { projectIds: actor.projects, databaseId: id };
  return presented(store, query, (limit, before) => listRows(store, filter, limit, before));
}

function presented(
  db: Reader,
  query: PageQuery,
  read: (limit: number, before: number | null) => BackupRow[],
): Page<Backup> {
  return mapPage(
    numberedPage(query, ({ id }) => id, read),
    (row) => presentBackup(db, row),
  );
}

/**
 * Returns the database of a backup, even if the database is in the trash. If the database is now in another project,
 * returns `undefined`.
 */
export function databaseOf(db: Reader, { database_id, project_id }: BackupRow): DatabaseRow | undefined {
  const row = databaseById(db, database_id);
  return row?.project_id === project_id ? row : undefined;
}

export function presentBackup(db: Reader, row: BackupRow): Backup {
  const database = databaseOf(db, row);
  const { id, engine, version, kind, origin, status, error, key, size_bytes, dump_bytes, by, via } = row;
  return {
    ...{ id, database: row.database, database_exists: database !== undefined && database.deleted_at === null },
    ...{ engine, version, kind, origin, status, error },
    destination: JSON.parse(row.destination) as BackupDestination,
    ...{ key, size_bytes, dump_bytes },
    verified:
      row.verified_at === null
        ? null
        : { at: timestamp(row.verified_at), ok: row.verify_error === null, error: row.verify_error },
    ...{ task: row.task_id, by, via },
    started_at: timestamp(row.started_at),
    finished_at: timestamp(row.finished_at),
  };
}

/**
 * Deletes a backup permanently.
 * @throws DavitError invalid_input if `confirm` is not the name of the database; conflict while a task uses the backup
 */
export async function deleteBackup(core: BackupsDeps, _ctx: OpContext, row: BackupRow, confirm: string): Promise<void> {
  demandDatabaseName(row, confirm);
  demandUnused(core, core.store, row);
  // Delete the stored file of the backup before the database row. If the deletion fails, the user can then try again.
  if (row.status === 'succeeded') await removeOrRefuse(core, row);
  core.store.tx((tx) => {
    const now = backupById(tx, row.id);
    if (now === undefined) return;
    demandUnused(core, tx, now);
    forgetBackup(tx, now);
    core.store.trail.about({ target: `backups/${row.id}`, projectId: row.project_id });
  });
}

/**
 * Returns the decrypted dump of a backup, in the format of the dump tool, for example `pg_dump`.
 * @throws DavitError conflict if the backup has no dump or is unreadable
 */
export async function downloadBackup(
  core: BackupsDeps,
  row: BackupRow,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  demandDump(row);
  const plain = await openBackup(core, row, new AbortController().signal);
  return {
    name: `${row.database.replaceAll('/', '-')}-${row.id}${SUFFIXES[row.engine] ?? '.dump'}`,
    body: ReadableStream.from(plain),
  };
}

const SUFFIXES: Readonly<Record<string, string>> = {
  postgres: '.pgdump',
  mariadb: '.sql',
  mysql: '.sql',
  redis: '.rdb',
  mongodb: '.archive',
};

/**
 * Checks that a backup is successful and that it is a dump and not a base backup.
 * @throws DavitError conflict
 */
export function demandDump(row: BackupRow): void {
  demandGood(row);
  if (row.kind === 'dump') return;
  const message = `Backup ${row.id} is a base backup, which cannot be restored directly. Use point-in-time recovery to restore the database to a point in time.`;
  throw new DavitError('conflict', message);
}

function demandGood({ id, status }: BackupRow): void {
  if (status === 'succeeded') return;
  const message =
    status === 'taking'
      ? `Backup ${id} is not finished yet. Wait until it has ended.`
      : `Backup ${id} failed and has no data. Choose another backup.`;
  throw new DavitError('conflict', message);
}

/**
 * Checks that `confirm` is the name of the database of a backup. The name is the last part of the reference
 * `project/environment/name`.
 */
export function demandDatabaseName({ database }: Pick<BackupRow, 'database'>, confirm: string | undefined): void {
  const name = database.slice(database.lastIndexOf('/') + 1);
  demandConfirm(confirm, name, 'database');
}

function demandUnused(core: BackupsDeps, db: Reader, { id, status }: BackupRow): void {
  if (status === 'taking')
    throw new DavitError('conflict', `Backup ${id} is not finished yet. Wait until it has ended, or cancel its task.`);
  const open = taskReading(core, db, id);
  if (open !== undefined)
    throw new DavitError(
      'conflict',
      `Task ${open.id} (${open.kind}) uses backup ${id}. Wait until the task has ended.`,
    );
}

async function removeOrRefuse(core: BackupsDeps, row: BackupRow): Promise<void> {
  try {
    await removeKept(core, row);
  } catch (cause) {
    if (!(cause instanceof DestinationRefused || cause instanceof DestinationUnavailable)) throw cause;
    throw new DavitError(
      'conflict',
      `Backup ${row.id} cannot be deleted from its destination. ${sentence(cause.message)}`,
      {
        cause,
      },
    );
  }
}
