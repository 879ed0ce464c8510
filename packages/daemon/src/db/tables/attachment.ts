import { columnsOf, orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { APP_REFERENCE } from './app-reference.ts';
import { setDatabase } from './managed-database.ts';
import { storeById, publishStoreChange as tellOfStore } from './object-store.ts';

const ATTACHMENT = selectFrom('attachments', 'id, app_id, kind, database_id, store_id, bucket, prefix, created_at');

/** Connection of an app to a database of its environment, or to a bucket of an object store. */
export type AttachmentRow = Row<typeof ATTACHMENT>;

export type AttachmentKind = AttachmentRow['kind'];

/** Database or bucket that an app can be attached to. */
export type Attachable = { databaseId: number } | { storeId: number; bucket: string };

/** Returns the attachments of several apps, oldest first. */
export function attachmentsOfApps(db: Reader, appIds: readonly number[]): AttachmentRow[] {
  return db.all(
    ATTACHMENT.from('attachments WHERE app_id IN (SELECT value FROM json_each(?)) ORDER BY id'),
    JSON.stringify(appIds),
  );
}

export function attachmentsOfDatabase(db: Reader, databaseId: number): AttachmentRow[] {
  return db.all(ATTACHMENT.from('attachments WHERE database_id = ? ORDER BY id'), databaseId);
}

const t = columnsOf('attachments', 't');

const NAMED = select({
  app_id: t.app_id,
  /** Name of the database as `project/environment/name`, or name of the object store. */
  name: sql.text("coalesce(d.project || '/' || d.environment || '/' || d.name, s.name)"),
  /** Database engine such as `postgres`, or `null` if a bucket is attached. */
  engine: orNull(columnsOf('databases', 'd').engine),
  bucket: t.bucket,
  prefix: t.prefix,
});
const NAMED_FROM = `attachments t LEFT JOIN databases d ON d.id = t.database_id
  LEFT JOIN object_stores s ON s.id = t.store_id`;

/**
 * Attachment of an app, with the name of the attached database or object store. API responses about the app contain
 * this name.
 */
export type NamedAttachment = Row<typeof NAMED>;

/** Returns the attachments of an app, oldest first. */
export function namedAttachmentsOfApp(db: Reader, appId: number): NamedAttachment[] {
  return db.all(NAMED.from(`${NAMED_FROM} WHERE t.app_id = ? ORDER BY t.id`), appId);
}

/** Returns the attachments of all apps, oldest first. */
export function allNamedAttachments(db: Reader): NamedAttachment[] {
  return db.all(NAMED.from(`${NAMED_FROM} ORDER BY t.id`));
}

export function attachmentOf(db: Reader, appId: number, of: Attachable): AttachmentRow | undefined {
  return 'databaseId' in of
    ? db.get(ATTACHMENT.from('attachments WHERE app_id = ? AND database_id = ?'), appId, of.databaseId)
    : db.get(
        ATTACHMENT.from('attachments WHERE app_id = ? AND store_id = ? AND bucket = ?'),
        appId,
        of.storeId,
        of.bucket,
      );
}

const END = select({
  app_id: t.app_id,
  app: APP_REFERENCE,
  project_id: columnsOf('environments', 'e').project_id,
  bucket: t.bucket,
  prefix: t.prefix,
  /** Id of the attached database, or of the object store with the attached bucket. */
  owner_id: sql.integer('coalesce(t.database_id, t.store_id)'),
});
const END_FROM = `attachments t JOIN apps a ON a.id = t.app_id AND a.deleted_at IS NULL
  JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id`;

/**
 * Connection of an app to a database or bucket, with the name of the app. API responses about a database or object
 * store list these connections.
 */
export type AttachedApp = Row<typeof END>;

/** Returns the apps that are attached to the given databases, sorted by `project/environment/app`. */
export function appsOfDatabases(db: Reader, databaseIds: readonly number[]): AttachedApp[] {
  return db.all(
    END.from(`${END_FROM} WHERE t.database_id IN (SELECT value FROM json_each(?)) ORDER BY app`),
    JSON.stringify(databaseIds),
  );
}

/**
 * Returns the apps that are attached to buckets of the given object stores, sorted by `project/environment/app` and
 * bucket.
 */
export function appsOfStores(db: Reader, storeIds: readonly number[]): AttachedApp[] {
  return db.all(
    END.from(`${END_FROM} WHERE t.store_id IN (SELECT value FROM json_each(?)) ORDER BY app, t.bucket`),
    JSON.stringify(storeIds),
  );
}

export function insertAttachment(tx: Tx, appId: number, of: Attachable, prefix: string, at: number): void {
  const isDatabase = 'databaseId' in of;
  insert(tx, 'attachments', {
    app_id: appId,
    kind: isDatabase ? 'database' : 'bucket',
    database_id: isDatabase ? of.databaseId : null,
    store_id: isDatabase ? null : of.storeId,
    bucket: isDatabase ? null : of.bucket,
    prefix,
    created_at: at,
  });
  publishChange(tx, of);
}

export function setAttachmentPrefix(tx: Tx, row: AttachmentRow, prefix: string): void {
  update(tx, 'attachments', row.id, { prefix });
  publishChange(tx, attachableOf(row));
}

export function deleteAttachment(tx: Tx, row: AttachmentRow): void {
  tx.run('DELETE FROM attachments WHERE id = ?', row.id);
  publishChange(tx, attachableOf(row));
}

/** Deletes all attachments of a deleted app, so that the attached databases and object stores can be deleted. */
export function deleteAttachmentsOfApp(tx: Tx, appId: number): void {
  for (const row of attachmentsOfApps(tx, [appId])) deleteAttachment(tx, row);
}

/**
 * Returns the database or bucket to which an app is attached. A CHECK constraint guarantees that each row has either a
 * `database_id` or a `store_id`.
 */
function attachableOf({ database_id: databaseId, store_id: storeId, bucket }: AttachmentRow): Attachable {
  return databaseId === null ? { storeId: storeId ?? 0, bucket: bucket ?? '' } : { databaseId };
}

/**
 * Publishes a change event for the database or object store to which an app is attached. Clients show the list of
 * attached apps, so they must reload the database or object store.
 */
function publishChange(tx: Tx, of: Attachable): void {
  if ('databaseId' in of) setDatabase(tx, of.databaseId, {}, { change: 'attachments' });
  const store = 'storeId' in of ? storeById(tx, of.storeId) : undefined;
  if (store !== undefined) tellOfStore(tx, store, 'attachments');
}
