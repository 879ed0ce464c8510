import type { Reader } from './store.ts';

/** How many backups and pieces of logs are kept in a store, or in one bucket of it. */
export function backupsInStore(db: Reader, store: string, bucket: string | null): number {
  const kept = (table: string, of = '') =>
    `(SELECT count(*) FROM ${table} WHERE json_extract(destination, '$.store') = ?1
       AND (?2 IS NULL OR json_extract(destination, '$.bucket') = ?2) ${of})`;
  const row = db.get<{ n: number }>(
    `SELECT ${kept('backups', "AND status <> 'failed'")} + ${kept('backup_segments')} AS n`,
    store,
    bucket,
  );
  return row?.n ?? 0;
}

/** How many schedules keep their backups in a store, or in one bucket of it. */
export function schedulesInStore(db: Reader, store: string, bucket: string | null): number {
  const row = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM backup_schedules WHERE json_extract(destination, '$.store') = ?1
       AND (?2 IS NULL OR json_extract(destination, '$.bucket') = ?2)`,
    store,
    bucket,
  );
  return row?.n ?? 0;
}
