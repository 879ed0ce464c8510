import { databaseHost } from '../../../app-spec/names.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';

/** Host names with which clients connect if they run on the same server or use `davit tunnel`. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

/**
 * Returns the host names for the certificate of a database, without duplicates. A client compares the host name of its
 * connection with these names.
 * @param domain host name in the address of an exposed port
 */
export function certificateNames(
  row: Pick<DatabaseRow, 'name' | 'environment' | 'project' | 'exposed_port'>,
  domain: string,
): string[] {
  const published = row.exposed_port === null ? [] : [domain];
  return [...new Set([databaseHost(row), ...published, ...LOCAL_HOSTS])];
}
