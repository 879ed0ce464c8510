/** The variables of an attachment, in the order in which `@davit/template` names them. */
import type { DatabaseEngine } from '@davit/api';
import { databaseVariables, storeVariables } from '@davit/template/parts';

export interface AttachedVariable {
  key: string;
  value: string;
  secret: boolean;
}

/** What a database is reached with. */
export interface DatabaseAccess {
  engine: DatabaseEngine;
  url: string;
  host: string;
  port: number;
  username: string;
  password: string;
  /** Null: the engine has none with names. */
  database: string | null;
}

/** What a bucket is reached with. */
export interface BucketAccess {
  endpoint: string;
  region: string;
  bucket: string;
  accessKey: string;
  secretKey: string;
  pathStyle: boolean;
}

/** Whether a variable of an attachment is a secret, by its name. The address is one as a whole: the password stands in it. */
const SECRET = /(?:_URL|_PASSWORD|S3_ACCESS_KEY_ID|S3_SECRET_ACCESS_KEY)$/;

export function databaseAttachmentVariables(prefix: string, access: DatabaseAccess): AttachedVariable[] {
  const { engine, url, host, port, username, password, database } = access;
  return named(databaseVariables(engine, prefix), [url, host, String(port), username, password, database ?? '']);
}

export function bucketAttachmentVariables(prefix: string, access: BucketAccess): AttachedVariable[] {
  const { endpoint, region, bucket, accessKey, secretKey, pathStyle } = access;
  return named(storeVariables(prefix), [endpoint, region, bucket, accessKey, secretKey, String(pathStyle)]);
}

/** The names alone. @param engine null: of a bucket */
export function attachmentKeys(engine: DatabaseEngine | null, prefix: string): Omit<AttachedVariable, 'value'>[] {
  const keys = engine === null ? storeVariables(prefix) : databaseVariables(engine, prefix);
  return keys.map((key) => ({ key, secret: SECRET.test(key) }));
}

function named(keys: readonly string[], values: readonly string[]): AttachedVariable[] {
  return keys.map((key, i) => ({ key, value: values[i] ?? '', secret: SECRET.test(key) }));
}
