/** An extension of PostgreSQL that a template may request. */
export interface Extension {
  /** Name in `CREATE EXTENSION`. */
  sql: string;
  /** Required extensions, which are installed automatically. */
  needs: readonly string[];
  /** Versions of PostgreSQL with this extension. */
  versions: readonly string[];
}

const EVERY_VERSION = ['18', '17', '16', '15'] as const;

function extension(sql: string, ...needs: string[]): Extension {
  return { sql, needs, versions: EVERY_VERSION };
}

/** All allowed extensions, in display order. */
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

/** Returns the extension with this name, or `undefined`. */
export function extensionNamed(name: string): Extension | undefined {
  return Object.hasOwn(EXTENSIONS, name) ? EXTENSIONS[name] : undefined;
}

/** Normalizes names: trimmed and in lower case, without empty names and duplicates, in the written order. */
export function extensionNames(written: readonly string[] = []): string[] {
  const names = written.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  return [...new Set(names)];
}

/** Returns all extensions to install, sorted, with their required extensions. */
export function resolveExtensions(written: readonly string[] = []): string[] {
  const names = extensionNames(written);
  // Two levels are enough, because no required extension has requirements. A test verifies this.
  const all = new Set(names.flatMap((name) => [name, ...(extensionNamed(name)?.needs ?? [])]));
  return [...all].sort();
}
