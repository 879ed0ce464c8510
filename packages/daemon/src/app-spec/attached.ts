/**
 * Computes variables from attached databases and buckets on each use. So each password is stored only once and is never
 * outdated.
 */

import { SealBroken } from '../db/seal.ts';
import type { Reader } from '../db/store.ts';
import { type AttachmentRow, attachmentsOfApps } from '../db/tables/attachment.ts';
import { databaseById, databaseReference } from '../db/tables/managed-database.ts';
import { type StoreRow, storeById } from '../db/tables/object-store.ts';
import { type AttachedVariable, bucketAttachmentVariables, databaseAttachmentVariables } from './attachment-values.ts';
import { databaseAccess, openDatabasePassword } from './database-access.ts';
import type { AppSpecDeps } from './deps.ts';
import { storeAccess } from './store-access.ts';

/** Attachment of an app to a database or bucket, with the environment variables that the attachment sets. */
export interface Attached {
  row: AttachmentRow;
  /** Reference of the attached database (`project/environment/name`), or name of the attached object store. */
  name: string;
  /** Description of the attached database or bucket for messages, for example `the database shop/production/db`. */
  what: string;
  /**
   * Variables of the attached database or bucket. A secret variable has no value if the stored credentials were changed
   * outside Davit.
   */
  variables: ReadVariable[];
}

type ReadVariable = Omit<AttachedVariable, 'value'> & { value: string | undefined };
type Opening = Pick<AppSpecDeps, 'sealer'>;

/**
 * Returns a map from app id to the attachments of the app, oldest first. The map contains only apps with attachments.
 */
export function attachedTo(opening: Opening, db: Reader, appIds: readonly number[]): Map<number, Attached[]> {
  const attached = attachmentsOfApps(db, appIds).flatMap((row) => attachedOf(opening, db, row) ?? []);
  return Map.groupBy(attached, ({ row }) => row.app_id);
}

function attachedOf(opening: Opening, db: Reader, row: AttachmentRow): Attached | undefined {
  if (row.database_id !== null) return ofDatabase(opening, db, row, row.database_id);
  if (row.store_id !== null && row.bucket !== null) return ofBucket(opening, db, row, row.store_id, row.bucket);
  return undefined;
}

function ofDatabase(opening: Opening, db: Reader, row: AttachmentRow, id: number): Attached | undefined {
  const database = databaseById(db, id);
  if (database === undefined) return undefined;
  const name = databaseReference(database);
  const values = (password: string) => databaseAttachmentVariables(row.prefix, databaseAccess(database, password));
  const variables = opened(() => openDatabasePassword(opening, database), values);
  return { row, name, what: `the database ${name}`, variables };
}

function ofBucket(opening: Opening, db: Reader, row: AttachmentRow, id: number, bucket: string): Attached | undefined {
  const store = storeById(db, id);
  if (store === undefined) return undefined;
  const values = (secretKey: string) =>
    bucketAttachmentVariables(row.prefix, { ...storeConnection(store), bucket, secretKey });
  const variables = opened(() => storeAccess(opening, store).secretKey, values);
  return { row, name: store.name, what: `the bucket ${bucket} of the object store ${store.name}`, variables };
}

function storeConnection({ endpoint, region, access_key: accessKey, path_style }: StoreRow) {
  return { endpoint, region, accessKey, pathStyle: path_style === 1 };
}

/**
 * Computes the variables of an attachment from its credentials. If the credentials cannot be decrypted, secret
 * variables have no value.
 */
function opened(open: () => string, values: (secret: string) => AttachedVariable[]): ReadVariable[] {
  try {
    return values(open());
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return values('').map((variable) => (variable.secret ? { ...variable, value: undefined } : variable));
  }
}
