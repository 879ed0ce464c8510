/**
 * Finds the views of a MySQL database that the dump tool cannot read. The dump omits these views, because it would fail
 * otherwise. A restore creates the views from their definitions.
 */
import { sentence } from '../../../app-spec/sentence.ts';
import { fromHex, mysqlIdentifier, mysqlLiteral, viewStatement } from '../../databases/dialects/mysql-text.ts';
import { inRounds } from './rounds.ts';
import type { LeftOutView } from './tool.ts';

const VIEWS = `SELECT HEX(table_name) FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_type = 'VIEW';
`;

/**
 * Maximum number of views that are checked in one session of the MySQL client. The number is limited, because the size
 * of a session's output is limited.
 */
const AT_ONCE = 50;

/**
 * Function that runs SQL statements with the MySQL client. `options` are additional command line options of the client.
 */
type Query = (statements: string, options?: readonly string[]) => Promise<string>;

/**
 * Returns the views that a dump must omit.
 * @param query runs statements as the user that creates the dump
 */
export async function leftOutViews(query: Query): Promise<LeftOutView[]> {
  const views = (await query(VIEWS)).split('\n').filter((hex) => hex !== '');
  /*
   * A view is unreadable if its table was dropped, for example. A view is also unreadable if it calls a function that
   * the dump user must not run.
   */
  const unreadable: string[] = [];
  for (let at = 0; at < views.length; at += AT_ONCE) {
    const checks = views.slice(at, at + AT_ONCE).map(check);
    // With the option `--force`, the MySQL client continues after an error.
    const answer = await query(checks.join(''), ['--force']);
    unreadable.push(...[...answer.matchAll(/^([0-9A-F]+)\t[1-9]\d*$/gm)].map(([, hex = '']) => fromHex(hex)));
  }
  return unreadable.length === 0 ? [] : withUsers(query, unreadable);
}

/**
 * Returns SQL statements that check whether the dump tool can read a view. The statements read the columns of the view
 * in the same way as the dump tool.
 */
function check(hex: string): string {
  return `SHOW FIELDS FROM ${mysqlIdentifier(fromHex(hex))};\nSELECT '${hex}', @@error_count;\n`;
}

/**
 * Returns the given views and all views that use one of them. If a dump omits a view, it must also omit the views that
 * use this view.
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
 * Returns an SQL query for the given views and the views that may use them. The query searches the text of the views,
 * so it can return additional views. Additional views cause no problems.
 */
function usersOf(names: readonly string[]): string {
  const conditions = names.flatMap((name) => [
    // Ignore the case of names, because the dump tool also ignores it.
    `LOWER(table_name) = LOWER(${mysqlLiteral(name)})`,
    `INSTR(view_definition, ${mysqlLiteral(mysqlIdentifier(name))}) > 0`,
  ]);
  return `SET SESSION sql_mode = '';
SELECT HEX(table_name), HEX(${viewStatement('CREATE')}), collation_connection
  FROM information_schema.views WHERE table_schema = DATABASE() AND (${conditions.join(' OR ')});
`;
}

/**
 * Creates the views that a dump does not contain. A view may need another view, so the function tries again for views
 * that failed.
 * @param run runs SQL as the database user of the app, which is the owner of the views
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
