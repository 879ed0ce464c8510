/**
 * Backup and restore of Redis. A dump is an RDB file. For a restore, a second Redis server loads this file. The first
 * Redis server then copies the data from the second server.
 */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '@davit/api';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { MOST_COUNTING_MS, onePiece, programOutput, run, startProgram, ToolFailed } from './program.ts';
import { hasBegunSaving, isLetIn, type RedisRefusal, refusalIn } from './redis-answers.ts';
import type { DumpedDatabase, DumpTool } from './tool.ts';

const USER = 'redis';
const FOLDER = '/data/.davit-restore';
const PORT = 6_399;
const LOOK_AGAIN_MS = 50;

export const redisTool: DumpTool = {
  isPacked: true,
  async dump(of) {
    await saved(of);
    let counts: Record<string, number> = {};
    async function* bytes(): AsyncGenerator<Buffer> {
      const file = await held(of);
      try {
        counts = await countIn(of, file);
        yield* programOutput(of, { command: ['cat', file], user: USER });
      } finally {
        await run(afterAbort(of), { command: ['rm', '-f', file], user: USER });
      }
    }
    return { head: {}, bytes: bytes(), facts: async () => ({ counts }) };
  },

  async restore(into, dump) {
    const stop = new AbortController();
    await run(into, { command: ['mkdir', '-p', FOLDER], user: USER });
    try {
      await run(into, { command: ['dd', `of=${FOLDER}/dump.rdb`, 'bs=65536'], user: USER }, dump);
      const source = await startProgram({ ...into, signal: AbortSignal.any([into.signal, stop.signal]) }, SOURCE);
      const ended = source.exited.then(
        () => new ToolFailed('redis-server could not load the dump'),
        (error: Error) => error,
      );
      Array.fromAsync(source.stdout, () => null).catch(() => undefined);
      await copied(into, ended);
    } finally {
      stop.abort(new Error('the data was copied'));
      await run(afterAbort(into), { command: ['rm', '-rf', FOLDER], user: USER });
    }
  },

  async empty(of) {
    await commands(of, ['FLUSHALL']);
  },

  async count(of) {
    const spaces = [...(await commands(of, ['INFO keyspace'])).matchAll(/^(db\d+):keys=(\d+),expires=(\d+)/gm)];
    // Count only Redis keys that do not expire, because other keys may disappear before the next count.
    const lasting = spaces.map(([, name = '', keys, expires]) => [name, Number(keys) - Number(expires)] as const);
    return { ...Object.fromEntries(lasting), [ALL]: lasting.reduce((sum, [, count]) => sum + count, 0) };
  },
};

/**
 * Second Redis server in the container, which loads the dump of a restore. Programs outside the container cannot
 * connect to this server.
 */
const SOURCE = {
  command: [
    ...['redis-server', '--port', String(PORT), '--bind', '127.0.0.1', '--dir', FOLDER, '--dbfilename', 'dump.rdb'],
    ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
  ],
  user: USER,
};

/**
 * Time limit in milliseconds for saving Redis data. The limit includes the time until an earlier save ends. During this
 * time, other tasks of the database must wait.
 */
const MOST_SAVING_MS = 60 * 60_000;

/**
 * Saves all current data of a Redis server to its RDB file. If another save is running, the function first waits for
 * its end.
 * @throws ToolFailed if the save fails or exceeds the time limit
 */
export async function saved(of: DumpedDatabase, limitMs = MOST_SAVING_MS): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  const limited = { ...of, signal: AbortSignal.any([of.signal, limit]) };
  try {
    // Do not use `BGSAVE SCHEDULE`. It can cause two saves, and Davit could not detect which of them has ended.
    await waitFor(limited, null, () => begun(limited));
    await waitFor(limited, null, () => hasSaved(limited));
  } catch (error) {
    if (of.signal.aborted || !limit.aborted) throw error;
    throw new ToolFailed(`redis did not save its data within ${count(limitMs / 60_000, 'minute')}`, { cause: error });
  }
}

async function hasSaved(of: DumpedDatabase): Promise<boolean> {
  const told = await commands(of, ['INFO persistence']);
  if (told.includes('rdb_bgsave_in_progress:1')) return false;
  if (!told.includes('rdb_last_bgsave_status:ok')) throw new ToolFailed('redis could not save its data to disk');
  return true;
}

/**
 * Name under which Davit stores the number of Redis keys that do not expire. Keys with an expiry time are not counted,
 * because they can disappear at any time.
 */
const ALL = 'keys';

const FILE = '/data/dump.rdb';
/**
 * Pattern for the names of hard links to Redis data files. Each dump creates one link. The name contains the creation
 * time, so that Davit can find old links after a crash.
 */
const HELD = /^\.davit-dump-(\d+)-[0-9a-f]+\.rdb$/;
const LONGEST_DUMP_MS = 86_400_000;

