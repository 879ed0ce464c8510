/** MongoDB, whose tools take a password from a file alone: of a dump that is what they read, of a restore it lies there. */
import { between } from './counts.ts';
import { oneText, run, ToolFailed, written } from './program.ts';
import type { DumpedDatabase, DumpTool } from './tool.ts';

const CONFIG = '/tmp/davit-restore.yaml';

export const mongodbTool: DumpTool = {
  async dump(of) {
    const before = await mongodbTool.count(of);
    const command = ['mongodump', '--config=/dev/stdin', ...target(of), '--archive'];
    const bytes = written(of, { command }, oneText(config(of)));
    return { bytes, counts: async () => between(before, await mongodbTool.count(of)) };
  },

  async restore(into, dump) {
    await run(into, { command: ['install', '-m', '600', '/dev/stdin', CONFIG] }, oneText(config(into)));
    try {
      const login = [`--username=${into.username}`, '--authenticationDatabase=admin'];
      // It may have had another name.
      const renamed = ['--nsFrom=$database$.*', `--nsTo=${into.database}.*`];
      await run(into, { command: ['mongorestore', `--config=${CONFIG}`, ...login, '--archive', ...renamed] }, dump);
    } finally {
      await run(into, { command: ['rm', '-f', CONFIG] });
    }
  },

  async count(of) {
    const answer = await run(of, { command: ['mongosh', '--quiet', '--norc', '--nodb'] }, oneText(script(of)));
    const line = answer.split('\n').find((one) => one.includes(MARK));
    if (line === undefined) throw new ToolFailed('mongosh did not count the documents');
    return JSON.parse(line.slice(line.indexOf(MARK) + MARK.length)) as Record<string, number>;
  },
};

const MARK = 'davit-counts:';

function script({ username, password, database }: DumpedDatabase): string {
  const uri = `mongodb://${encodeURIComponent(username)}:${encodeURIComponent(password)}@127.0.0.1/admin`;
  const count = `Object.fromEntries(d.getCollectionNames().map((n) => [n, d[n].countDocuments({})]))`;
  return `{ const d = connect(${JSON.stringify(uri)}).getSiblingDB(${JSON.stringify(database)}); print(${JSON.stringify(MARK)} + JSON.stringify(${count})); }\n`;
}

function config({ password }: DumpedDatabase): string {
  return `password: ${JSON.stringify(password)}\n`;
}

function target({ username, database }: DumpedDatabase): string[] {
  return [`--username=${username}`, '--authenticationDatabase=admin', `--db=${database}`];
}
