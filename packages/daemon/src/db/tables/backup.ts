import type { BackupStatus, ResourceChange } from '@davit/api';
import { columnsOf, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const BACKUP = selectFrom(
  'backups',
  'id, database_id, project_id, database, engine, version, details, kind, origin, status, error, destination, key, size_bytes, dump_bytes, facts, verified_at, verify_error, task_id, by, via, started_at, finished_at',
);

export type BackupRow = Row<typeof BACKUP>;

const ID = selectFrom('backups', 'id');
const COUNTED = select({ database: columnsOf('backups').database, backups: sql.integer('count(*)') });

export function backupById(db: Reader, id: number): BackupRow | undefined {
  return db.get(BACKUP.from('backups WHERE id = ?'), id);
}

export interface BackupFilter {
  /** Ids of the projects, or `null` for all projects. */
  projectIds: readonly number[] | null;
  databaseId?: number;
  status?: BackupStatus | undefined;
}

/**
 * Returns backups, newest first.
 * @param before only backups with a lower id are returned. `null` means no limit.
 */
export function listBackups(db: Reader, filter: BackupFilter, limit: number, before: number | null): BackupRow[] {
  const { projectIds, databaseId, status } = filter;
  return db.all(
    BACKUP.from(`backups
      WHERE (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR database_id = ?2)
        AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR id < ?4)
      ORDER BY id DESC LIMIT ?5`),
    projectIds === null ? null : JSON.stringify(projectIds),
    databaseId ?? null,
    status ?? null,
    before,
    limit,
  );
}

/**
 * SQL condition for backups of database `?1` in the database's current project. If a database moves to another project,
 * earlier backups stay in the former project.
 */
const OF_DATABASE = 'database_id = ?1 AND project_id = (SELECT project_id FROM databases WHERE id = ?1)';

/** Returns the successful backups of a database that belong to its current project, newest first. */
export function goodBackups(db: Reader, databaseId: number): BackupRow[] {
  return db.all(BACKUP.from(`backups WHERE ${OF_DATABASE} AND status = 'succeeded' ORDER BY id DESC`), databaseId);
}

/**
 * Returns the number of successful backups in a project for each database name, sorted by name. Includes backups of
 * databases that are in the trash or no longer exist.
 */
export function goodBackupsOfProject(db: Reader, projectId: number): Row<typeof COUNTED>[] {
  return db.all(
    COUNTED.from(`backups WHERE project_id = ? AND status = 'succeeded' GROUP BY database ORDER BY database`),
    projectId,
  );
}

/**
 * Returns the newest finished backup of one kind in the database's current project. The backup may have succeeded or
 * failed.
 */
export function lastEndedBackup(
  db: Reader,
  databaseId: number,
  kind: BackupRow['kind'] = 'dump',
): BackupRow | undefined {
  return db.get(
    BACKUP.from(`backups WHERE ${OF_DATABASE} AND kind = ?2 AND status <> 'taking' ORDER BY id DESC LIMIT 1`),
    ...[databaseId, kind],
  );
}

/**
 * Returns base backups of databases that no longer exist. These backups can be deleted, because a deleted database
 * cannot be restored to a point in time.
 */
export function strandedBases(db: Reader): BackupRow[] {
  return db.all(
    BACKUP.from(`backups WHERE kind = 'base' AND database_id NOT IN (SELECT id FROM databases) ORDER BY id`),
  );
}

export type NewBackup = Pick<
  BackupRow,
  'database_id' | 'project_id' | 'database' | 'engine' | 'version' | 'details' | 'kind' | 'origin' | 'destination'
> &
  Pick<BackupRow, 'by' | 'via' | 'started_at' | 'task_id'>;

/**
 * Inserts a backup and publishes an event.
 * @param keyOf returns the file name or object key of the backup. The argument is the id of the new row.
 */
export function insertBackup(tx: Tx, backup: NewBackup, keyOf: (id: number) => string): BackupRow {
  const id = insert(tx, 'backups', {
    database_id: backup.database_id,
    project_id: backup.project_id,
    database: backup.database,
    engine: backup.engine,
    version: backup.version,
    details: backup.details,
    kind: backup.kind,
    origin: backup.origin,
    destination: backup.destination,
    by: backup.by,
    via: backup.via,
    started_at: backup.started_at,
    task_id: backup.task_id,
  });
  update(tx, 'backups', id, { key: keyOf(id) });
  return publishChangeById(tx, id, 'created');
}

export interface TakenBackup {
  sizeBytes: number;
  dumpBytes: number;
  /** Data that the backup tool recorded, such as row counts and roles, as JSON. */
  facts: string;
  at: number;
}

export function succeedBackup(tx: Tx, id: number, { sizeBytes, dumpBytes, facts, at }: TakenBackup): BackupRow {
  tx.run(
    `UPDATE backups SET status = 'succeeded', size_bytes = ?, dump_bytes = ?, facts = ?, finished_at = ?
      WHERE id = ? AND status = 'taking'`,
    ...[sizeBytes, dumpBytes, facts, at, id],
  );
  return publishChangeById(tx, id, 'changed');
}

export function failBackup(tx: Tx, id: number, error: string, at: number): void {
  const { changes } = tx.run(
    "UPDATE backups SET status = 'failed', error = ?, size_bytes = NULL, finished_at = ? WHERE id = ? AND status <> 'failed'",
    ...[error, at, id],
  );
  if (changes > 0) publishChangeById(tx, id, 'changed');
}

/**
 * Moves the backups of a database to another project. Users of the new project then see names of the old project. Use
 * this function only if a deleted project was created again.
 */
export function moveBackups(tx: Tx, databaseId: number, { from, to }: { from: number; to: number }): void {
  tx.run('UPDATE backups SET project_id = ? WHERE database_id = ? AND project_id = ?', to, databaseId, from);
}

export function backupsBeingTaken(db: Reader): { id: number }[] {
  return db.all(ID.from("backups WHERE status = 'taking' ORDER BY id"));
}

export function setBackupTask(tx: Tx, id: number, taskId: number): void {
  update(tx, 'backups', id, { task_id: taskId });
}

/**
 * Records the result of a test restore of a backup, and publishes an event.
 * @param error error of the test restore, or `null` if it succeeded
 */
export function recordVerification(tx: Tx, id: number, error: string | null, at: number): void {
  update(tx, 'backups', id, { verified_at: at, verify_error: error });
  publishChangeById(tx, id, 'changed');
}

export function forgetBackup(tx: Tx, row: BackupRow): void {
  tx.run('DELETE FROM backups WHERE id = ?', row.id);
  publishChange(tx, row, 'deleted');
}

/** Deletes the failed backups of a database, except for the newest `kept` failed backups. */
export function forgetOldFailures(tx: Tx, databaseId: number, kept: number): void {
  tx.run(
    `DELETE FROM backups WHERE database_id = ?1 AND status = 'failed' AND id NOT IN
       (SELECT id FROM backups WHERE database_id = ?1 AND status = 'failed' ORDER BY id DESC LIMIT ?2)`,
    databaseId,
    kept,
  );
}

function publishChangeById(tx: Tx, id: number, change: ResourceChange): BackupRow {
  const row = backupById(tx, id);
  if (row === undefined) throw new Error(`The database does not return the new backup ${id}.`);
  publishChange(tx, row, change);
  return row;
}

function publishChange(tx: Tx, { id, project_id: projectId }: BackupRow, change: ResourceChange): void {
  tx.event({ kind: 'resource', projectId, data: { kind: 'backup', reference: String(id), change } });
}
