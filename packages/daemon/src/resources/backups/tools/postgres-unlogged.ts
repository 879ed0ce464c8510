import { ADMIN } from '../../databases/dialects/dialect.ts';
import { psql } from './postgres-client.ts';
import type { DumpedDatabase } from './tool.ts';

/** SQL query that returns one JSON string per line, because names may contain line breaks. */
const UNLOGGED = `SELECT to_json(format('%I.%I', n.nspname, c.relname)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'S') AND c.relpersistence = 'u' ORDER BY n.nspname, c.relname;
`;

/**
 * Returns the unlogged tables and sequences of a PostgreSQL database. After a point-in-time recovery, they are empty,
 * because the WAL (write-ahead log) does not contain their rows.
 */
export async function unloggedObjects(of: DumpedDatabase): Promise<string[]> {
  const lines = (await psql(of, ADMIN, UNLOGGED)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as string);
}
