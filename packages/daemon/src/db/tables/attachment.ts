import { columnsOf, orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { APP_REFERENCE } from './app-reference.ts';
import { setDatabase } from './managed-database.ts';
import { storeById, tell as tellOfStore } from './object-store.ts';

const ATTACHMENT = selectFrom('attachments', 'id, app_id, kind, database_id, store_id, bucket, prefix, created_at');

/** An attachment of an app to a database of its environment, or to a bucket. */
export type AttachmentRow = Row<typeof ATTACHMENT>;

export type AttachmentKind = AttachmentRow['kind'];

/** A database or a bucket that can be attached. */
export type Attachable = { databaseId: number } | { storeId: number; bucket: string };

/** Returns the attachments of several apps, in the order of creation. */
export function attachmentsOfApps(db: Reader, appIds: readonly number[]): AttachmentRow[] {
  return db.all(
    ATTACHMENT.from('attachments WHERE app_id IN (SELECT value FROM json_each(?)) ORDER BY id'),
    JSON.stringify(appIds),
  );
}

/** Returns the attachments of a database. */
export function attachmentsOfDatabase(db: Reader, databaseId: number): AttachmentRow[] {
  return db.all(ATTACHMENT.from('attachments WHERE database_id = ? ORDER BY id'), databaseId);
}

const t = columnsOf('attachments', 't');

const NAMED = select({
  app_id: t.app_id,
  /** Reference of the database, or name of the object store. */
  name: sql.text("coalesce(d.project || '/' || d.environment || '/' || d.name, s.name)"),
  /** Engine of the database, or `null` for a bucket. */
  engine: orNull(columnsOf('databases', 'd').engine),
  bucket: t.bucket,
  prefix: t.prefix,
});
const NAMED_FROM = `attachments t LEFT JOIN databases d ON d.id = t.database_id
  LEFT JOIN object_stores s ON s.id = t.store_id`;

/** An attachment as it is shown for its app. */
export type NamedAttachment = Row<typeof NAMED>;

/** Returns the attachments of an app, in the order of creation. */
export function namedAttachmentsOfApp(db: Reader, appId: number): NamedAttachment[] {
  return db.all(NAMED.from(`${NAMED_FROM} WHERE t.app_id = ? ORDER BY t.id`), appId);
}

/** Returns the attachments of all apps, in the order of creation. */
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
  /** Id of the database or the object store. */
  owner_id: sql.integer('coalesce(t.database_id, t.store_id)'),
});
const END_FROM = `attachments t JOIN apps a ON a.id = t.app_id AND a.deleted_at IS NULL
  JOIN environments e ON e.id = a.environment_id JOIN projects p ON p.id = e.project_id`;

/** An attachment as it is shown for its database or object store. */
export type AttachedApp = Row<typeof END>;

/** Returns the apps that databases are attached to, sorted by reference. */
export function appsOfDatabases(db: Reader, databaseIds: readonly number[]): AttachedApp[] {
  return db.all(
    END.from(`${END_FROM} WHERE t.database_id IN (SELECT value FROM json_each(?)) ORDER BY app`),
    JSON.stringify(databaseIds),
  );
}

/** Returns the apps that buckets of object stores are attached to, sorted by reference and bucket. */
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
  tellOf(tx, of);
}

export function setAttachmentPrefix(tx: Tx, row: AttachmentRow, prefix: string): void {
  update(tx, 'attachments', row.id, { prefix });
  tellOf(tx, attachableOf(row));
}

export function deleteAttachment(tx: Tx, row: AttachmentRow): void {
  tx.run('DELETE FROM attachments WHERE id = ?', row.id);
  tellOf(tx, attachableOf(row));
}

/** Deletes the attachments of a deleted app, so that its databases and object stores can be deleted. */
export function deleteAttachmentsOfApp(tx: Tx, appId: number): void {
  for (const row of attachmentsOfApps(tx, [appId])) deleteAttachment(tx, row);
}

/** Returns what a row attaches. The table guarantees that exactly one of `database_id` and `store_id` is set. */
function attachableOf({ database_id: databaseId, store_id: storeId, bucket }: AttachmentRow): Attachable {
  return databaseId === null ? { storeId: storeId ?? 0, bucket: bucket ?? '' } : { databaseId };
}

/** Publishes a change of the database or object store, because its record lists its attachments. */
function tellOf(tx: Tx, of: Attachable): void {
  if ('databaseId' in of) setDatabase(tx, of.databaseId, {}, { change: 'attachments' });
  const store = 'storeId' in of ? storeById(tx, of.storeId) : undefined;
  if (store !== undefined) tellOfStore(tx, store, 'attachments');
}
