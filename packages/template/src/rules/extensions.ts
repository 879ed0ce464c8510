/** An extension of postgres that a template may ask for. */
export interface Extension {
  /** What `CREATE EXTENSION` calls it. */
  sql: string;
  /** Others that it stands on: they are added by themselves. */
  needs: readonly string[];
  /** Versions of postgres that have it. */
  versions: readonly string[];
}

const EVERY_VERSION = ['18', '17', '16', '15'] as const;

function extension(sql: string, ...needs: string[]): Extension {
  return { sql, needs, versions: EVERY_VERSION };
}

/** The closed list, in the order in which it is shown. */
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

/** The extension of that name, or nothing. */
export function extensionNamed(name: string): Extension | undefined {
  return Object.hasOwn(EXTENSIONS, name) ? EXTENSIONS[name] : undefined;
}

/** Names as written brought to one form: trimmed, lower-cased, without blanks and repetitions, in the order written. */
export function extensionNames(written: readonly string[] = []): string[] {
  const names = written.map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  return [...new Set(names)];
}

/** What is installed for the names written: with what they stand on, sorted. */
export function resolveExtensions(written: readonly string[] = []): string[] {
  const names = extensionNames(written);
  // Two levels are enough while nothing that is needed needs something itself, which a test holds.
  const all = new Set(names.flatMap((name) => [name, ...(extensionNamed(name)?.needs ?? [])]));
  return [...all].sort();
}
