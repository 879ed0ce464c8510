/**
 * MariaDB and MySQL, which have the same tools under different names. A read-only account reads dumps, and the login of
 * the app restores them: see `resources/databases/dialects/mysql.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { Login } from '../../databases/dialects/dialect.ts';
import { CLIENT_FILE, clientFile, mysqlReaderLogin } from '../../databases/dialects/mysql.ts';
import { mysqlIdentifier } from '../../databases/dialects/mysql-leftovers.ts';
import { parseCounts } from './counts.ts';
import { definedBy } from './mysql-definers.ts';
import { RowCounter } from './mysql-rows.ts';
import { MOST_COUNTING_MS, MOST_RESTORING_MS, oneText, programOutput, run, ToolFailed } from './program.ts';
import type { DumpedDatabase, DumpHead, DumpTool } from './tool.ts';

const USER = 'mysql';

interface Names {
  client: string;
  dump: string;
}

export const mariadbTool = toolOf({ client: 'mariadb', dump: 'mariadb-dump' });
export const mysqlTool = toolOf({ client: 'mysql', dump: 'mysqldump' });

/** Option that names the file with the credentials, which only the server's user can read. */
const as = (file: string) => `--defaults-extra-file=${file}`;

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

const TABLES = `SELECT table_name, 0 ${OWN};\nSHOW WARNINGS;\n`;

/** How long the reader waits for a table that an app holds. In seconds. */
const WAITING = 'SET SESSION lock_wait_timeout = 60;';

const COUNT = `SELECT CONCAT('SELECT ', QUOTE(table_name), ', COUNT(*) FROM \`', REPLACE(table_name, '\`', '\`\`'), '\`',
    IF(table_type = 'SYSTEM VERSIONED', ' FOR SYSTEM_TIME ALL', ''), ';')
  ${OWN} ORDER BY table_name;
`;

const COLLATION = `SELECT default_character_set_name, default_collation_name FROM information_schema.schemata
  WHERE schema_name = DATABASE();
`;

function toolOf({ client, dump }: Names): DumpTool {
  const ask = (of: DumpedDatabase, file: string, statements: string, database = named(of)) => {
    const command = [client, as(file), '--skip-column-names', '--batch', '--raw', database];
    return run(of, { command, user: USER }, oneText(`${WAITING}\n${statements}`), MOST_COUNTING_MS);
  };
  const tables = async (of: DumpedDatabase, file: string) => {
    const answer = await ask(of, file, TABLES);
    const [, held] = /^Warning\t(?:1205|1684)\t(.*)$/m.exec(answer) ?? [];
    if (held !== undefined) throw new ToolFailed(`a session of an app holds a table: ${held}`);
    return Object.keys(parseCounts(answer));
  };
  return {
    isPacked: false,

    async dump(of) {
      const reader = await loginFile(of, mysqlReaderLogin(of.adminPassword));
      const begun = async () => {
        const [before, said] = [await tables(of, reader.path), await ask(of, reader.path, COLLATION)];
        return { before, head: { collation: said.trim().split('\t') as [string, string] } };
      };
      const { before, head } = await begun().catch(async (error: unknown) => {
        await reader.remove();
        throw error;
      });
      const rows = new RowCounter();
      const program = { command: [dump, as(reader.path), ...DUMP, named(of)], user: USER };
      const bytes = rows.through(programOutput(of, program));
      const facts = async () => ({ ...head, counts: countsOf(rows, new Set(before), await tables(of, reader.path)) });
      return { head, bytes, facts, end: reader.remove };
    },
    async restore(into, bytes, head = {}) {
      await ask(into, CLIENT_FILE, collationSet(into, head), 'mysql');
      const login = await loginFile(into, into.login);
      try {
        const command = [client, as(login.path), ...READ_IN, '--default-character-set=utf8mb4', named(into)];
        await run(into, { command, user: USER }, definedBy(into.login.username, bytes), MOST_RESTORING_MS);
      } finally {
        await login.remove();
      }
    },
    async empty(of) {
      const name = mysqlIdentifier(named(of));
      await ask(of, CLIENT_FILE, `DROP DATABASE ${name};\nCREATE DATABASE ${name};\n`, 'mysql');
    },
    async count(of) {
      const reader = await loginFile(of, mysqlReaderLogin(of.adminPassword));
      try {
        return parseCounts(await ask(of, reader.path, await ask(of, reader.path, COUNT)));
      } finally {
        await reader.remove();
      }
    },
  };
}

/**
 * The client splits a dump into statements by rules of its own, so the text of a routine can become statements of the login.
 * They must reach nothing beyond the server: no commands of the client, and no files of the container.
 */
const READ_IN = ['--binary-mode', '--local-infile=0'];

/** Creates a file with credentials for one program. Other ways to pass a password are visible to all users. */
async function loginFile(of: DumpedDatabase, login: Login): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = `/tmp/davit-${randomBytes(8).toString('hex')}`;
  await run(of, { command: ['mkdir', '-m', '700', folder], user: USER });
  const path = `${folder}/client.cnf`;
  const remove = async () => {
    // Also where the work was called off.
    const signal = of.signal.aborted ? AbortSignal.timeout(10_000) : of.signal;
    await run({ ...of, signal }, { command: ['rm', '-rf', folder], user: USER });
  };
  await run(of, { command: ['dd', `of=${path}`, 'bs=65536'], user: USER }, oneText(clientFile(login)));
  return { path, remove };
}

/** Those of tables that were there all the time. @throws ToolFailed when one of them is not in the dump */
function countsOf({ counts }: RowCounter, before: ReadonlySet<string>, after: readonly string[]) {
  const stayed = after.filter((name) => before.has(name));
  const missing = stayed.find((name) => !counts.has(name));
  if (missing !== undefined) throw new ToolFailed(`the table «${missing}» is not in what the tool wrote`);
  return Object.fromEntries(stayed.map((name) => [name, counts.get(name) ?? 0]));
}

/** Statement that sets the default character set of a database, which dumps do not contain. */
function collationSet(into: DumpedDatabase, { collation }: DumpHead): string {
  const [charset = '', order = ''] = collation ?? [];
  const words = /^\w+ \w+$/.test(`${charset} ${order}`);
  return words ? `ALTER DATABASE ${mysqlIdentifier(named(into))} CHARACTER SET ${charset} COLLATE ${order};\n` : '';
}

function named({ database }: DumpedDatabase): string {
  if (database === null) throw new ToolFailed('the database has no name');
  return database;
}
