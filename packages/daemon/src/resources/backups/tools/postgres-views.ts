/**
 * Fills materialized views after a restore. A dump contains only the queries of the views, and these queries can fail
 * with the settings of `pg_restore`.
 */
import { sentence } from '../../../app-spec/sentence.ts';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { CLIENT, postgresLiteral, RESTORER } from '../../databases/dialects/postgres-session.ts';
import { Beginning } from './beginning.ts';
import { psql, psqlProgram } from './postgres-client.ts';
import { MOST_RESTORING_MS, onePiece, programOutput, run, ToolFailed } from './program.ts';
import { inRounds } from './rounds.ts';
import { temporaryFile } from './temporary-file.ts';
import type { DumpedDatabase, DumpHead } from './tool.ts';

/**
 * Number of bytes at the start of a dump that Davit reads first, to find the table of contents. If the table of
 * contents is longer, Davit reads up to `MOST_CONTENTS` bytes.
 */
const LEAST_CONTENTS = 1024 ** 2;
const MOST_CONTENTS = 256 * LEAST_CONTENTS;

/**
 * Pattern for a line in the dump's table of contents that fills a materialized view. The line contains the schema, name
 * and owner of the view.
 */
const FILLED = /^\d+; \d+ \d+ MATERIALIZED VIEW DATA (.*)$/;

/**
 * SQL query for empty materialized views, in the order in which they were created. The query replaces line breaks in
 * names with spaces, because the table of contents of a dump does the same.
 */
const EMPTY = `SELECT json_build_object('name', format('%I.%I', n.nspname, c.relname), 'owner', quote_ident(r.rolname),
    'listed', translate(n.nspname || ' ' || c.relname || ' ', E'\\n\\r', '  '))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles r ON r.oid = c.relowner
  WHERE c.relkind = 'm' AND NOT c.relispopulated ORDER BY c.oid;
`;

/**
 * PostgreSQL's default for the setting `search_path`. The default is used if a database has no other value for this
 * setting.
 */
const DEFAULT_PATH = '"$user", public';

interface View {
  name: string;
  owner: string;
  listed: string;
}

/**
 * Restores a dump, but does not fill its materialized views.
 * @returns the views that had rows, as lines of the table of contents, for `refreshViews`
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
    const read = await beginning.read(bytes);
    try {
      const program = { command: ['pg_restore', '--list'], user: CLIENT.name };
      return Buffer.concat(await Array.fromAsync(programOutput(into, program, { stdin: onePiece(read) })))
        .toString()
        .split('\n');
    } catch (error) {
      // The bytes may not contain the whole table of contents of the dump. The next attempt reads more bytes.
      if (!(error instanceof ToolFailed) || beginning.isWhole || bytes >= MOST_CONTENTS) throw error;
    }
  }
}

/**
 * Fills materialized views. A view may need the rows of another view, so the function tries again for views that
 * failed.
 * @param filled lines of the table of contents that `withoutViewRows` returned
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
 * Refreshes a materialized view with the permissions of its owner and the session settings of apps.
 * @throws ToolFailed
 */
async function refresh(into: DumpedDatabase, { name, owner }: View, { settings = [] }: DumpHead): Promise<void> {
  /*
   * `pg_restore` uses an empty search path and disables row security. With these settings, the query of a view can
   * fail.
   */
  const path = settings.find((setting) => setting.startsWith('search_path='))?.slice('search_path='.length);
  const statements = `SET ROLE ${owner};
SELECT set_config('search_path', ${postgresLiteral(path ?? DEFAULT_PATH)}, false);
REFRESH MATERIALIZED VIEW ${name};
`;
  await run(into, psqlProgram(into, RESTORER, { row_security: 'on' }), onePiece(statements), MOST_RESTORING_MS);
}
