import { DavitError, invalidField, isBucketName } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Tx } from '../../db/store.ts';
import { type DatabaseRow, databaseById, databaseReference } from '../../db/tables/managed-database.ts';
import { type StoreRow, storeById } from '../../db/tables/object-store.ts';
import { openTaskOf } from '../../db/tables/task.ts';
import type { AppNamed, AttachmentChange } from './attachment.ts';

/**
 * Returns a change that attaches an app to a database. If `prefix` is `null`, the change detaches the app from the
 * database.
 * @param app name of an app in the environment of the database
 */
export function databaseAttachment(row: DatabaseRow, app: string, prefix: string | null): AttachmentChange {
  return {
    app: { project: row.project, environment: row.environment, app },
    prefix,
    of(tx) {
      const now = databaseById(tx, row.id);
      if (now === undefined || now.deleted_at !== null) throw new DavitError('not_found', GONE);
      demandNotRotating(tx, now);
      return { databaseId: now.id };
    },
  };
}

/**
 * Returns a change that attaches an app to a bucket. If `prefix` is `null`, the change detaches the app from the
 * bucket.
 */
export function ofBucket(row: StoreRow, bucket: string, app: AppNamed, prefix: string | null): AttachmentChange {
  return {
    app,
    prefix,
    of(tx, target) {
      const now = storeById(tx, row.id);
      if (now === undefined) throw new DavitError('not_found', GONE);
      // A user can detach an app from a bucket even if the app may no longer use the bucket.
      if (prefix !== null) demandReach(now, bucket, target);
      return { storeId: now.id, bucket };
    },
  };
}

/**
 * Checks that no password rotation of the database is running. A rotation updates only the apps that were attached to
 * the database at its start.
 * @throws DavitError conflict
 */
function demandNotRotating(tx: Tx, row: DatabaseRow): void {
  const open = openTaskOf(tx, 'database', databaseReference(row));
  if (open?.kind !== 'database.rotate') return;
  const message = `Task ${open.id} is rotating the password of the database ${row.name}. Wait until the task has ended, then try again.`;
  throw new DavitError('conflict', message);
}

const GONE =
  'The database or object store was deleted during the request. Choose an existing database or object store.';

/**
 * Checks that an app may use a bucket.
 * @throws DavitError invalid_input for an invalid bucket name; conflict if the app must not use the bucket
 */
function demandReach(store: StoreRow, bucket: string, app: AppTarget): void {
  if (!isBucketName(bucket)) {
    const message =
      'must be a bucket name: 3 to 255 letters, digits, “.”, “_” and “-”, with a letter or digit at both ends.';
    throw invalidField('bucket', 'invalid_format', message);
  }
  const why = whyOutOfReach(store, bucket, app);
  if (why !== null) throw new DavitError('conflict', why);
}

function whyOutOfReach(store: StoreRow, bucket: string, { project, environment, reference }: AppTarget): string | null {
  if (store.project_id !== null && store.project_id !== project.id)
    return `Only apps of the project ${store.project} can use the object store ${store.name}. Attach an app of that project.`;
  if (store.bucket !== null && store.bucket !== bucket)
    return `The keys of the object store ${store.name} give access to the bucket ${store.bucket} only. Attach that bucket.`;
  if (store.kind === 'linked') return null;
  if (store.deleted_at !== null) return `The object store ${store.name} is in the trash. Restore it first.`;
  if (store.environment_id === environment.id) return null;
  return `${reference} cannot reach the object store ${store.name}, which runs in ${store.project}/${store.environment}. Attach an app of that environment.`;
}
