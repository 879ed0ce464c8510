import { engineNamed } from './engines.ts';

/**
 * Environment variables that an app gets from an attached object store. If the template sets a prefix, each name starts
 * with the prefix.
 */
const STORE_VARIABLES = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PATH_STYLE',
];

/**
 * Returns the names of the environment variables that an attached database sets. Returns an empty list for an unknown
 * engine.
 */
export function databaseVariables(engineName: string, prefix: string): string[] {
  const engine = engineNamed(engineName);
  if (engine === undefined) return [];
  const ends = ['URL', 'HOST', 'PORT', 'USER', 'PASSWORD', ...(engine.named ? ['NAME'] : [])];
  return ends.map((end) => `${prefix}${engine.stem}_${end}`);
}

/** Returns the names of the environment variables that an attached object store sets. */
export function storeVariables(prefix: string): string[] {
  return STORE_VARIABLES.map((name) => `${prefix}${name}`);
}
