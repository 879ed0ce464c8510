/** Checks whether object stores and buckets are in use. Davit does not delete object stores and buckets in use. */
import { count, DavitError } from '@davit/api';
import type { Reader } from '../../db/store.ts';
import { appsOfStores } from '../../db/tables/attachment.ts';
import { type StoreRow, storeNamesOfProject } from '../../db/tables/object-store.ts';
import { backupsInStore, schedulesInStore } from '../../db/tables/object-store-use.ts';

/**
 * Maximum number of app names in an error message. If there are more apps, the message contains only the number of
 * further apps.
 */
const NAMED = 3;

/**
 * Checks that a project or environment has no object stores. After the deletion of the project or environment, their
 * data would be inaccessible.
 * @throws DavitError conflict
 */
export function demandNoStores(db: Reader, project: { id: number; slug: string }, environmentId?: number): void {
  const names = storeNamesOfProject(db, project.id, environmentId ?? null);
  if (names.length === 0) return;
  throw new DavitError(
    'conflict',
    `${project.slug} has the object stores ${names.join(', ')}. Delete them permanently first.`,
  );
}

/**
 * Checks that no app, backup schedule or backup uses an object store or bucket.
 * @param bucket `null` for the whole object store
 * @throws DavitError conflict
 */
export function demandUnused(db: Reader, row: StoreRow, bucket: string | null): void {
  const apps = [
    ...new Set(
      appsOfStores(db, [row.id])
        .filter((one) => bucket === null || one.bucket === bucket)
        .map(({ app }) => app),
    ),
  ];
  const what = bucket === null ? row.name : `${row.name}/${bucket}`;
  if (apps.length > 0) {
    const named = apps.slice(0, NAMED).join(', ');
    const more = apps.length > NAMED ? ` and ${apps.length - NAMED} more` : '';
    throw new DavitError('conflict', `${what} is attached to ${named}${more}. Detach it first.`);
  }
  const why = whyNeededByBackups(db, row, bucket);
  if (why !== null) throw new DavitError('conflict', why);
}

/**
 * Returns the reasons why backups need an object store or bucket, as sentences. Returns `null` if no backup or backup
 * schedule uses it.
 * @param bucket `null` for the whole object store
 */
export function whyNeededByBackups(db: Reader, { name }: StoreRow, bucket: string | null): string | null {
  const what = bucket === null ? name : `${name}/${bucket}`;
  if (schedulesInStore(db, name, bucket) > 0) return `Backup schedules write to ${what}. Change those schedules first.`;
  const backups = backupsInStore(db, name, bucket);
  return backups > 0 ? `${what} contains ${count(backups, 'backup')}. Delete the backups first.` : null;
}
