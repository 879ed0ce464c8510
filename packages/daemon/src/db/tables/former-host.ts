import type { Reader } from '../store.ts';

/**
 * Returns whether a host name was ever removed from an app. SQLite triggers on the table `domains` record each removed
 * host name.
 * @param host host name in lower case
 */
export function isFormerHost(db: Reader, host: string): boolean {
  return db.exists('SELECT 1 FROM former_hosts WHERE host = ?', host);
}
