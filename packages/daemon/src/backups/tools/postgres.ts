/**
 * PostgreSQL. Its tools come over the socket inside the container, where no password is asked. A session holds a snapshot
 * while the dump is written, and counts the rows within it: so it is known to the row what a restore must have.
 */
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { identifier, literal } from '../../databases/dialects/postgres.ts';
import { parseCounts } from './counts.ts';
import { oneText, run, start, ToolFailed, written } from './program.ts';
import type { Dump, DumpedDatabase, DumpTool, Roles } from './tool.ts';

/** A line for each role and each role it is a member of. */
const ROLES = `SELECT r.rolname || E'\\t' || coalesce(g.rolname, '') FROM pg_roles r
  LEFT JOIN pg_auth_members m ON m.member = r.oid LEFT JOIN pg_roles g ON g.oid = m.roleid
  WHERE r.rolname NOT LIKE 'pg\\_%' AND r.rolname <> current_user ORDER BY 1;
`;

/** The database's own tables, partitions by themselves and not what they are parts of. */
const COUNT = `SELECT format('SELECT %L, count(*) FROM ONLY %I.%I', n.nspname || '.' || c.relname, n.nspname, c.relname)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 \\gexec
`;

/** The database that clients connect to before they know of another one. */
const BEGUN_WITH = 'postgres';

const BESIDES = `SELECT datname FROM pg_database
  WHERE NOT datistemplate AND datname NOT IN ('postgres', current_database()) ORDER BY 1;
`;

/** Ends a part of what a session tells. */
const MARK = 'davit-end-of-part';
/** A statement, since what is echoed may stay in psql until it ends. */
const END_OF_PART = `SELECT '${MARK}';\n`;

const PSQL = ['psql', '--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--field-separator=\t'];

/** It waits for no disk, and what a restore reads into new tables is in no log. */
const TRIAL = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off'];

export const postgresTool: DumpTool = {
  trial: TRIAL.flatMap((setting) => ['-c', setting]),

  async dump(of) {
    const besides = (await postgresTool.besides?.(of)) ?? [];
    const session = await openSnapshot(of);
    const args = ['--format=custom', '--compress=1', `--snapshot=${session.snapshot}`, ...target(of)];
    const bytes = written(of, { command: ['pg_dump', ...args], user: 'postgres' });
    const facts = async () => ({
      ...{ roles: session.roles, counts: await session.counts },
      ...(besides.length > 0 && { besides }),
    });
    return { roles: session.roles, bytes: closing(bytes, session), facts } satisfies Dump;
  },

  async restore(into, dump, roles = {}) {
    await psql(into, rolesMade(roles));
    const args = ['--single-transaction', ...target(into)];
    await run(into, { command: ['pg_restore', ...args], user: 'postgres' }, dump);
  },

  async empty(of) {
    const name = identifier(of.database ?? '');
    // One that is there whatever the database is called; that which everybody begins with is made again at once.
    const again = of.database === BEGUN_WITH ? `CREATE DATABASE ${name};\n` : '';
    await psql({ ...of, database: 'template1' }, `DROP DATABASE IF EXISTS ${name} WITH (FORCE);\n${again}`);
  },

  async count(of) {
    return parseCounts(await psql(of, COUNT));
  },

  async besides(of) {
    return (await psql(of, BESIDES)).split('\n').filter((name) => name !== '');
  },
};

/** Runs statements, which come over stdin: what is in them is in no list of processes. */
export function psql(of: DumpedDatabase, statements: string): Promise<string> {
  const command = [...PSQL, '--set=ON_ERROR_STOP=1', ...target(of)];
  return run(of, { command, user: 'postgres' }, oneText(statements));
}

function target({ database, socket }: DumpedDatabase): string[] {
  const other = socket === undefined ? [] : [`--host=${socket.folder}`, `--port=${socket.port}`];
  return [...other, `--username=${ADMIN}`, `--dbname=${database ?? 'postgres'}`];
}

interface Snapshot {
  snapshot: string;
  roles: Roles;
  /** Resolves when everything is counted. */
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
    yield Buffer.from(`${ROLES}${END_OF_PART}${COUNT}${END_OF_PART}`);
    await closed.promise;
    yield Buffer.from('COMMIT;\n');
  }
  const command = [...PSQL, '--set=ON_ERROR_STOP=1', ...target(of)];
  const session = await start(of, { command, user: 'postgres' }, statements());
  const lines = linesOf(session.stdout);
  const { value: snapshot } = await lines.next();
  if (snapshot === undefined) throw new ToolFailed(`psql: ${(await session.exited).stderrTail.trim()}`);
  const roles = parseRoles(await untilMark(lines));
  const counts = untilMark(lines).then((counted) => parseCounts(counted.join('\n')));
  // Whoever takes the dump waits for them behind its last byte, and they may break before.
  counts.catch(() => undefined);
  return { snapshot, roles, counts, close: closed.resolve };
}

function parseRoles(lines: readonly string[]): Roles {
  const roles: Roles = {};
  for (const line of lines) {
    const [name = '', group = ''] = line.split('\t');
    roles[name] = [...(roles[name] ?? []), ...(group === '' ? [] : [group])];
  }
  return roles;
}

async function untilMark(lines: AsyncIterator<string>): Promise<string[]> {
  const taken: string[] = [];
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done === true) throw new ToolFailed('psql ended before it had counted everything');
    if (line === MARK) return taken;
    taken.push(line);
  }
}

/** Roles are the server's and not the database's, so that no dump has them. None of these can log in. */
function rolesMade(roles: Roles): string {
  const names = Object.keys(roles);
  const made = names.map((name) => {
    const word = literal(name);
    return `SELECT format('CREATE ROLE %I NOLOGIN', ${word}) WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${word}) \\gexec\n`;
  });
  const granted = names.flatMap((name) =>
    (roles[name] ?? []).map((group) => {
      const [a, b] = [literal(group), literal(name)];
      return `SELECT format('GRANT %I TO %I', ${a}, ${b}) WHERE EXISTS (SELECT 1 FROM pg_roles WHERE rolname = ${a}) \\gexec\n`;
    }),
  );
  return [...made, ...granted].join('');
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
