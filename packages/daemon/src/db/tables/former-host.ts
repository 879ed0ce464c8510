import type { Reader } from '../store.ts';

/** Whether an app had a host, and it was removed from the app. Triggers of `domains` write the table. @param host in lower case */
export function isFormerHost(db: Reader, host: string): boolean {
  return db.exists('SELECT 1 FROM former_hosts WHERE host = ?', host);
}
