/** MariaDB and MySQL, whose tools are the same under two names. */
import { between, parseCounts } from './counts.ts';
import { oneText, run, ToolFailed, written } from './program.ts';
import type { DumpedDatabase, DumpTool } from './tool.ts';

interface Names {
  client: string;
  dump: string;
}

export const mariadbTool = toolOf({ client: 'mariadb', dump: 'mariadb-dump' });
export const mysqlTool = toolOf({ client: 'mysql', dump: 'mysqldump' });

const DUMP = [
  ...['--single-transaction', '--quick', '--routines', '--events', '--triggers', '--hex-blob', '--no-tablespaces'],
  '--default-character-set=utf8mb4',
];

const TABLES = `SELECT CONCAT('SELECT ', QUOTE(table_name), ', COUNT(*) FROM \`', REPLACE(table_name, '\`', '\`\`'), '\`;')
  FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY table_name;
`;

function toolOf({ client, dump }: Names): DumpTool {
  const ask = (of: DumpedDatabase, statements: string) =>
    run(
      of,
      { command: [client, ...login(of), '--skip-column-names', '--batch', '--raw', named(of)], env: secret(of) },
      oneText(statements),
    );
  const count = async (of: DumpedDatabase) => parseCounts(await ask(of, await ask(of, TABLES)));
  return {
    async dump(of) {
      const before = await count(of);
      const bytes = written(of, { command: [dump, ...login(of), ...DUMP, named(of)], env: secret(of) });
      return { bytes, counts: async () => between(before, await count(of)) };
    },
    async restore(into, bytes) {
      const command = [client, ...login(into), '--binary-mode', '--default-character-set=utf8mb4', named(into)];
      await run(into, { command, env: secret(into) }, bytes);
    },
    count,
  };
}

function login({ username }: DumpedDatabase): string[] {
  return [`--user=${username}`];
}

/** Over the socket too there is a password; it is among no arguments. */
function secret({ password }: DumpedDatabase): Record<string, string> {
  return { MYSQL_PWD: password };
}

function named({ database }: DumpedDatabase): string {
  if (database === null) throw new ToolFailed('the database has no name');
  return database;
}
