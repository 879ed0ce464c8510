/**
 * Redis. A dump is its own file of everything, as a replica gets it. It is read in again the same way: a second server
 * inside the container, which nobody but it reaches, has the file, and the first one copies it as its replica. So the
 * first one writes it down as it is set up to, whatever that is.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { between } from './counts.ts';
import { run, start, ToolFailed, written } from './program.ts';
import type { DumpedDatabase, DumpTool } from './tool.ts';

const FOLDER = '/data/.davit-restore';
const PORT = 6_399;
const LOOK_AGAIN_MS = 50;

export const redisTool: DumpTool = {
  async dump(of) {
    const before = await redisTool.count(of);
    const bytes = written(of, { command: ['redis-cli', '--no-auth-warning', '--rdb', '-'], env: login(of) });
    return { bytes, counts: async () => between(before, await redisTool.count(of)) };
  },

  async restore(into, dump) {
    const stop = new AbortController();
    await run(into, { command: ['mkdir', '-p', FOLDER], user: 'redis' });
    try {
      await run(into, { command: ['dd', `of=${FOLDER}/dump.rdb`, 'bs=65536'], user: 'redis' }, dump);
      const source = await start({ ...into, signal: AbortSignal.any([into.signal, stop.signal]) }, SOURCE);
      const ended = source.exited.then(
        ({ stderrTail }) => new ToolFailed(`redis-server could not read the dump: ${stderrTail.trim()}`),
        (error: Error) => error,
      );
      drain(source.stdout);
      await copied(into, ended);
    } finally {
      stop.abort(new Error('it was copied'));
      await run(into, { command: ['rm', '-rf', '--', FOLDER] });
    }
  },

  async count(of) {
    const text = await cli(of, ['INFO', 'keyspace']);
    const spaces = [...text.matchAll(/^(db\d+):keys=(\d+),expires=(\d+)/gm)];
    // Keys that end by themselves may have done so by the time they are counted again.
    return Object.fromEntries(spaces.map(([, name = '', keys, expires]) => [name, Number(keys) - Number(expires)]));
  },
};

const SOURCE = {
  command: [
    ...['redis-server', '--port', String(PORT), '--bind', '127.0.0.1', '--dir', FOLDER, '--dbfilename', 'dump.rdb'],
    ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
  ],
  user: 'redis',
};

/** Waits until the first server has all that the second one has, and is its own master again. */
async function copied(into: DumpedDatabase, ended: Promise<Error>): Promise<void> {
  await waitFor(into, ended, async () => (await source(into, ['PING'])).includes('PONG'));
  await cli(into, ['REPLICAOF', '127.0.0.1', String(PORT)]);
  try {
    await waitFor(into, ended, async () => {
      const told = await cli(into, ['INFO', 'replication']);
      return told.includes('master_link_status:up') && told.includes('master_sync_in_progress:0');
    });
  } finally {
    await cli({ ...into, signal: AbortSignal.timeout(10_000) }, ['REPLICAOF', 'NO', 'ONE']);
  }
}

async function waitFor({ signal }: DumpedDatabase, ended: Promise<Error>, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    const error = await Promise.race([ended, sleep(LOOK_AGAIN_MS, undefined, { signal })]);
    if (error !== undefined) throw error;
  }
}

/** Asks the second server; while it reads its file in, or is not there yet, the answer is nothing. */
async function source(of: DumpedDatabase, command: string[]): Promise<string> {
  return run(of, { command: ['redis-cli', '-p', String(PORT), ...command] }).catch((error: unknown) => {
    if (error instanceof ToolFailed) return '';
    throw error;
  });
}

export function cli(of: DumpedDatabase, command: string[]): Promise<string> {
  return run(of, { command: ['redis-cli', '--no-auth-warning', ...command], env: login(of) });
}

/** The only way that the program takes a password without showing it among its arguments. */
function login({ password }: DumpedDatabase): Record<string, string> {
  return { REDISCLI_AUTH: password };
}

function drain(stdout: AsyncIterable<unknown>): void {
  Array.fromAsync(stdout, () => null).catch(() => undefined);
}
