/** Creates the secrets of databases. Also encrypts secrets for SQLite and decrypts them. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { EXTENSIONS } from '@davit/template/parts';
import { databaseSecretLocation, openDatabasePassword } from '../../app-spec/database-access.ts';
import type { Sealer } from '../../db/seal.ts';
import { type DatabaseRow, extensionsOf } from '../../db/tables/managed-database.ts';
import type { DatabaseFacts, Login, TlsPair } from './dialects/dialect.ts';

/**
 * Returns a password of 24 random bytes. The password contains only letters and digits, so it needs no escaping in
 * commands and URLs.
 */
export function newDatabasePassword(): string {
  return randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x');
}

/**
 * Returns a new private key for TLS as the encrypted value of the column `tls`. The certificate in this value is empty,
 * because signing is asynchronous. `ensureCertificate` issues the certificate later.
 */
export function newTlsKey(sealer: Sealer, id: number): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return sealTls(sealer, id, { key, certificate: '' });
}

/** Returns a private key and certificate for TLS as the encrypted value of the column `tls`. */
export function sealTls(sealer: Sealer, id: number, pair: TlsPair): string {
  return sealer.seal(JSON.stringify(pair), databaseSecretLocation(id, 'tls'));
}

/**
 * Decrypts the secrets of a database. Returns the data that is necessary for commands on the database server.
 * @throws SealBroken
 */
export function databaseFacts(sealer: Sealer, row: DatabaseRow): DatabaseFacts {
  const { id, username, database } = row;
  return {
    login: { username, password: openDatabasePassword({ sealer }, row) },
    otherLogins: otherLogins(sealer, row).filter(({ endedAt }) => endedAt === undefined),
    adminPassword: sealer.open(row.admin_password, databaseSecretLocation(id, 'admin_password')),
    isFilled: row.state === 'made',
    database,
    extensions: extensionsOf(row).map(sqlName),
    tls: databaseTls(sealer, row),
    allowConfig: row.allow_config === 1,
  };
}

/** Returns the decrypted TLS key and certificate of a database. @throws SealBroken */
export function databaseTls(sealer: Sealer, { id, tls }: DatabaseRow): TlsPair {
  // The cast of the parsed JSON is safe, because only Davit writes the column `tls` of a database row.
  return JSON.parse(sealer.open(tls, databaseSecretLocation(id, 'tls'))) as TlsPair;
}

/**
 * Returns the decrypted logins from the column `other_logins`. Some of these logins may already be disabled in the
 * database server.
 * @throws SealBroken
 */
export function otherLogins(sealer: Sealer, { id, other_logins }: DatabaseRow): Login[] {
  return other_logins === null
    ? []
    : (JSON.parse(sealer.open(other_logins, databaseSecretLocation(id, 'other_logins'))) as Login[]);
}

/** Encrypts logins for the column `other_logins`. If there are no logins, returns `null`. */
export function sealOtherLogins(sealer: Sealer, id: number, logins: readonly Login[]): string | null {
  return logins.length === 0 ? null : sealer.seal(JSON.stringify(logins), databaseSecretLocation(id, 'other_logins'));
}

/** Returns the name of an extension in SQL. PostgreSQL needs this name for `CREATE EXTENSION`. */
export function sqlName(extension: string): string {
  return EXTENSIONS[extension]?.sql ?? extension;
}
