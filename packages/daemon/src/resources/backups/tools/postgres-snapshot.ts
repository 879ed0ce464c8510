/**
 * Keeps a PostgreSQL snapshot open during a dump. The dump and the row counts use the same snapshot. So the row counts
 * are exactly the numbers of rows in the dump.
 */
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { ADDED_MEMBERS, OWNER_COLUMNS, type OwningCatalog } from '../../databases/dialects/postgres-owners.ts';
import { postgresLiteral, READER, RESTORER } from '../../databases/dialects/postgres-session.ts';
import { parseCounts } from './counts.ts';
import { psql, psqlProgram } from './postgres-client.ts';
import { MOST_COUNTING_MS, startProgram, ToolFailed } from './program.ts';
import type { DumpedDatabase, DumpHead } from './tool.ts';

/**
 * Maximum number of objects that a restore creates in one transaction. PostgreSQL needs a lock for each object, and
 * supports only a few thousand locks.
 */
const MOST_AT_ONCE = 3_000;

/**
 * SQL queries that find the objects of the superuser. There is one query for each system catalog. Only a superuser can
 * restore the ownership of these objects.
 */
const OF_ADMIN = Object.entries({
  pg_class: "AND o.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')",
  pg_namespace: "AND o.nspname !~ '^pg_'",
  pg_proc: '',
  pg_type: "AND o.typtype IN ('d', 'e', 'r')",
  pg_operator: '',
  pg_opfamily: '',
  pg_collation: '',
  pg_conversion: '',
  pg_ts_config: '',
  pg_ts_dict: '',
  pg_statistic_ext: '',
  pg_foreign_server: '',
  pg_publication: '',
  pg_largeobject_metadata: '',
} satisfies Partial<Record<OwningCatalog, string>>)
  // Skip the objects of extensions, because `CREATE EXTENSION` creates these objects again.
  .map(
    ([
      catalog,
      only,
    ]) => `SELECT 1 FROM ${catalog} o WHERE o.oid >= 16384 AND o.${OWNER_COLUMNS[catalog as OwningCatalog]} = '${ADMIN}'::regrole ${only}
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = o.oid AND d.deptype = 'e')`,
  )
  .join(' UNION ALL ');

/**
 * SQL query for data that Davit saves together with the dump. The query returns one line of JSON, because names may
 * contain line breaks.
 */
const HEAD = `SELECT jsonb_build_object(
  'roles', (SELECT coalesce(jsonb_object_agg(name, groups), '{}') FROM (
    SELECT r.rolname AS name, coalesce(jsonb_agg(g.rolname) FILTER (WHERE g.rolname IS NOT NULL), '[]') AS groups
      FROM pg_roles r LEFT JOIN pg_auth_members m ON m.member = r.oid LEFT JOIN pg_roles g ON g.oid = m.roleid
      WHERE r.rolname NOT LIKE 'pg\\_%' AND r.rolname NOT IN ('${ADMIN}', '${READER}', '${RESTORER}') GROUP BY 1) roles),
  'settings', (SELECT coalesce(jsonb_agg(one), '[]') FROM pg_db_role_setting s, unnest(s.setconfig) one
    WHERE s.setdatabase = d.oid AND s.setrole = 0),
  'ofAdmin', EXISTS (${OF_ADMIN}),
  'added', (SELECT min(format('%s %s of extension %s', i.type, i.identity, e.extname)) FROM ${ADDED_MEMBERS}),
  'comment', shobj_description(d.oid, 'pg_database'),
  'things', (SELECT count(*) FROM pg_class WHERE oid >= 16384) + (SELECT count(*) FROM pg_largeobject_metadata)
    + (SELECT count(*) FROM pg_type WHERE oid >= 16384) + (SELECT count(*) FROM pg_proc WHERE oid >= 16384))
  FROM pg_database d WHERE d.datname = current_database();
`;

/**
 * SQL query for the tables whose rows Davit counts. The query excludes partitioned tables, because only the partitions
 * contain rows.
 */