/**
 * Creates a hard link to the current RDB file, because Redis replaces the file at each save. Also removes links that
 * are older than one day.
 * @returns path of the link
 */
async function held(of: DumpedDatabase): Promise<string> {
  const listed = (await run(of, { command: ['ls', '-1a', '/data'], user: USER })).split('\n');
  const old = listed.filter((name) => Number(HELD.exec(name)?.[1] ?? Number.NaN) < Date.now() - LONGEST_DUMP_MS);
  if (old.length > 0) await run(of, { command: ['rm', '-f', ...old.map((name) => `/data/${name}`)], user: USER });
  const file = `/data/.davit-dump-${Date.now()}-${randomBytes(4).toString('hex')}.rdb`;
  await run(of, { command: ['ln', FILE, file], user: USER });
  return file;
}

/**
 * Counts the keys in an RDB file. The Redis server cannot be used for this, because its keys may change after the file
 * was saved.
 */
async function countIn(of: DumpedDatabase, file: string): Promise<Record<string, number>> {
  const report = await run(of, { command: ['redis-check-rdb', file], user: USER }, undefined, MOST_COUNTING_MS);
  const [, keys] = /^\[info\] (\d+) keys read/m.exec(report) ?? [];
  const [, expires] = /^\[info\] (\d+) expires/m.exec(report) ?? [];
  if (keys === undefined || expires === undefined)
    throw new ToolFailed('redis-check-rdb did not report the number of keys');
  return { [ALL]: Number(keys) - Number(expires) };
}

/** Error response of the Redis server. */
class RedisRefused extends ToolFailed {
  readonly code: RedisRefusal;

  constructor(code: RedisRefusal, words: string) {
    super(`redis: ${words}`);
    this.code = code;
  }
}

async function begun(of: DumpedDatabase): Promise<boolean> {
  await undelayed(of);
  try {
    return hasBegunSaving(await commands(of, ['BGSAVE']));
  } catch (error) {
    if (error instanceof RedisRefused && error.code === 'saving') return false;
    throw error;
  }
}

/**
 * Sets the Redis setting `rdb-key-save-delay` to 0. This setting is a pause after each saved key. If an app has set a
 * very long pause, a save never ends.
 */
async function undelayed(of: DumpedDatabase): Promise<void> {
  try {
    await commands(of, ['CONFIG SET rdb-key-save-delay 0']);
  } catch (error) {
    // Ignore the error, because some Redis servers do not have the setting `rdb-key-save-delay`.
    if (!(error instanceof RedisRefused)) throw error;
  }
}

/**
 * Waits until the Redis server of the database has copied all data from the temporary Redis server. Then ends the
 * replication.
 */
async function copied(into: DumpedDatabase, ended: Promise<Error>): Promise<void> {
  await waitFor(into, ended, async () => (await ofSource(into, 'PING')).includes('PONG'));
  await commands(into, [`REPLICAOF 127.0.0.1 ${PORT}`]);
  try {
    await waitFor(into, ended, async () => {
      const told = await commands(into, ['INFO replication']);
      return told.includes('master_link_status:up') && told.includes('master_sync_in_progress:0');
    });
  } finally {
    await commands(afterAbort(into), ['REPLICAOF NO ONE']);
  }
}

type Ended = Promise<Error> | null;

async function waitFor({ signal }: DumpedDatabase, ended: Ended, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    const error = await Promise.race([...(ended === null ? [] : [ended]), sleep(LOOK_AGAIN_MS, undefined, { signal })]);
    if (error !== undefined) throw error;
  }
}

/**
 * Runs a command on the temporary Redis server of a restore. While this server starts or loads the file, returns an
 * empty string.
 */
async function ofSource(of: DumpedDatabase, command: string): Promise<string> {
  return run(of, { command: ['redis-cli', '-p', String(PORT), command], user: USER }).catch((error: unknown) => {
    if (error instanceof ToolFailed) return '';
    throw error;
  });
}

/**
 * Runs `redis-cli` commands as Davit's own Redis user. `redis-cli` reads the password from the first line of standard
 * input.
 */
async function commands(of: DumpedDatabase, lines: readonly string[]): Promise<string> {
  const said = [`AUTH ${ADMIN} ${of.adminPassword}`, ...lines].join('\n');
  const answer = await run(of, { command: ['redis-cli', '--no-auth-warning'], user: USER }, onePiece(`${said}\n`));
  if (!isLetIn(answer)) throw new ToolFailed('redis does not accept the password of Davit’s login');
  const refusal = refusalIn(answer);
  if (refusal !== null) throw new RedisRefused(refusal.code, refusal.words);
  return answer;
}

/**
 * Returns connection data for cleanup commands. If the original signal is aborted, it would stop these commands. So the
 * data contains a new signal.
 */
function afterAbort(of: DumpedDatabase): DumpedDatabase {
  return of.signal.aborted ? { ...of, signal: AbortSignal.timeout(10_000) } : of;
}
