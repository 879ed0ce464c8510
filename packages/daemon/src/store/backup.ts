import type { BackupOrigin, BackupStatus, Via } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface BackupRow {
  id: number;
  database_id: number;
  project_id: number;
  /** The reference it had. */
  database: string;
  engine: string;
  version: string;
  /** JSON of what a new database is made with. */
  details: string;
  kind: 'dump' | 'base';
  origin: BackupOrigin;
  status: BackupStatus;
  error: string | null;
  /** JSON. */
  destination: string;
  key: string;
  size_bytes: number | null;
  dump_bytes: number | null;
  /** JSON of what its tool knows of it: what was counted, and roles. */
  facts: string | null;
  /** When it was last tried. */
  verified_at: number | null;
  /** Null: it was whole. */
  verify_error: string | null;
  task_id: number | null;
  by: string;
  via: Via;
  started_at: number;
  finished_at: number | null;
}

const COLUMNS = `id, database_id, project_id, database, engine, version, details, kind, origin, status, error, destination, key,
  size_bytes, dump_bytes, facts, verified_at, verify_error, task_id, by, via, started_at, finished_at`;

export function backupById(db: Reader, id: number): BackupRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM backups WHERE id = ?`, id);
}

export interface BackupFilter {
  /** Null: of all. */
  projectIds: readonly number[] | null;
  databaseId?: number;
  status?: BackupStatus | undefined;
}

/** The newest first, those before a number. */
export function listBackups(db: Reader, filter: BackupFilter, limit: number, before: number | null): BackupRow[] {
  const { projectIds, databaseId, status } = filter;
  return db.all(
    `SELECT ${COLUMNS} FROM backups
      WHERE (?1 IS NULL OR project_id IN (SELECT value FROM json_each(?1))) AND (?2 IS NULL OR database_id = ?2)
        AND (?3 IS NULL OR status = ?3) AND (?4 IS NULL OR id < ?4)
      ORDER BY id DESC LIMIT ?5`,
    projectIds === null ? null : JSON.stringify(projectIds),
    databaseId ?? null,
    status ?? null,
    before,
    limit,
  );
}

/** Good ones of a database, the newest first. */
export function goodBackups(db: Reader, databaseId: number): BackupRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM backups WHERE database_id = ? AND status = 'succeeded' ORDER BY id DESC`,
    databaseId,
  );
}

/** The newest that has ended, well or not. */
export function lastEndedBackup(
  db: Reader,
  databaseId: number,
  kind: BackupRow['kind'] = 'dump',
): BackupRow | undefined {
  return db.get(
    `SELECT ${COLUMNS} FROM backups WHERE database_id = ? AND kind = ? AND status <> 'taking' ORDER BY id DESC LIMIT 1`,
    ...[databaseId, kind],
  );
}

/** Bases of databases that are gone for good: no moment of them can be asked for. */
export function strandedBases(db: Reader): BackupRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM backups WHERE kind = 'base' AND database_id NOT IN (SELECT id FROM databases) ORDER BY id`,
  );
}

export type NewBackup = Pick<
  BackupRow,
  'database_id' | 'project_id' | 'database' | 'engine' | 'version' | 'details' | 'kind' | 'origin' | 'destination'
> &
  Pick<BackupRow, 'by' | 'via' | 'started_at' | 'task_id'>;

/** @param keyOf what a backup of this number is kept under */
export function insertBackup(tx: Tx, backup: NewBackup, keyOf: (id: number) => string): BackupRow {
  const { id } = tx.run(
    `INSERT INTO backups (database_id, project_id, database, engine, version, details, kind, origin, destination, by, via, started_at, task_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[backup.database_id, backup.project_id, backup.database, backup.engine, backup.version, backup.details],
    ...[backup.kind, backup.origin, backup.destination, backup.by, backup.via, backup.started_at, backup.task_id],
  );
  tx.run('UPDATE backups SET key = ? WHERE id = ?', keyOf(id), id);
  return told(tx, id, 'created');
}

export interface TakenBackup {
  sizeBytes: number;
  dumpBytes: number;
  /** JSON. */
  facts: string;
  at: number;
}

export function succeedBackup(tx: Tx, id: number, { sizeBytes, dumpBytes, facts, at }: TakenBackup): BackupRow {
  tx.run(
    `UPDATE backups SET status = 'succeeded', size_bytes = ?, dump_bytes = ?, facts = ?, finished_at = ?
      WHERE id = ? AND status = 'taking'`,
    ...[sizeBytes, dumpBytes, facts, at, id],
  );
  return told(tx, id, 'changed');
}

export function failBackup(tx: Tx, id: number, error: string, at: number): void {
  const { changes } = tx.run(
    "UPDATE backups SET status = 'failed', error = ?, size_bytes = NULL, finished_at = ? WHERE id = ? AND status <> 'failed'",
    ...[error, at, id],
  );
  if (changes > 0) told(tx, id, 'changed');
}

/** They are for who sees the database, in whichever project it is. */
export function moveBackups(tx: Tx, databaseId: number, projectId: number): void {
  tx.run('UPDATE backups SET project_id = ? WHERE database_id = ?', projectId, databaseId);
}

/** Those that are neither whole nor failed. */
export function backupsBeingTaken(db: Reader): { id: number }[] {
  return db.all("SELECT id FROM backups WHERE status = 'taking' ORDER BY id");
}

/** Which task takes it. */
export function setBackupTask(tx: Tx, id: number, taskId: number): void {
  tx.run('UPDATE backups SET task_id = ? WHERE id = ?', taskId, id);
}

/** @param error null: it was whole */
export function recordVerification(tx: Tx, id: number, error: string | null, at: number): void {
  tx.run('UPDATE backups SET verified_at = ?, verify_error = ? WHERE id = ?', at, error, id);
  told(tx, id, 'changed');
}

export function forgetBackup(tx: Tx, row: BackupRow): void {
  tx.run('DELETE FROM backups WHERE id = ?', row.id);
  tell(tx, row, 'deleted');
}

/** Of failed ones only so many are of use. */
export function forgetOldFailures(tx: Tx, databaseId: number, kept: number): void {
  tx.run(
    `DELETE FROM backups WHERE database_id = ?1 AND status = 'failed' AND id NOT IN
       (SELECT id FROM backups WHERE database_id = ?1 AND status = 'failed' ORDER BY id DESC LIMIT ?2)`,
    databaseId,
    kept,
  );
}

function told(tx: Tx, id: number, change: string): BackupRow {
  const row = backupById(tx, id) as BackupRow;
  tell(tx, row, change);
  return row;
}

function tell(tx: Tx, { id, project_id: projectId }: BackupRow, change: string): void {
  tx.event({ kind: 'resource', projectId, data: { kind: 'backup', reference: String(id), change } });
}
