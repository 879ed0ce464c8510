/** PostgreSQL extension that a template can request. */
export interface Extension {
  /** Name of the extension in the SQL statement `CREATE EXTENSION`. */
  sql: string;
  /** Other PostgreSQL extensions that this extension requires. Davit installs them automatically. */
  needs: readonly string[];
  /** PostgreSQL versions for which Davit offers the extension. */
  versions: readonly string[];
}

const EVERY_VERSION = ['18', '17', '16', '15'] as const;

function extension(sql: string, ...needs: string[]): Extension {
  return { sql, needs, versions: EVERY_VERSION };
}

/** PostgreSQL extensions that a template can request. The dashboard and the documentation show them in this order. */
export const EXTENSIONS: Readonly<Record<string, Extension>> = {
  pgvector: extension('vector'),
  vectorchord: extension('vchord', 'pgvector'),
  pg_trgm: extension('pg_trgm'),
  btree_gin: extension('btree_gin'),
  btree_gist: extension('btree_gist'),
  bloom: extension('bloom'),
  citext: extension('citext'),
  cube: extension('cube'),
  earthdistance: extension('earthdistance', 'cube'),
  fuzzystrmatch: extension('fuzzystrmatch'),
  hstore: extension('hstore'),
  intarray: extension('intarray'),
  isn: extension('isn'),
  ltree: extension('ltree'),
  pgcrypto: extension('pgcrypto'),
  seg: extension('seg'),
  tablefunc: extension('tablefunc'),
  tsm_system_rows: extension('tsm_system_rows'),
  unaccent: extension('unaccent'),
  'uuid-ossp': extension('uuid-ossp'),
  dblink: extension('dblink'),
  postgres_fdw: extension('postgres_fdw'),
  pg_prewarm: extension('pg_prewarm'),
  pgstattuple: extension('pgstattuple'),
  pg_buffercache: extension('pg_buffercache'),
  pg_stat_statements: extension('pg_stat_statements'),
};

export function extensionNamed(name: string): Extension | undefined {
  return Object.hasOwn(EXTENSIONS, name) ? EXTENSIONS[name] : undefined;
}

/**
 * Normalizes names of PostgreSQL extensions. Removes spaces around names, empty names and duplicates, and converts
 * names to lower case. The order does not change.
 */
export function extensionNames(written: readonly string[] = []): string[] {
  const names = written.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  return [...new Set(names)];
}

/**
 * Returns all PostgreSQL extensions to install, sorted by name. The extensions that the requested extensions require
 * are included.
 */
export function resolveExtensions(written: readonly string[] = []): string[] {
  const names = extensionNames(written);
  // Only direct requirements of an extension are added. A test checks that required extensions have no requirements.
  const all = new Set(names.flatMap((name) => [name, ...(extensionNamed(name)?.needs ?? [])]));
  return [...all].sort();
}
