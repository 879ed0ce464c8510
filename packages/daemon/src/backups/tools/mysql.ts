/** MariaDB and MySQL, whose tools are the same under two names. */
import { CLIENT_FILE } from '../../databases/dialects/mysql.ts';
import { between, parseCounts } from './counts.ts';
import { oneText, run, ToolFailed, written } from './program.ts';
import type { DumpedDatabase, DumpTool } from './tool.ts';

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
];

const TABLES = `SELECT CONCAT('SELECT ', QUOTE(table_name), ', COUNT(*) FROM \`', REPLACE(table_name, '\`', '\`\`'), '\`;')
  FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY table_name;
`;

function toolOf({ client, dump }: Names): DumpTool {
  const ask = (of: DumpedDatabase, statements: string) => {
    const command = [client, LOGIN, '--skip-column-names', '--batch', '--raw', named(of)];
    return run(of, { command, user: 'mysql' }, oneText(statements));
  };
  const count = async (of: DumpedDatabase) => parseCounts(await ask(of, await ask(of, TABLES)));
  return {
    async dump(of) {
      const before = await count(of);
      const bytes = written(of, { command: [dump, LOGIN, ...DUMP, named(of)], user: 'mysql' });
      return { head: {}, bytes, facts: async () => ({ counts: between(before, await count(of)) }) };
    },
    async restore(into, bytes) {
      const command = [client, LOGIN, '--binary-mode', '--default-character-set=utf8mb4', named(into)];
      await run(into, { command, user: 'mysql' }, bytes);
    },
    async empty(of) {
      const name = `\`${named(of).replaceAll('`', '``')}\``;
      await ask(of, `DROP DATABASE ${name};\nCREATE DATABASE ${name};\n`);
    },
    count,
  };
}

function named({ database }: DumpedDatabase): string {
  if (database === null) throw new ToolFailed('the database has no name');
  return database;
}
