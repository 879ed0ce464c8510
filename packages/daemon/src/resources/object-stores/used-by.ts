/** Checks whether object stores are in use. An object store or bucket in use must not be deleted. */
import { DavitError } from '@davit/api';
import type { Reader } from '../../db/store.ts';
import { appsOfStores } from '../../db/tables/attachment.ts';
import { type StoreRow, storesOfPlace } from '../../db/tables/object-store.ts';
import { backupsInStore, schedulesInStore } from '../../db/tables/object-store-use.ts';

/** Maximum number of apps in an error message. Further apps are only counted. */
const NAMED = 3;

/**
 * Checks that a project or environment has no object stores. Otherwise the data of the stores would be inaccessible
 * after the deletion of the project.
 * @throws DavitError conflict with the names of the stores
 */
export function demandNoStores(db: Reader, project: { id: number; slug: string }, environmentId?: number): void {
  const names = storesOfPlace(db, project.id, environmentId ?? null);
  if (names.length === 0) return;
  throw new DavitError(
    'conflict',
    `${project.slug} has the object stores ${names.join(', ')}. Delete them permanently first.`,
  );
}

/**
 * Checks that an object store or bucket is not in use by apps, backup schedules or backups.
 * @param bucket name of the bucket, or `null` for the whole object store
 * @throws DavitError conflict, which says what uses it
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
  if (schedulesInStore(db, row.name, bucket) > 0)
    throw new DavitError('conflict', `Backup schedules write to ${what}. Change those schedules first.`);
  const backups = backupsInStore(db, row.name, bucket);
  if (backups > 0) throw new DavitError('conflict', `${what} contains ${backups} backups. Delete the backups first.`);
}
