import { select, sql } from '../select.ts';
import type { Reader } from '../store.ts';

/**
 * Returns an SQL expression that counts backup files in object store `?1`. If `?2` is not `null`, the expression counts
 * only files in bucket `?2`.
 */
function kept(table: 'backups' | 'backup_segments', of = ''): string {
  return `(SELECT count(*) FROM ${table} WHERE json_extract(destination, '$.object_store') = ?1
       AND (?2 IS NULL OR json_extract(destination, '$.bucket') = ?2) ${of})`;
}

const KEPT = select({ n: sql.integer(`${kept('backups', "AND status <> 'failed'")} + ${kept('backup_segments')}`) });
const COUNT = select({ n: sql.integer('count(*)') });

/**
 * Returns the number of backups and WAL segments in an object store.
 * @param bucket name of the bucket, or `null` for the whole object store
 */
export function backupsInStore(db: Reader, store: string, bucket: string | null): number {
  const row = db.get(KEPT.alone, store, bucket);
  return row?.n ?? 0;
}

/**
 * Returns the number of backup schedules that store their backups in an object store.
 * @param bucket name of the bucket, or `null` for the whole object store
 */
export function schedulesInStore(db: Reader, store: string, bucket: string | null): number {
  const row = db.get(
    COUNT.from(
      `backup_schedules WHERE json_extract(destination, '$.object_store') = ?1
        AND (?2 IS NULL OR json_extract(destination, '$.bucket') = ?2)`,
    ),
    store,
    bucket,
  );
  return row?.n ?? 0;
}
