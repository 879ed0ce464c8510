/**
 * Backup and restore of MongoDB. The MongoDB tools read a password only from a file. For a dump, this file is
 * `/dev/stdin`.
 */
import { ADMIN, type Login } from '../../databases/dialects/dialect.ts';
import { mongodbReaderLogin } from '../../databases/dialects/mongodb.ts';
import { between, UNCOUNTED } from './counts.ts';
import { MOST_COUNTING_MS, MOST_RESTORING_MS, onePiece, programOutput, run, ToolFailed } from './program.ts';
import type { DumpedDatabase, DumpTool } from './tool.ts';

/** Password file for a restore. The file is not `/dev/stdin`, because standard input contains the dump. */
const CONFIG = '/tmp/davit-restore.yaml';

export const mongodbTool: DumpTool = {
  isPacked: false,
  async dump(of) {
    const before = await mongodbTool.count(of);
    const login = mongodbReaderLogin(of.adminPassword);
    const command = ['mongodump', '--config=/dev/stdin', ...target(of, login), `--db=${of.database}`, '--archive'];
    const bytes = programOutput(of, { command }, { stdin: onePiece(config(login)) });
    return { head: {}, bytes, facts: async () => ({ counts: between(before, await mongodbTool.count(of)) }) };
  },

  async restore(into, dump) {
    await run(into, { command: ['install', '-m', '600', '/dev/stdin', CONFIG] }, onePiece(config(into.login)));
    try {
      // Use the name of the target database for the restore, because the original database may have another name.
      const renamed = ['--nsFrom=$database$.$collection$', `--nsTo=${into.database}.$collection$`];
      await run(
        into,
        { command: ['mongorestore', `--config=${CONFIG}`, ...target(into, into.login), '--archive', ...renamed] },
        dump,
        MOST_RESTORING_MS,
      );
    } finally {
      await run(into, { command: ['rm', '-f', CONFIG] });
    }
  },

  async empty(of) {
    await shell(of, administrator(of), 'd.dropDatabase();');
  },

  async count(of) {
    return JSON.parse(await shell(of, reader(of), `print(MARK + JSON.stringify(${COUNTS}));`)) as Record<
      string,
      number
    >;
  },
};

const MARK = 'davit-counts:';

/**
 * Script for `mongosh` that counts the documents of each collection. The script skips views, because a query on a view
 * would run code of an app with Davit's permissions. Each count has a time limit.
 */
const COUNTS = `Object.fromEntries(d.getCollectionInfos({}, { nameOnly: true, authorizedCollections: true })
  .filter(({ name }) => !name.startsWith('system.'))
  .map(({ name, type }) => [name, type === 'view' ? ${UNCOUNTED}
    : d.getCollection(name).countDocuments({}, { maxTimeMS: ${MOST_COUNTING_MS} })]))`;

interface User extends Login {
  /** Name of the MongoDB database in which the user is defined. */
  of: string;
}

const administrator = ({ adminPassword }: DumpedDatabase): User => ({
  username: ADMIN,
  password: adminPassword,
  of: 'admin',
});
const reader = ({ adminPassword, database }: DumpedDatabase): User => ({
  ...mongodbReaderLogin(adminPassword),
  of: database ?? '',
});

/**
 * Runs a script in `mongosh`.
 * @returns the text that the script prints after the string `MARK`
 */
async function shell(of: DumpedDatabase, user: User, lines: string): Promise<string> {
  const { database } = of;
  const uri = JSON.stringify(
    `mongodb://${user.username}:${encodeURIComponent(user.password)}@127.0.0.1/${encodeURIComponent(user.of)}`,
  );
  const begin = `const MARK = ${JSON.stringify(MARK)}; const d = connect(${uri}).getSiblingDB(${JSON.stringify(database)});`;
  // Check the last line of the output, because `mongosh` exits with code 0 even if the script fails.
  const script = `{ ${begin} ${lines} print(MARK + 'done'); }\n`;
  const answer = await run(
    of,
    { command: ['mongosh', '--quiet', '--norc', '--nodb'] },
    onePiece(script),
    MOST_COUNTING_MS,
  );
  const printed = answer.split('\n').flatMap((line) => (line.includes(MARK) ? [line.split(MARK)[1] ?? ''] : []));
  if (printed.at(-1) !== 'done') throw new ToolFailed('mongosh did not complete its script');
  return printed[0] ?? '';
}

function config({ password }: Login): string {
  return `password: ${JSON.stringify(password)}\n`;
}

function target({ database }: DumpedDatabase, { username }: Login): string[] {
  return [`--username=${username}`, `--authenticationDatabase=${database}`];
}
