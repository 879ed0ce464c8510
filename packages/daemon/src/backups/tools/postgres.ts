/**
 * PostgreSQL. Its tools come over the socket inside the container, where no password is asked. A session holds a snapshot
 * while the dump is written, and counts the rows within it: so it is known to the row what a restore must have.
 */
import { parseCounts } from './counts.ts';
import { oneText, type Place, run, start, ToolFailed, written } from './program.ts';
import type { Dump, DumpedDatabase, DumpTool } from './tool.ts';

/** The database's own tables, partitions by themselves and not what they are parts of. */
const COUNT = `SELECT format('SELECT %L, count(*) FROM ONLY %I.%I', n.nspname || '.' || c.relname, n.nspname, c.relname)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 \\gexec
`;

const PSQL = ['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--field-separator=\t'];

export const postgresTool: DumpTool = {
  async dump(of) {
    const session = await openSnapshot(of);
    const args = ['--format=custom', '--compress=1', `--snapshot=${session.snapshot}`, ...target(of)];
    const bytes = written(of, { command: ['pg_dump', ...args], user: 'postgres' });
    return { bytes: closing(bytes, session), counts: () => session.counts } satisfies Dump;
  },

  async restore(into, dump) {
    const args = ['--single-transaction', '--no-owner', '--no-acl', ...target(into)];
    await run(into, { command: ['pg_restore', ...args], user: 'postgres' }, dump);
  },

  async count(of) {
    return parseCounts(await psql(of, COUNT));
  },
};

/** Runs statements, which come over stdin: what is in them is in no list of processes. */
export function psql(of: DumpedDatabase, statements: string): Promise<string> {
  const command = [...PSQL, '--set=ON_ERROR_STOP=1', ...target(of)];
  return run(of, { command, user: 'postgres' }, oneText(statements));
}

export function target({ username, database }: DumpedDatabase): string[] {
  return [`--username=${username}`, `--dbname=${database ?? username}`];
}

interface Snapshot {
  snapshot: string;
  /** Resolves when they are all counted. */
  counts: Promise<Record<string, number>>;
  /** Lets the session go; the dump has its own view by then. */
  close(): void;
}

/**
 * Opens a session, which holds the snapshot until it is closed. The rows are counted while the dump is written: both wait
 * for the disk, and neither for the other.
 */
async function openSnapshot(of: DumpedDatabase): Promise<Snapshot> {
  const closed = Promise.withResolvers<void>();
  async function* statements(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;\nSELECT pg_export_snapshot();\n');
    yield Buffer.from(`${COUNT}\\echo done\n`);
    await closed.promise;
    yield Buffer.from('COMMIT;\n');
  }
  const command = [...PSQL, '--set=ON_ERROR_STOP=1', ...target(of)];
  const session = await start(of, { command, user: 'postgres' }, statements());
  const lines = linesOf(session.stdout);
  const { value: snapshot } = await lines.next();
  if (snapshot === undefined) throw new ToolFailed(`psql: ${(await session.exited).stderrTail.trim()}`);
  const counts = readCounts(lines);
  // Whoever takes the dump and has no use for the counts is not told of them.
  counts.catch(() => undefined);
  return { snapshot, counts, close: closed.resolve };
}

async function readCounts(lines: AsyncIterator<string>): Promise<Record<string, number>> {
  const counted: string[] = [];
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done === true) throw new ToolFailed('psql ended before it had counted everything');
    if (line === 'done') return parseCounts(counted.join('\n'));
    counted.push(line);
  }
}

/** The session goes on while the counts are read, and ends with both. */
async function* closing(bytes: AsyncIterable<Buffer>, { counts, close }: Snapshot): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
    await counts;
  } finally {
    close();
  }
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  return undefined;
}

/** Removes files inside a container; those that are gone already are fine. */
export async function removeFiles(place: Place, ...paths: string[]): Promise<void> {
  await run(place, { command: ['rm', '-rf', '--', ...paths] });
}
