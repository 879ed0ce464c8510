/**
 * Backup and restore of MySQL and MariaDB. Davit does not use the user `root`. Otherwise, code in the views and
 * routines of an app would run as `root`.
 */
import type { Login } from '../../databases/dialects/dialect.ts';
import { CLIENT_ENV, CLIENT_FILE, clientFile, mysqlReaderLogin } from '../../databases/dialects/mysql.ts';
import { mysqlIdentifier } from '../../databases/dialects/mysql-text.ts';
import { parseCounts } from './counts.ts';
import { definedBy } from './mysql-definers.ts';
import { LARGEST_PACKET, RowCounter } from './mysql-rows.ts';
import { createViews, leftOutViews } from './mysql-views.ts';
import { MOST_COUNTING_MS, MOST_RESTORING_MS, onePiece, programOutput, run, ToolFailed } from './program.ts';
import { type TemporaryFile, temporaryFile } from './temporary-file.ts';
import type { DumpedDatabase, DumpHead, DumpTool } from './tool.ts';

const USER = 'mysql';
const AS_USER = { user: USER, env: CLIENT_ENV };

interface Names {
  client: string;
  dump: string;
}

export const mariadbTool = toolOf({ client: 'mariadb', dump: 'mariadb-dump' });
export const mysqlTool = toolOf({ client: 'mysql', dump: 'mysqldump' });

/**
 * Option that passes a file with user name and password to the MySQL tools. In the container, only the user that runs
 * the tool can read the file.
 */
const as = (file: string) => `--defaults-extra-file=${file}`;

/**
 * Options of the MySQL client for statements about the whole server. The client connects to the system database
 * `mysql`.
 */
const SERVER = { database: 'mysql' };

const UTF8 = '--default-character-set=utf8mb4';

const DUMP = [
  ...['--single-transaction', '--quick', '--routines', '--events', '--triggers', '--hex-blob', '--no-tablespaces'],
  /*
   * Omit comments from the dump. A comment contains the name of a table without escaping, so a line break in the name
   * could inject SQL.
   */
  '--skip-comments',
  UTF8,
  /*
   * Include old row versions of system-versioned tables. Older tools ignore this option, because its name starts with
   * `loose`.
   */
  '--loose-dump-history',
  `--max-allowed-packet=${LARGEST_PACKET}`,
];

/**
 * Tables whose rows are part of a dump. Tables of the engines `MRG_MyISAM` and `FEDERATED` are omitted, because their
 * rows are stored in other tables.
 */
const OWN = `FROM information_schema.tables WHERE table_schema = DATABASE()
  AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND engine NOT IN ('MRG_MyISAM', 'FEDERATED')`;

const TABLES = `SELECT table_name, 0 ${OWN};\nSHOW WARNINGS;\n`;

/** The client waits at most 60 seconds for a lock on a table, because an app may lock the table forever. */
const WAITING = 'SET SESSION lock_wait_timeout = 60;';

const COUNT = `SELECT CONCAT('SELECT ', QUOTE(table_name), ', COUNT(*) FROM \`', REPLACE(table_name, '\`', '\`\`'), '\`',
    IF(table_type = 'SYSTEM VERSIONED', ' FOR SYSTEM_TIME ALL', ''), ';')
  ${OWN} ORDER BY table_name;
`;

const COLLATION = `SELECT default_character_set_name, default_collation_name FROM information_schema.schemata
  WHERE schema_name = DATABASE();
`;

