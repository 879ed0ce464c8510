import type { Backup, Client } from '@davit/api';

/**
 * Number of newest backups in which the CLI searches the new backup. Several backups are necessary, because other
 * requests can start backups at the same time.
 */
const RECENT = '20';

interface Requested<T> {
  answer: T;
  /** Backup that the request started. `null` if the request started no backup. */
  backup: Backup | null;
}

/**
 * Sends a request that starts a backup of a database, and then finds the backup. This is necessary because the response
 * is a task without the ID of the backup.
 */
export async function withNewBackup<T>(
  client: Client,
  { database, origin }: Pick<Backup, 'database' | 'origin'>,
  send: () => Promise<T>,
): Promise<Requested<T>> {
  const [newest] = await client.listBackups({ query: { limit: '1' } });
  const answer = await send();
  const recent = await client.listBackups({ query: { limit: RECENT } });
  const started = recent.findLast(
    (one) => one.id > (newest?.id ?? 0) && one.database === database && one.origin === origin,
  );
  return { answer, backup: started ?? null };
}
