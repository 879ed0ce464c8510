import { engineNamed } from './engines.ts';

/** What an attached store sets, each after the attachment's prefix. */
const STORE_VARIABLES = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PATH_STYLE',
];

/** The variables that an attached database of that engine sets; none when the engine is not known. */
export function databaseVariables(engineName: string, prefix: string): string[] {
  const engine = engineNamed(engineName);
  if (engine === undefined) return [];
  const ends = ['URL', 'HOST', 'PORT', 'USER', 'PASSWORD', ...(engine.named ? ['NAME'] : [])];
  return ends.map((end) => `${prefix}${engine.stem}_${end}`);
}

/** The variables that an attached store sets. */
export function storeVariables(prefix: string): string[] {
  return STORE_VARIABLES.map((name) => `${prefix}${name}`);
}
