/**
 * The MySQL dump tool fails at a view whose columns it cannot read. So a dump omits such views, and a restore creates
 * them from their definitions.
 */
import { sentence } from '../../../app-spec/sentence.ts';
import { fromHex, mysqlIdentifier, mysqlLiteral, viewStatement } from '../../databases/dialects/mysql-text.ts';
import { inRounds } from './rounds.ts';
import type { LeftOutView } from './tool.ts';

const VIEWS = `SELECT HEX(table_name) FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_type = 'VIEW';
`;

/**
 * Maximum number of views to check in one session of the MySQL client, because the size of a session's output is
 * limited.
 */
const AT_ONCE = 50;

/**
 * Function that runs SQL statements with the MySQL client. `options` are additional command-line options of the client.
 */
type Query = (statements: string, options?: readonly string[]) => Promise<string>;

/**
 * Returns the views that the dump must omit.
 * @param query runs statements as the user that makes the dump
 */
export async function leftOutViews(query: Query): Promise<LeftOutView[]> {
  const views = (await query(VIEWS)).split('\n').filter((hex) => hex !== '');
  /*
   * A view is unreadable if its table was dropped, for example, or if it calls a function that the dump user cannot
   * run.
   */
  const unreadable: string[] = [];
  for (let at = 0; at < views.length; at += AT_ONCE) {
    const checks = views.slice(at, at + AT_ONCE).map(check);
    // The option `--force` makes the client continue after an error.
    const answer = await query(checks.join(''), ['--force']);
    unreadable.push(...[...answer.matchAll(/^([0-9A-F]+)\t[1-9]\d*$/gm)].map(([, hex = '']) => fromHex(hex)));
  }
  return unreadable.length === 0 ? [] : withUsers(query, unreadable);
}

/**
 * Returns SQL statements that check whether the dump tool can read a view. They read the columns in the same way as the
 * dump tool.
 */
function check(hex: string): string {
  return `SHOW FIELDS FROM ${mysqlIdentifier(fromHex(hex))};\nSELECT '${hex}', @@error_count;\n`;
}

/**
 * Returns the given views and all views that use them. A view can be restored only together with the views that it
 * uses.
 */
async function withUsers(query: Query, names: readonly string[]): Promise<LeftOutView[]> {
  const lines = (await query(usersOf(names))).matchAll(/^([0-9A-F]+)\t([0-9A-F]+)\t(\w+)$/gm);
  const found = Array.from(lines, ([, name = '', create = '', collation = '']) => ({
    name: fromHex(name),
    create: fromHex(create),
    collation,
  }));
  const all = found.map(({ name }) => name);
  return all.every((name) => names.includes(name)) ? found : withUsers(query, all);
}

/**
 * Returns an SQL query for the given views and the views that may use them. A text search may find too many, which does
 * no harm.
 */
function usersOf(names: readonly string[]): string {
  const conditions = names.flatMap((name) => [
    // Ignores the case of names, as the dump tool does.
    `LOWER(table_name) = LOWER(${mysqlLiteral(name)})`,
    `INSTR(view_definition, ${mysqlLiteral(mysqlIdentifier(name))}) > 0`,
  ]);
  return `SET SESSION sql_mode = '';
SELECT HEX(table_name), HEX(${viewStatement('CREATE')}), collation_connection
  FROM information_schema.views WHERE table_schema = DATABASE() AND (${conditions.join(' OR ')});
`;
}

/**
 * Creates the views that a dump does not contain, in several rounds, because a view may need another view.
 * @param run runs SQL as the app's login, the owner of the views
 */
export async function createViews(
  views: readonly LeftOutView[],
  run: (statements: string) => Promise<unknown>,
  warn: (line: string) => void,
): Promise<void> {
  const failed = await inRounds(views, ({ create, collation }) =>
    run(`SET SESSION sql_mode = '', collation_connection = ${collation};\n${create};\n`),
  );
  for (const { item, why } of failed) warn(`The view ${item.name} could not be created: ${sentence(why)}`);
}
