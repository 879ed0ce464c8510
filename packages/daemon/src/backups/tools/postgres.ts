/** PostgreSQL, written out and read in by its own tools. */
import { identifier, literal } from '../../databases/dialects/postgres.ts';
import { psql, target } from './postgres-client.ts';
import { countRows, openSnapshot, type Snapshot } from './postgres-snapshot.ts';
import { run, written } from './program.ts';
import type { DumpHead, DumpTool, Roles } from './tool.ts';

/** The database that clients connect to before they know of another one. */
const BEGUN_WITH = 'postgres';

const BESIDES = `SELECT datname FROM pg_database
  WHERE NOT datistemplate AND datname NOT IN ('postgres', current_database()) ORDER BY 1;
`;

/** It waits for no disk, and what a restore reads into new tables is in no log. */
const TRIAL = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off'];

/** Thousands of small transactions wait for no disk each; the last one does, for all of them. */
const MANY = {
  options: ['--exit-on-error'],
  env: { PGOPTIONS: '-c synchronous_commit=off' },
  last: 'SELECT txid_current();\n',
};
const ONE = { options: ['--single-transaction'], env: {}, last: '' };

const LEAST_SORTING_KIB = 4 * 1024;
const MOST_SORTING_KIB = 256 * 1024;

export const postgresTool: DumpTool = {
  isPacked: true,
  trial: (memoryBytes) => ({
    args: [...TRIAL, `maintenance_work_mem=${sortingKib(memoryBytes)}kB`].flatMap((setting) => ['-c', setting]),
    env: { POSTGRES_INITDB_ARGS: '--no-sync' },
  }),

  async dump(of) {
    const [besides = [], session] = await Promise.all([postgresTool.besides?.(of), openSnapshot(of)]);
    const { head } = session;
    const args = ['--format=custom', '--compress=1', `--snapshot=${session.id}`, ...target(of)];
    const bytes = written(of, { command: ['pg_dump', ...args], user: 'postgres' });
    const facts = async () => ({
      ...{ ...head, counts: await session.counts },
      ...(besides.length > 0 && { besides }),
    });
    return { head, bytes: closing(bytes, session), facts };
  },

  async restore(into, dump, head = {}) {
    await psql(into, rolesMade(head.roles ?? {}));
    const { options, env, last } = head.isMany ? MANY : ONE;
    await run(into, { command: ['pg_restore', ...options, ...target(into)], env, user: 'postgres' }, dump);
    const after = `${propertiesSet(into.database ?? BEGUN_WITH, head)}${last}`;
    // A program in the container has its price, also one that has nothing to do.
    if (after !== '') await psql(into, after);
  },

  async empty(of) {
    const name = identifier(of.database ?? '');
    // One that is there whatever the database is called; that which everybody begins with is made again at once.
    const again = of.database === BEGUN_WITH ? `CREATE DATABASE ${name};\n` : '';
    await psql({ ...of, database: 'template1' }, `DROP DATABASE IF EXISTS ${name} WITH (FORCE);\n${again}`);
  },

  count: countRows,

  async besides(of) {
    return (await psql(of, BESIDES)).split('\n').filter((name) => name !== '');
  },
};

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

/**
 * What is the database's as a whole, which a restore into one that is there leaves out. Settings are written as they were
 * kept: to set them anew, each would have to hold for this session first.
 */
function propertiesSet(database: string, { settings = [], comment }: DumpHead): string {
  const kept = settings.map(literal).join(', ');
  const set = `INSERT INTO pg_db_role_setting (setdatabase, setrole, setconfig)
    SELECT oid, 0, ARRAY[${kept}] FROM pg_database WHERE datname = current_database();\n`;
  const said = comment === undefined ? '' : `COMMENT ON DATABASE ${identifier(database)} IS ${literal(comment)};\n`;
  return `${settings.length === 0 ? '' : set}${said}`;
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

/** What indexes are sorted in, several at a time at most: an eighth of what the server may have, or what it does well with. */
function sortingKib(memoryBytes: number | null): number {
  const eighth = memoryBytes === null ? MOST_SORTING_KIB : Math.floor(memoryBytes / 8 / 1024);
  return Math.min(MOST_SORTING_KIB, Math.max(LEAST_SORTING_KIB, eighth));
}
