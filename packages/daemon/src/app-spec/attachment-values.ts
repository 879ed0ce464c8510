import type { DatabaseEngine } from '@davit/api';
import { databaseVariables, storeVariables } from '@davit/template/parts';

export interface AttachedVariable {
  key: string;
  value: string;
  secret: boolean;
}

export interface DatabaseAccess {
  engine: DatabaseEngine;
  url: string;
  host: string;
  port: number;
  username: string;
  password: string;
  /** Name of the database on its server. `null` for Redis, which has no named databases. */
  database: string | null;
}

export interface BucketAccess {
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  pathStyle: boolean;
}

/**
 * Pattern for names of environment variables with a secret value. A connection URL is secret because it contains the
 * password.
 */
const SECRET = /(?:_URL|_PASSWORD|S3_ACCESS_KEY_ID|S3_SECRET_ACCESS_KEY)$/;

export function databaseAttachmentVariables(prefix: string, access: DatabaseAccess): AttachedVariable[] {
  const { engine, url, host, port, username, password, database } = access;
  return named(databaseVariables(engine, prefix), [url, host, String(port), username, password, database ?? '']);
}

export function bucketAttachmentVariables(prefix: string, access: BucketAccess): AttachedVariable[] {
  const { endpoint, region, bucket, accessKey, secretKey, pathStyle } = access;
  return named(storeVariables(prefix), [endpoint, region, bucket, accessKey, secretKey, String(pathStyle)]);
}

/**
 * Returns the names of the environment variables that an attachment sets.
 * @param engine engine of the attached database, or `null` for a bucket
 */
export function attachmentKeys(engine: DatabaseEngine | null, prefix: string): Omit<AttachedVariable, 'value'>[] {
  const keys = engine === null ? storeVariables(prefix) : databaseVariables(engine, prefix);
  return keys.map((key) => ({ key, secret: SECRET.test(key) }));
}

function named(keys: readonly string[], values: readonly string[]): AttachedVariable[] {
  return keys.map((key, i) => ({ key, value: values[i] ?? '', secret: SECRET.test(key) }));
}