const OWN_TABLES = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY n.nspname, c.relname \\gexec
`;
/** Returns an SQL expression that counts the rows of a table. */
const counted = (sample: string) =>
  `format('SELECT %L, count(*) FROM ONLY %I.%I${sample}', n.nspname || '.' || c.relname, n.nspname, c.relname)`;
/** An app may replace the table with a view that runs code. `TABLESAMPLE` prevents this, because it fails for a view. */
const COUNTED = counted(' TABLESAMPLE SYSTEM (100)');
/** Count for databases to which apps cannot connect. Several processes count at the same time, unlike in a sample. */
const COUNTED_IN_TRIAL = counted('');
/**
 * Time limit for counting rows. The PostgreSQL server enforces the limit, so that the count also stops if the client
 * has crashed.
 */
const COUNTING = { statement_timeout: String(MOST_COUNTING_MS) };

export interface DumpSnapshot {
  id: string;
  head: DumpHead;
  /**
   * Map from the name of a table to its number of rows. The promise resolves when the rows of all tables are counted.
   */
  counts: Promise<Record<string, number>>;
  /**
   * Ends the PostgreSQL session of this snapshot. Call this function only after `pg_dump` has imported the snapshot.
   */
  close(): void;
}

/** Returns the current number of rows of each PostgreSQL table. */
export async function countRows(of: DumpedDatabase, isTrial = false): Promise<Record<string, number>> {
  return parseCounts(await psql(of, READER, `SELECT ${isTrial ? COUNTED_IN_TRIAL : COUNTED} ${OWN_TABLES}`, COUNTING));
}

/**
 * Count the rows of each table in a separate transaction. A single transaction would need a lock for each table and
 * each index at the same time.
 */
async function countIn(of: DumpedDatabase, snapshot: string): Promise<Record<string, number>> {
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  const same = `SET TRANSACTION SNAPSHOT ${postgresLiteral(snapshot)}`;
  const each = ["'COMMIT'", postgresLiteral(begin), postgresLiteral(same), COUNTED].join(', ');
  return parseCounts(await psql(of, READER, `${begin};\n${same};\nSELECT ${each} ${OWN_TABLES}COMMIT;\n`, COUNTING));
}

/** Opens a PostgreSQL session that keeps a snapshot until `close` is called. */
export async function openSnapshot(of: DumpedDatabase): Promise<DumpSnapshot> {
  const closed = Promise.withResolvers<void>();
  async function* statements(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;\nSELECT pg_export_snapshot();\n');
    yield Buffer.from(HEAD);
    await closed.promise;
    yield Buffer.from('COMMIT;\n');
  }
  const session = await startProgram(of, psqlProgram(of, READER), statements());
  const lines = linesOf(session.stdout);
  const next = async () => {
    const { value } = await lines.next();
    if (value === undefined) throw new ToolFailed(`psql: ${(await session.exited).stderrTail.trim()}`);
    return value;
  };
  try {
    const [id, head] = [await next(), headOf(await next())];
    // If the dump is aborted, the session of the snapshot is aborted too. Ignore the error of this session.
    session.exited.catch(() => undefined);
    /*
     * Count the rows during the dump. The count takes little extra time, because the count and the dump mostly wait for
     * the disk.
     */
    const counts = countIn(of, id);
    // The row counts are used only at the end of the dump. Until then, this handler prevents an unhandled rejection.
    counts.catch(() => undefined);
    return { id, head, counts, close: closed.resolve };
  } catch (error) {
    closed.resolve();
    throw error;
  }
}

/**
 * Parses the data that Davit saves together with a PostgreSQL dump.
 * @throws ToolFailed if an app has added an object to an extension
 */
function headOf(line: string): DumpHead {
  const { things = 0, comment, added, ...head } = JSON.parse(line) as DumpHead & { things?: number; added?: string };
  if (added != null)
    throw new ToolFailed(
      `pg_dump leaves out the ${added}, which an app has added to the extension. Remove it from the extension with ALTER EXTENSION … DROP.`,
    );
  /*
   * `things` is the number of objects, without the objects of PostgreSQL itself. The ids of these objects are below
   * 16384.
   */
  return { ...head, ...(comment != null && { comment }), ...(things > MOST_AT_ONCE && { isMany: true }) };
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}
