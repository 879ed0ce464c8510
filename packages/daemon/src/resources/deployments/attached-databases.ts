import type { Reader } from '../../db/store.ts';
import { attachmentsOfApps } from '../../db/tables/attachment.ts';
import { type DatabaseRow, databaseById, databaseReference } from '../../db/tables/managed-database.ts';

/**
 * Returns a message for users about the first attached database of an app that is not available, with the reason. An
 * unavailable database is often the cause if an app does not become ready. If all attached databases are available,
 * returns `null`.
 */
export function unavailableDatabase(db: Reader, appId: number): string | null {
  const databases = attachmentsOfApps(db, [appId]).flatMap(({ database_id: id }) =>
    id === null ? [] : (databaseById(db, id) ?? []),
  );
  const row = databases.find((one) => !isAvailable(one));
  if (row === undefined) return null;
  const what = `The attached database ${databaseReference(row)}`;
  if (row.wanted === 'stopped') return `${what} is stopped.`;
  return row.reason === null ? `${what} is not available.` : `${what} is not available: ${row.reason}`;
}

function isAvailable({ wanted, observed }: DatabaseRow): boolean {
  // After a start of the daemon, the state of a database is unknown until the first check.
  return wanted === 'running' && (observed === 'ready' || observed === 'unknown');
}
