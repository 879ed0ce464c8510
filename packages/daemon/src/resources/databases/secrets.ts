/** What is secret of a database: made here, sealed in its row, and opened for who says it to the engine or may read it. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { EXTENSIONS } from '@davit/template/parts';
import { databaseSecretPlace, openDatabasePassword } from '../../app-spec/database-access.ts';
import { databaseHost } from '../../app-spec/names.ts';
import { selfSignedCertificate } from '../../auth/self-signed.ts';
import type { Sealer } from '../../db/seal.ts';
import { type DatabaseRow, extensionsOf } from '../../db/tables/managed-database.ts';
import type { DatabaseFacts, Login, TlsPair } from './dialects/dialect.ts';

/** Of 24 bytes: letters and digits that need no escape anywhere. */
export function newDatabasePassword(): string {
  return randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x');
}

const YEARS_MS = 15 * 365 * 86_400_000;

/** What a database proves itself with to who comes from outside; nobody else signs it. */
export function newTlsPair(row: { name: string; environment: string; project: string }, now: number): TlsPair {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = selfSignedCertificate(privateKey, {
    // A common name holds 64 characters.
    name: databaseHost(row).slice(0, 64),
    notBefore: now - 86_400_000,
    notAfter: Math.min(now + YEARS_MS, Date.UTC(2049, 11, 31)),
  });
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), certificate };
}

/** Everything that its engine is told of a database, in the open. @throws SealBroken */
export function databaseFacts(sealer: Sealer, row: DatabaseRow): DatabaseFacts {
  const { id, username, database } = row;
  return {
    login: { username, password: openDatabasePassword({ sealer }, row) },
    otherLogins: otherLogins(sealer, row).filter(({ endedAt }) => endedAt === undefined),
    adminPassword: sealer.open(row.admin_password, databaseSecretPlace(id, 'admin_password')),
    isFilled: row.state === 'made',
    database,
    extensions: extensionsOf(row).map(sqlName),
    tls: databaseTls(sealer, row),
    allowConfig: row.allow_config === 1,
  };
}

/** @throws SealBroken */
export function databaseTls(sealer: Sealer, { id, tls }: DatabaseRow): TlsPair {
  // Written by this program, and by nobody else.
  return JSON.parse(sealer.open(tls, databaseSecretPlace(id, 'tls'))) as TlsPair;
}

/** Also those whose end has begun. @throws SealBroken */
export function otherLogins(sealer: Sealer, { id, other_logins }: DatabaseRow): Login[] {
  return other_logins === null
    ? []
    : (JSON.parse(sealer.open(other_logins, databaseSecretPlace(id, 'other_logins'))) as Login[]);
}

/** For the column `other_logins`. */
export function sealOtherLogins(sealer: Sealer, id: number, logins: readonly Login[]): string | null {
  return logins.length === 0 ? null : sealer.seal(JSON.stringify(logins), databaseSecretPlace(id, 'other_logins'));
}

/** What `CREATE EXTENSION` calls the one of this name. */
export function sqlName(extension: string): string {
  return EXTENSIONS[extension]?.sql ?? extension;
}

export { databaseSecretPlace as databasePlace } from '../../app-spec/database-access.ts';
