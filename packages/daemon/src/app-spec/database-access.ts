/** What apps reach a database with. */
import { engineNamed } from '@davit/template/parts';
import type { DatabaseRow } from '../db/tables/managed-database.ts';
import type { DatabaseAccess } from './attachment-values.ts';
import type { AppSpecDeps } from './deps.ts';
import { databaseHost } from './names.ts';

/** Which of a database's secrets a sealed value is. */
export type DatabaseSecret = 'password' | 'admin_password' | 'tls' | 'other_logins';

/** Where a secret of a database belongs, for its seal. */
export function databaseSecretPlace(id: number, secret: DatabaseSecret): string {
  return `databases/${id}/${secret}`;
}

/** The password of the login that apps use now. @throws SealBroken */
export function openDatabasePassword({ sealer }: Pick<AppSpecDeps, 'sealer'>, row: DatabaseRow): string {
  return sealer.open(row.password, databaseSecretPlace(row.id, 'password'));
}

/** Where apps of its environment find it, with the login that they use now. */
export function databaseAccess(row: DatabaseRow, password: string): DatabaseAccess {
  const { engine, username, database } = row;
  const place = { host: databaseHost(row), port: engineNamed(engine)?.port ?? 0, database };
  const url = databaseUrl(engine, { username, password }, { ...place, tls: false });
  return { engine, ...place, username, password, url };
}

/** Where a database answers. */
export interface DatabaseEndpoint {
  host: string;
  port: number;
  /** Null: the engine has none with names. */
  database: string | null;
  tls: boolean;
}

/** All of it in one address, as the engine's own clients and libraries read it. */
export function databaseUrl(
  engine: DatabaseRow['engine'],
  { username, password }: { username: string; password: string },
  { host, port, database, tls }: DatabaseEndpoint,
): string {
  const at = `${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}:${port}`;
  return URLS[engine](at, encodeURIComponent(database ?? ''), tls);
}

/** Addresses of databases by engine. @param at login, host and port */
const URLS: Record<DatabaseRow['engine'], (at: string, name: string, tls: boolean) => string> = {
  postgres: (at, name, tls) => `postgresql://${at}/${name}${tls ? '?sslmode=require' : ''}`,
  mysql: (at, name) => `mysql://${at}/${name}`,
  mariadb: (at, name) => `mysql://${at}/${name}`,
  redis: (at, _name, tls) => `${tls ? 'rediss' : 'redis'}://${at}/0`,
  mongodb: (at, name, tls) => `mongodb://${at}/${name}?authSource=${name}${tls ? '&tls=true' : ''}`,
};
