import { engineNamed } from './engines.ts';

/** Variables of an attached store. Each name follows the prefix of the attachment. */
const STORE_VARIABLES = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PATH_STYLE',
];

/** Returns the variables of an attached database with this engine, or none if the engine is unknown. */
export function databaseVariables(engineName: string, prefix: string): string[] {
  const engine = engineNamed(engineName);
  if (engine === undefined) return [];
  const ends = ['URL', 'HOST', 'PORT', 'USER', 'PASSWORD', ...(engine.named ? ['NAME'] : [])];
  return ends.map((end) => `${prefix}${engine.stem}_${end}`);
}

/** Returns the variables of an attached store. */
export function storeVariables(prefix: string): string[] {
  return STORE_VARIABLES.map((name) => `${prefix}${name}`);
}