function toolOf({ client, dump }: Names): DumpTool {
  const query = (
    of: DumpedDatabase,
    file: string,
    statements: string,
    { database = named(of), options = [] }: { database?: string; options?: readonly string[] } = {},
  ) => {
    const command = [client, as(file), '--skip-column-names', '--batch', '--raw', UTF8, ...options, database];
    return run(of, { command, ...AS_USER }, onePiece(`${WAITING}\n${statements}`), MOST_COUNTING_MS);
  };
  const tables = async (of: DumpedDatabase, file: string) => {
    const answer = await query(of, file, TABLES);
    const [, held] = /^Warning\t(?:1205|1684)\t(.*)$/m.exec(answer) ?? [];
    if (held !== undefined) throw new ToolFailed(`a session of an app locks a table: ${held}`);
    return Object.keys(parseCounts(answer));
  };
  return {
    isPacked: false,

    async dump(of) {
      const reader = await loginFile(of, mysqlReaderLogin(of.adminPassword));
      const begun = async () => {
        const [before, said] = [await tables(of, reader.path), await query(of, reader.path, COLLATION)];
        const views = await leftOutViews((text, options = []) => query(of, reader.path, text, { options }));
        const collation = said.trim().split('\t') as [string, string];
        return { before, head: { collation, ...(views.length > 0 && { views }) } };
      };
      const { before, head } = await begun().catch(async (error: unknown) => {
        await reader.remove();
        throw error;
      });
      const rows = new RowCounter();
      const without = (head.views ?? []).map(({ name }) => `--ignore-table=${named(of)}.${name}`);
      const program = { command: [dump, as(reader.path), ...DUMP, ...without, named(of)], ...AS_USER };
      const bytes = rows.through(programOutput(of, program));
      const facts = async () => ({ ...head, counts: countsOf(rows, new Set(before), await tables(of, reader.path)) });
      return { head, bytes, facts, end: reader.remove };
    },
    async restore(into, bytes, head = {}, warn = () => undefined) {
      await query(into, CLIENT_FILE, `${packetSet(LARGEST_PACKET)}${collationSet(into, head)}`, SERVER);
      const login = await loginFile(into, into.login);
      try {
        const command = [client, as(login.path), ...READ_IN, UTF8, named(into)];
        const read = (text: AsyncIterable<Uint8Array>) => run(into, { command, ...AS_USER }, text, MOST_RESTORING_MS);
        await read(definedBy(into.login.username, bytes));
        await createViews(head.views ?? [], (text) => read(onePiece(text)), warn);
      } finally {
        await login.remove();
      }
      await query(into, CLIENT_FILE, packetSet('DEFAULT'), SERVER);
    },
    async empty(of) {
      const name = mysqlIdentifier(named(of));
      await query(of, CLIENT_FILE, `DROP DATABASE ${name};\nCREATE DATABASE ${name};\n`, SERVER);
    },
    async count(of) {
      const reader = await loginFile(of, mysqlReaderLogin(of.adminPassword));
      try {
        return parseCounts(await query(of, reader.path, await query(of, reader.path, COUNT)));
      } finally {
        await reader.remove();
      }
    },
  };
}

/**
 * Options of the MySQL client for a restore. The options disable client commands and file access. Otherwise, the client
 * could run a part of a stored routine as a client command.
 */
const READ_IN = ['--binary-mode', '--local-infile=0', `--max-allowed-packet=${LARGEST_PACKET}`];

/**
 * Creates a file with credentials for one program. A password in an argument or environment variable would be visible
 * to all users of the container.
 */
function loginFile(of: DumpedDatabase, login: Login): Promise<TemporaryFile> {
  return temporaryFile(of, USER, clientFile(login));
}

/**
 * Returns the row counts of all tables that existed during the whole dump.
 * @throws ToolFailed if one of the tables is not in the dump
 */
function countsOf({ counts }: RowCounter, before: ReadonlySet<string>, after: readonly string[]) {
  const stayed = after.filter((name) => before.has(name));
  const missing = stayed.find((name) => !counts.has(name));
  if (missing !== undefined) throw new ToolFailed(`the dump does not contain the table “${missing}”`);
  return Object.fromEntries(stayed.map((name) => [name, counts.get(name) ?? 0]));
}

/**
 * Returns the SQL statement that sets the maximum length of a statement. A restore needs a higher maximum, because some
 * values are twice as long in a dump.
 */
function packetSet(bytes: number | 'DEFAULT'): string {
  return `SET GLOBAL max_allowed_packet = ${bytes};\n`;
}

/**
 * Returns the SQL statement that sets the default character set and collation of a database. Dumps do not contain these
 * settings.
 */
function collationSet(into: DumpedDatabase, { collation }: DumpHead): string {
  const [charset = '', order = ''] = collation ?? [];
  const words = /^\w+ \w+$/.test(`${charset} ${order}`);
  return words ? `ALTER DATABASE ${mysqlIdentifier(named(into))} CHARACTER SET ${charset} COLLATE ${order};\n` : '';
}

function named({ database }: DumpedDatabase): string {
  if (database === null) throw new ToolFailed('the database has no name');
  return database;
}
