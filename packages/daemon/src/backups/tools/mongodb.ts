/** MongoDB, whose tools take a password from a file alone: of a dump that is what they read, of a restore it lies there. */
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { between } from './counts.ts';
import { oneText, run, ToolFailed, written } from './program.ts';
import type { DumpedDatabase, DumpTool } from './tool.ts';

const CONFIG = '/tmp/davit-restore.yaml';

export const mongodbTool: DumpTool = {
  isPacked: false,
  async dump(of) {
    const before = await mongodbTool.count(of);
    const command = ['mongodump', '--config=/dev/stdin', ...target(of), '--archive'];
    const bytes = written(of, { command }, oneText(config(of)));
    return { head: {}, bytes, facts: async () => ({ counts: between(before, await mongodbTool.count(of)) }) };
  },

  async restore(into, dump) {
    await run(into, { command: ['install', '-m', '600', '/dev/stdin', CONFIG] }, oneText(config(into)));
    try {
      const login = [`--username=${ADMIN}`, '--authenticationDatabase=admin'];
      // It may have had another name.
      const renamed = ['--nsFrom=$database$.$collection$', `--nsTo=${into.database}.$collection$`];
      await run(into, { command: ['mongorestore', `--config=${CONFIG}`, ...login, '--archive', ...renamed] }, dump);
    } finally {
      await run(into, { command: ['rm', '-f', CONFIG] });
    }
  },

  async empty(of) {
    await shell(of, 'd.dropDatabase();');
  },

  async count(of) {
    const counts = 'Object.fromEntries(d.getCollectionNames().map((n) => [n, d[n].countDocuments({})]))';
    return JSON.parse(await shell(of, `print(MARK + JSON.stringify(${counts}));`)) as Record<string, number>;
  },
};

const MARK = 'davit-counts:';

/** @returns what the lines print behind `MARK`. */
async function shell(of: DumpedDatabase, lines: string): Promise<string> {
  const { adminPassword, database } = of;
  const uri = JSON.stringify(`mongodb://${ADMIN}:${encodeURIComponent(adminPassword)}@127.0.0.1/admin`);
  const begin = `const MARK = ${JSON.stringify(MARK)}; const d = connect(${uri}).getSiblingDB(${JSON.stringify(database)});`;
  // It ends well whatever went wrong in it: what it prints last is what counts.
  const script = `{ ${begin} ${lines} print(MARK + 'done'); }\n`;
  const answer = await run(of, { command: ['mongosh', '--quiet', '--norc', '--nodb'] }, oneText(script));
  const told = answer.split('\n').flatMap((line) => (line.includes(MARK) ? [line.split(MARK)[1] ?? ''] : []));
  if (told.at(-1) !== 'done') throw new ToolFailed('mongosh could not do what it was told');
  return told[0] ?? '';
}

function config({ adminPassword }: DumpedDatabase): string {
  return `password: ${JSON.stringify(adminPassword)}\n`;
}

function target({ database }: DumpedDatabase): string[] {
  return [`--username=${ADMIN}`, '--authenticationDatabase=admin', `--db=${database}`];
}
