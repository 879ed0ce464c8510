/** What apps reach a database with. */
import { engineNamed } from '@davit/template';
import type { DatabaseRow } from '../store/managed-database.ts';
import type { DatabaseAccess } from './attachment-values.ts';
import type { Base } from './base.ts';
import { databaseHost } from './names.ts';

/** Which of a database's secrets a sealed value is. */
export type DatabaseSecret = 'password' | 'admin_password' | 'tls' | 'other_logins';

/** Where a secret of a database belongs, for its seal. */
export function databaseSecretPlace(id: number, secret: DatabaseSecret): string {
  return `databases/${id}/${secret}`;
}

/** The password of the login that apps use now. @throws SealBroken */
export function openDatabasePassword({ sealer }: Pick<Base, 'sealer'>, row: DatabaseRow): string {
  return sealer.open(row.password, databaseSecretPlace(row.id, 'password'));
}

/** Where apps of its environment find it, with a login. */
export function databaseAccess(row: DatabaseRow, password: string): DatabaseAccess {
  const { engine, username, database } = row;
  const [host, port] = [databaseHost(row), engineNamed(engine)?.port ?? 0];
  return { engine, host, port, username, password, database, url: databaseUrl({ ...row, host, port, password }) };
}

const SCHEMES: Readonly<Record<DatabaseRow['engine'], string>> = {
  postgres: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  redis: 'redis',
  mongodb: 'mongodb',
};

export interface DatabaseAddress {
  engine: DatabaseRow['engine'];
  host: string;
  port: number;
  username: string;
  password: string;
  database: string | null;
}

/** All of it in one address, as the engine's own clients and libraries read it. */
export function databaseUrl({ engine, host, port, username, password, database }: DatabaseAddress): string {
  const login = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
  const path = database === null ? '' : `/${encodeURIComponent(database)}`;
  return `${SCHEMES[engine]}://${login}@${host}:${port}${path}`;
}
