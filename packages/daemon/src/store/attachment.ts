import type { DatabaseEngine } from '@davit/api';
import { setDatabase } from './managed-database.ts';
import { storeById, tell as tellOfStore } from './object-store.ts';
import type { Reader, Tx } from './store.ts';

export type AttachmentKind = 'database' | 'bucket';

/** An app's way to a database of its environment, or to a bucket. */
export interface AttachmentRow {
  id: number;
  app_id: number;
  kind: AttachmentKind;
  /** Null: it is a bucket. */
  database_id: number | null;
  /** Null: it is a database. */
  store_id: number | null;
  bucket: string | null;
  prefix: string;
  created_at: number;
}

const COLUMNS = 'id, app_id, kind, database_id, store_id, bucket, prefix, created_at';

/** What an attachment is of. */
export type Attachable = { databaseId: number } | { storeId: number; bucket: string };

/** Those of several apps, in the order in which they were made. */
export function attachmentsOfApps(db: Reader, appIds: readonly number[]): AttachmentRow[] {
  return db.all(
    `SELECT ${COLUMNS} FROM attachments WHERE app_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    JSON.stringify(appIds),
  );
}

/** Those of a database. */
export function attachmentsOfDatabase(db: Reader, databaseId: number): AttachmentRow[] {
  return db.all(`SELECT ${COLUMNS} FROM attachments WHERE database_id = ? ORDER BY id`, databaseId);
}

/** An attachment as its app shows it. */
export interface NamedAttachment {
  app_id: number;
  /** Of a database its reference, of a bucket the store's name. */
  name: string;
  /** Null: it is a bucket. */
  engine: DatabaseEngine | null;
  bucket: string | null;
  prefix: string;
}

const NAMED = `SELECT t.app_id, coalesce(d.project || '/' || d.environment || '/' || d.name, s.name) AS name, d.engine,
  t.bucket, t.prefix FROM attachments t LEFT JOIN databases d ON d.id = t.database_id
  LEFT JOIN object_stores s ON s.id = t.store_id`;

/** Those of an app, in the order in which they were made. */
export function namedAttachmentsOfApp(db: Reader, appId: number): NamedAttachment[] {
  return db.all(`${NAMED} WHERE t.app_id = ? ORDER BY t.id`, appId);
}

/** Those of every app. */
export function allNamedAttachments(db: Reader): NamedAttachment[] {
  return db.all(`${NAMED} ORDER BY t.id`);
}

export function attachmentOf(db: Reader, appId: number, of: Attachable): AttachmentRow | undefined {
  return 'databaseId' in of
    ? db.get(`SELECT ${COLUMNS} FROM attachments WHERE app_id = ? AND database_id = ?`, appId, of.databaseId)
    : db.get(
        `SELECT ${COLUMNS} FROM attachments WHERE app_id = ? AND store_id = ? AND bucket = ?`,
        appId,
        of.storeId,
        of.bucket,
      );
}

/** An attachment as the database or the store shows it. */
export interface AttachedApp {
  app_id: number;
  /** Its reference. */
  app: string;
  project_id: number;
  /** The database or the store. */
  owner_id: number;
  /** Null: of a database. */
  bucket: string | null;
  prefix: string;
}

const ENDS = `SELECT t.app_id, p.slug || '/' || e.slug || '/' || a.name AS app, p.id AS project_id, t.bucket, t.prefix,
  coalesce(t.database_id, t.store_id) AS owner_id
  FROM attachments t JOIN apps a ON a.id = t.app_id AND a.deleted_at IS NULL
  JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id`;

/** The apps that databases are attached to, by reference. */
export function appsOfDatabases(db: Reader, databaseIds: readonly number[]): AttachedApp[] {
  return db.all(
    `${ENDS} WHERE t.database_id IN (SELECT value FROM json_each(?)) ORDER BY app`,
    JSON.stringify(databaseIds),
  );
}

/** The apps that buckets of stores are attached to, by reference and bucket. */
export function appsOfStores(db: Reader, storeIds: readonly number[]): AttachedApp[] {
  return db.all(
    `${ENDS} WHERE t.store_id IN (SELECT value FROM json_each(?)) ORDER BY app, t.bucket`,
    JSON.stringify(storeIds),
  );
}

export function insertAttachment(tx: Tx, appId: number, of: Attachable, prefix: string, at: number): void {
  const isDatabase = 'databaseId' in of;
  tx.run(
    `INSERT INTO attachments (app_id, kind, database_id, store_id, bucket, prefix, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    appId,
    isDatabase ? 'database' : 'bucket',
    isDatabase ? of.databaseId : null,
    isDatabase ? null : of.storeId,
    isDatabase ? null : of.bucket,
    prefix,
    at,
  );
  tellOf(tx, of);
}

export function setAttachmentPrefix(tx: Tx, row: AttachmentRow, prefix: string): void {
  tx.run('UPDATE attachments SET prefix = ? WHERE id = ?', prefix, row.id);
  tellOf(tx, attachableOf(row));
}

export function deleteAttachment(tx: Tx, row: AttachmentRow): void {
  tx.run('DELETE FROM attachments WHERE id = ?', row.id);
  tellOf(tx, attachableOf(row));
}

/** What a deleted app was attached to is there for others to delete. */
export function deleteAttachmentsOfApp(tx: Tx, appId: number): void {
  for (const row of attachmentsOfApps(tx, [appId])) deleteAttachment(tx, row);
}

/** Exactly one of the two is set, which the table makes sure of. */
function attachableOf({ database_id: databaseId, store_id: storeId, bucket }: AttachmentRow): Attachable {
  return databaseId === null ? { storeId: storeId ?? 0, bucket: bucket ?? '' } : { databaseId };
}

/** Its record lists what it is attached to. */
function tellOf(tx: Tx, of: Attachable): void {
  if ('databaseId' in of) setDatabase(tx, of.databaseId, {}, { change: 'attachments' });
  const store = 'storeId' in of ? storeById(tx, of.storeId) : undefined;
  if (store !== undefined) tellOfStore(tx, store, 'attachments');
}
