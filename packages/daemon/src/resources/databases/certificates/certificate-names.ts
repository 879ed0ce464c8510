import { databaseHost } from '../../../app-spec/names.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';

/** Hosts to which clients connect on the server itself or through `davit tunnel`. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

/**
 * Returns the names of a database for its certificate, without duplicates. Clients verify that the host of the address
 * that they use is one of these names.
 * @param domain host in the address of a published port
 */
export function certificateNames(
  row: Pick<DatabaseRow, 'name' | 'environment' | 'project' | 'exposed_port'>,
  domain: string,
): string[] {
  const published = row.exposed_port === null ? [] : [domain];
  return [...new Set([databaseHost(row), ...published, ...LOCAL_HOSTS])];
}
