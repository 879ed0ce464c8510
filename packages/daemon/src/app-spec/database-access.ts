/** Address and login that apps use to connect to a managed database. */
import { engineNamed } from '@davit/template/parts';
import type { DatabaseRow } from '../db/tables/managed-database.ts';
import type { DatabaseAccess } from './attachment-values.ts';
import type { AppSpecDeps } from './deps.ts';
import { databaseHost } from './names.ts';

/** Columns of the table `databases` whose values are encrypted. */
export type DatabaseSecret = 'password' | 'admin_password' | 'tls' | 'other_logins';

/**
 * Returns the additional authenticated data (AAD) for the AES-GCM encryption of a database's password or another
 * secret.
 */
export function databaseSecretLocation(id: number, secret: DatabaseSecret): string {
  return `databases/${id}/${secret}`;
}

/**
 * Decrypts the database password that apps use.
 * @throws SealBroken if the encrypted password was changed or copied from another row
 */
export function openDatabasePassword({ sealer }: Pick<AppSpecDeps, 'sealer'>, row: DatabaseRow): string {
  return sealer.open(row.password, databaseSecretLocation(row.id, 'password'));
}

/** Returns the address and login of a database for apps in the same environment. */
export function databaseAccess(row: DatabaseRow, password: string): DatabaseAccess {
  const { engine, username, database } = row;
  const endpoint = { host: databaseHost(row), port: engineNamed(engine)?.port ?? 0, database };
  const url = databaseUrl(engine, { username, password }, endpoint);
  return { engine, ...endpoint, username, password, url };
}

export interface DatabaseEndpoint {
  host: string;
  port: number;
  /** Name of the database on its server. `null` for Redis, which has no named databases. */
  database: string | null;
}

/**
 * Returns the connection URL of a database without TLS. Clients of the database engine accept the format of the URL.
 */
export function databaseUrl(
  engine: DatabaseRow['engine'],
  { username, password }: { username: string; password: string },
  { host, port, database }: DatabaseEndpoint,
): string {
  const at = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}:${port}`;
  return URLS[engine](at, encodeURIComponent(database ?? ''));
}

/**
 * Functions that build a connection URL, one for each database engine.
 * @param at user name, password, host and port: `user:password@host:port`
 */
const URLS: Record<DatabaseRow['engine'], (at: string, name: string) => string> = {
  postgres: (at, name) => `postgresql://${at}/${name}`,
  mysql: (at, name) => `mysql://${at}/${name}`,
  mariadb: (at, name) => `mysql://${at}/${name}`,
  redis: (at) => `redis://${at}/0`,
  mongodb: (at, name) => `mongodb://${at}/${name}?authSource=${name}`,
};
