/** Address and login with which apps connect to a database. */
import { engineNamed } from '@davit/template/parts';
import type { DatabaseRow } from '../db/tables/managed-database.ts';
import type { DatabaseAccess } from './attachment-values.ts';
import type { AppSpecDeps } from './deps.ts';
import { databaseHost } from './names.ts';

/** Column of an encrypted value of a database. */
export type DatabaseSecret = 'password' | 'admin_password' | 'tls' | 'other_logins';

/** Returns the place of a secret of a database for the encryption, see `Sealer`. */
export function databaseSecretPlace(id: number, secret: DatabaseSecret): string {
  return `databases/${id}/${secret}`;
}

/**
 * Decrypts the password of the apps' present login.
 * @throws SealBroken if the password was changed or moved on disk
 */
export function openDatabasePassword({ sealer }: Pick<AppSpecDeps, 'sealer'>, row: DatabaseRow): string {
  return sealer.open(row.password, databaseSecretPlace(row.id, 'password'));
}

/** Returns the address of a database for apps of its environment, with their present login. */
export function databaseAccess(row: DatabaseRow, password: string): DatabaseAccess {
  const { engine, username, database } = row;
  const place = { host: databaseHost(row), port: engineNamed(engine)?.port ?? 0, database };
  const url = databaseUrl(engine, { username, password }, { ...place, tls: false });
  return { engine, ...place, username, password, url };
}

/** Address at which a database listens. */
export interface DatabaseEndpoint {
  host: string;
  port: number;
  /** Name of the database, or `null` if the engine has no named databases. */
  database: string | null;
  tls: boolean;
}

/** Returns the connection URL of a database, in the format of the engine's clients and libraries. */
export function databaseUrl(
  engine: DatabaseRow['engine'],
  { username, password }: { username: string; password: string },
  { host, port, database, tls }: DatabaseEndpoint,
): string {
  const at = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}:${port}`;
  return URLS[engine](at, encodeURIComponent(database ?? ''), tls);
}

/**
 * Formats of connection URLs by engine.
 * @param at login, host and port
 */
const URLS: Record<DatabaseRow['engine'], (at: string, name: string, tls: boolean) => string> = {
  postgres: (at, name, tls) => `postgresql://${at}/${name}${tls ? '?sslmode=require' : ''}`,
  mysql: (at, name) => `mysql://${at}/${name}`,
  mariadb: (at, name) => `mysql://${at}/${name}`,
  redis: (at, _name, tls) => `${tls ? 'rediss' : 'redis'}://${at}/0`,
  mongodb: (at, name, tls) => `mongodb://${at}/${name}?authSource=${name}${tls ? '&tls=true' : ''}`,
};
