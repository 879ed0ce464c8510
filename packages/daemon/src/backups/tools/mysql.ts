/** MariaDB and MySQL, whose tools are the same under two names. */
import { CLIENT_FILE, identifier, literal } from '../../databases/dialects/mysql.ts';
import { parseCounts } from './counts.ts';
import { RowCounter } from './mysql-rows.ts';
import { oneText, run, ToolFailed, written } from './program.ts';
import type { DumpedDatabase, DumpHead, DumpTool } from './tool.ts';

interface Names {
  client: string;
  dump: string;
}

export const mariadbTool = toolOf({ client: 'mariadb', dump: 'mariadb-dump' });
export const mysqlTool = toolOf({ client: 'mysql', dump: 'mysqldump' });

/** The instance's own login, which stands in a file that the server's user alone reads. */
const LOGIN = `--defaults-extra-file=${CLIENT_FILE}`;

const DUMP = [
  ...['--single-transaction', '--quick', '--routines', '--events', '--triggers', '--hex-blob', '--no-tablespaces'],
  // A comment has the names of tables as they are: a line break in one would end it, and the rest would be a statement.
  '--skip-comments',
  '--default-character-set=utf8mb4',
  // What rows were before, where the server keeps that; programs that cannot tell leave it out.
  '--loose-dump-history',
];

/** Those whose rows are in a dump of their own. */
const OWN = `FROM information_schema.tables WHERE table_schema = DATABASE()
  AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND engine NOT IN ('MRG_MyISAM', 'FEDERATED')`;

const TABLES = `SELECT table_name, 0 ${OWN};\n`;

const COUNT = `SELECT CONCAT('SELECT ', QUOTE(table_name), ', COUNT(*) FROM \`', REPLACE(table_name, '\`', '\`\`'), '\`',
    IF(table_type = 'SYSTEM VERSIONED', ' FOR SYSTEM_TIME ALL', ''), ';')
  ${OWN} ORDER BY table_name;
`;

/** In whose name views, triggers and programs run: one that is not there makes them, and what they are on, useless. */
const DEFINERS = `SELECT definer, 0 FROM information_schema.views WHERE table_schema = DATABASE()
  UNION SELECT definer, 0 FROM information_schema.triggers WHERE trigger_schema = DATABASE()
  UNION SELECT definer, 0 FROM information_schema.routines WHERE routine_schema = DATABASE()
  UNION SELECT definer, 0 FROM information_schema.events WHERE event_schema = DATABASE();
`;

const COLLATION = `SELECT default_character_set_name, default_collation_name FROM information_schema.schemata
  WHERE schema_name = DATABASE();
`;

function toolOf({ client, dump }: Names): DumpTool {
  const ask = (of: DumpedDatabase, statements: string) => {
    const command = [client, LOGIN, '--skip-column-names', '--batch', '--raw', named(of)];
    return run(of, { command, user: 'mysql' }, oneText(statements));
  };
  const tables = async (of: DumpedDatabase) => Object.keys(parseCounts(await ask(of, TABLES)));
  return {
    isPacked: false,

    async dump(of) {
      const before = await tables(of);
      const definers = Object.keys(parseCounts(await ask(of, DEFINERS)));
      const collation = (await ask(of, COLLATION)).trim().split('\t') as [string, string];
      const head = { roles: Object.fromEntries(definers.map((name) => [name, []])), collation };
      const rows = new RowCounter();
      const bytes = rows.through(written(of, { command: [dump, LOGIN, ...DUMP, named(of)], user: 'mysql' }));
      const facts = async () => ({ ...head, counts: countsOf(rows, new Set(before), await tables(of)) });
      return { head, bytes, facts };
    },
    async restore(into, bytes, head = {}) {
      await ask(into, beginning(into, head));
      const command = [client, LOGIN, '--binary-mode', '--default-character-set=utf8mb4', named(into)];
      await run(into, { command, user: 'mysql' }, bytes);
    },
    async empty(of) {
      const name = identifier(named(of));
      await ask(of, `DROP DATABASE ${name};\nCREATE DATABASE ${name};\n`);
    },
    count: async (of) => parseCounts(await ask(of, await ask(of, COUNT))),
  };
}

/** Those of tables that were there all the time. @throws ToolFailed when one of them is not in the dump */
function countsOf({ counts }: RowCounter, before: ReadonlySet<string>, after: readonly string[]) {
  const stayed = after.filter((name) => before.has(name));
  const missing = stayed.find((name) => !counts.has(name));
  if (missing !== undefined) throw new ToolFailed(`the table «${missing}» is not in what the tool wrote`);
  return Object.fromEntries(stayed.map((name) => [name, counts.get(name) ?? 0]));
}

/** What the dump takes for granted. Nobody gets in with an account that is made here. */
function beginning(into: DumpedDatabase, { roles = {}, collation }: DumpHead): string {
  const database = identifier(named(into));
  const accounts = Object.keys(roles).filter((name) => name.includes('@'));
  const made = accounts.map((name) => {
    const at = name.lastIndexOf('@');
    const who = `${literal(name.slice(0, at))}@${literal(name.slice(at + 1))}`;
    return `CREATE USER IF NOT EXISTS ${who} ACCOUNT LOCK;\nGRANT ALL PRIVILEGES ON ${database.replaceAll('_', '\\_')}.* TO ${who};\n`;
  });
  const [charset = '', order = ''] = collation ?? [];
  const words = /^\w+ \w+$/.test(`${charset} ${order}`);
  const set = words ? `ALTER DATABASE ${database} CHARACTER SET ${charset} COLLATE ${order};\n` : '';
  return `${set}${made.join('')}`;
}

function named({ database }: DumpedDatabase): string {
  if (database === null) throw new ToolFailed('the database has no name');
  return database;
}
