import type { Backup, Client } from '@davit/api';

/** Number of newest backups that are searched for a new backup. Other requests can start backups at the same time. */
const RECENT = '20';

interface Requested<T> {
  answer: T;
  /** Backup that the request started. `null` if it started none. */
  backup: Backup | null;
}

/**
 * Sends a request that starts a backup of a database. The response is a task, which does not contain the ID of the
 * backup.
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
