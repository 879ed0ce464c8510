/**
 * Restores materialized views of a PostgreSQL dump. A dump contains their queries, but not their rows.
 *
 * `pg_restore` would run the queries with an empty search path and without row security. Queries of the app can fail
 * under these conditions, and one failure would stop the restore. So Davit refreshes the views after the restore.
 */
import { sentence } from '../../../app-spec/sentence.ts';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { CLIENT, postgresLiteral, RESTORER } from '../../databases/dialects/postgres-session.ts';
import { Beginning } from './beginning.ts';
import { psql, psqlProgram } from './postgres-client.ts';
import { MOST_RESTORING_MS, oneText, programOutput, run, ToolFailed } from './program.ts';
import { inRounds } from './rounds.ts';
import { temporaryFile } from './temporary-file.ts';
import type { DumpedDatabase, DumpHead } from './tool.ts';

/**
 * Number of bytes that Davit first reads from a dump to find its table of contents. If the table of contents is longer,
 * Davit reads more bytes, up to `MOST_CONTENTS`.
 */
const LEAST_CONTENTS = 1024 ** 2;
const MOST_CONTENTS = 256 * LEAST_CONTENTS;

/**
 * Line in the dump's table of contents for a query that fills a materialized view. The line contains the schema, name
 * and owner of the view.
 */
const FILLED = /^\d+; \d+ \d+ MATERIALIZED VIEW DATA (.*)$/;

/**
 * SQL query for materialized views that are not filled yet, in the order of their creation. Replaces line breaks in
 * names with spaces, so that the names match the table of contents of a dump.
 */
const EMPTY = `SELECT json_build_object('name', format('%I.%I', n.nspname, c.relname), 'owner', quote_ident(r.rolname),
    'listed', translate(n.nspname || ' ' || c.relname || ' ', E'\\n\\r', '  '))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner
  WHERE c.relkind = 'm' AND NOT c.relispopulated ORDER BY c.oid;
`;

/** PostgreSQL's default for the setting `search_path`. Used if a database has no value of its own. */
const DEFAULT_PATH = '"$user", public';

interface View {
  name: string;
  owner: string;
  listed: string;
}

/**
 * Restores a dump, but leaves its materialized views empty.
 * @param restore runs `pg_restore` with the given dump and additional options
 * @returns the materialized views that had rows, as entries of the dump's table of contents. `refreshViews` takes these
 * entries and fills the views.
 */
export async function withoutViewRows(
  into: DumpedDatabase,
  dump: AsyncIterable<Uint8Array>,
  restore: (dump: AsyncIterable<Uint8Array>, options: readonly string[]) => Promise<unknown>,
): Promise<string[]> {
  const beginning = new Beginning(dump);
  try {
    const lines = await contentsOf(into, beginning);
    const filled = lines.flatMap((line) => FILLED.exec(line)?.slice(1) ?? []);
    if (filled.length === 0) {
      await restore(beginning.whole(), []);
      return [];
    }
    const others = lines.filter((line) => !FILLED.test(line));
    await using list = await temporaryFile(into, CLIENT.name, others.join('\n'));
    await restore(beginning.whole(), [`--use-list=${list.path}`]);
    return filled;
  } finally {
    await beginning.close();
  }
}

/**
 * Returns the lines of a dump's table of contents.
 * @throws ToolFailed if the dump has no table of contents
 */
async function contentsOf(into: DumpedDatabase, beginning: Beginning): Promise<string[]> {
  for (let bytes = LEAST_CONTENTS; ; bytes *= 4) {
    await using file = await temporaryFile(into, CLIENT.name, await beginning.read(bytes));
    try {
      const program = { command: ['pg_restore', '--list', file.path], user: CLIENT.name };
      return Buffer.concat(await Array.fromAsync(programOutput(into, program)))
        .toString()
        .split('\n');
    } catch (error) {
      // The bytes that were read may not contain the whole table of contents of the dump. The next attempt reads more.
      if (!(error instanceof ToolFailed) || beginning.isWhole || bytes >= MOST_CONTENTS) throw error;
    }
  }
}

/**
 * Fills materialized views after a restore. Tries this several times, because a view may need the rows of another view,
 * and PostgreSQL does not know the correct order.
 * @param filled lines of the dump's table of contents for the views to fill. `withoutViewRows` returns them
 * @param warn called with a message for each view that stays empty
 */
export async function refreshViews(
  into: DumpedDatabase,
  filled: readonly string[],
  head: DumpHead,
  warn: (line: string) => void,
): Promise<void> {
  if (filled.length === 0) return;
  const left = (await emptyViews(into)).filter(({ listed }) => filled.some((entry) => entry.startsWith(listed)));
  for (const { item, why } of await inRounds(left, (view) => refresh(into, view, head)))
    warn(`The materialized view ${item.name} is empty, because it could not be refreshed: ${sentence(why)}`);
}

async function emptyViews(into: DumpedDatabase): Promise<View[]> {
  const lines = (await psql(into, ADMIN, EMPTY)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as View);
}

/**
 * Refreshes a materialized view with the permissions of its owner, not of the superuser. The session has the same
 * settings as sessions of the app.
 * @throws ToolFailed
 */
async function refresh(into: DumpedDatabase, { name, owner }: View, { settings = [] }: DumpHead): Promise<void> {
  const path = settings.find((setting) => setting.startsWith('search_path='))?.slice('search_path='.length);
  const statements = `SET ROLE ${owner};
SELECT set_config('search_path', ${postgresLiteral(path ?? DEFAULT_PATH)}, false);
REFRESH MATERIALIZED VIEW ${name};
`;
  await run(into, psqlProgram(into, RESTORER, { row_security: 'on' }), oneText(statements), MOST_RESTORING_MS);
}
