/** PostgreSQL, written out and read in by its own tools. */
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { isOwnersSetting } from '../../databases/dialects/postgres-leftovers.ts';
import {
  MOST_LOCKED_MS,
  OWNER,
  openToConnections,
  platformRoles,
  postgresIdentifier,
  postgresLiteral,
  READER,
  RESTORER,
  role,
} from '../../databases/dialects/postgres-session.ts';
import { postgresProgram, psql } from './postgres-client.ts';
import { countRows, type DumpSnapshot, openSnapshot } from './postgres-snapshot.ts';
import { MOST_RESTORING_MS, programOutput, run } from './program.ts';
import type { DumpedDatabase, DumpHead, DumpTool, Roles } from './tool.ts';

/** The database that clients connect to before they know of another one. */
const BEGUN_WITH = 'postgres';

/** By their names: an owner may call its database a template. */
const BESIDES = (own: string) => `SELECT datname FROM pg_database
  WHERE datname NOT IN ('postgres', 'template0', 'template1', ${postgresLiteral(own)}) ORDER BY 1;
`;

/** It waits for no disk, and what a restore reads into new tables is in no log. */
const TRIAL = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off'];

/** Thousands of small transactions wait for no disk each; the last one does, for all of them. */
const MANY = {
  options: ['--exit-on-error'],
  settings: { synchronous_commit: 'off' },
  last: 'SELECT txid_current();\n',
};
const ONE = { options: ['--single-transaction'], settings: {}, last: '' };

const LEAST_SORTING_KIB = 4 * 1024;
const MOST_SORTING_KIB = 256 * 1024;

/** It takes all its locks at the beginning, and ignores the setting of its session. */
const LOCK_WAIT = `--lock-wait-timeout=${MOST_LOCKED_MS}`;

export const postgresTool: DumpTool = {
  isPacked: true,
  trial: (memoryBytes) => ({
    args: [...TRIAL, `maintenance_work_mem=${sortingKib(memoryBytes)}kB`].flatMap((setting) => ['-c', setting]),
    env: { POSTGRES_INITDB_ARGS: '--no-sync' },
  }),

  async dump(of) {
    const besides = await further(of, [...platformRoles(), ...openToConnections(of.database ?? BEGUN_WITH)]);
    const session = await openSnapshot(of);
    const { head } = session;
    const args = ['--format=custom', '--compress=1', `--snapshot=${session.id}`, LOCK_WAIT];
    const bytes = programOutput(of, postgresProgram(of, READER, ['pg_dump', ...args]));
    const facts = async () => ({
      ...{ ...head, counts: await session.counts },
      ...(besides.length > 0 && { besides }),
    });
    return { head, bytes: closing(bytes, session), facts };
  },

  async restore(into, dump, head = {}) {
    // Objects of the superuser belong to the owner role after a restore. If a backup has no owners, all objects do.
    const keepsOwners = head.ofAdmin === false;
    const acting = keepsOwners ? RESTORER : OWNER;
    await psql(
      into,
      ADMIN,
      [...rolesMade(head.roles ?? {}), ...platformRoles(), extensionsOf(ADMIN, acting)].join('\n'),
    );
    const { options, settings, last } = head.isMany ? MANY : ONE;
    const owners = keepsOwners ? [] : ['--no-owner', `--role=${OWNER}`];
    const program = postgresProgram(into, RESTORER, ['pg_restore', ...options, ...owners], settings);
    await run(into, program, dump, MOST_RESTORING_MS);
    await psql(
      into,
      ADMIN,
      `${extensionsOf(acting, ADMIN)}\n${propertiesSet(into.database ?? BEGUN_WITH, head)}${last}`,
    );
  },

  async empty(of) {
    const name = postgresIdentifier(of.database ?? '');
    // One that is there whatever the database is called; that which everybody begins with is made again at once.
    const again = of.database === BEGUN_WITH ? `CREATE DATABASE ${name};\n` : '';
    const plain = `SELECT format('ALTER DATABASE %I IS_TEMPLATE false', datname) FROM pg_database
      WHERE datname = ${postgresLiteral(of.database ?? '')} AND datistemplate\\gexec`;
    const statements = `${plain}\nDROP DATABASE IF EXISTS ${name} WITH (FORCE);\n${again}`;
    await psql({ ...of, database: 'template1' }, ADMIN, statements);
  },

  count: countRows,

  besides: (of) => further(of, []),
};

/** Lists the other databases of a server. @param before statements that are run first */
async function further(of: DumpedDatabase, before: readonly string[]): Promise<string[]> {
  const statements = `${before.join('\n')}\n${BESIDES(of.database ?? BEGUN_WITH)}`;
  return (await psql({ ...of, database: null }, ADMIN, statements)).split('\n').filter((name) => name !== '');
}

/**
 * A dump sets comments on the extensions that it needs, which only their owner may do. So the extensions change their
 * owner during a restore. The owner of an extension cannot change its objects.
 */
function extensionsOf(from: string, to: string): string {
  return `UPDATE pg_extension SET extowner = ${postgresLiteral(to)}::regrole WHERE extowner = ${postgresLiteral(from)}::regrole AND oid >= 16384;`;
}

/**
 * Roles belong to the server and not to a database, so dumps do not contain them. None of these roles can log in. The
 * header that lists them may come from a superuser of the app: roles with names or rights of the platform or of the
 * server are left out.
 */
function rolesMade(roles: Roles): string[] {
  const isOthers = (name: string) => name === OWNER || !RESERVED.test(name);
  const names = Object.keys(roles).filter(isOthers);
  const made = names.map((name) => role(name, 'NOLOGIN'));
  const granted = names.flatMap((name) =>
    (roles[name] ?? []).filter(isOthers).map((group) => {
      const [a, b] = [postgresLiteral(group), postgresLiteral(name)];
      return `SELECT format('GRANT %I TO %I', ${a}, ${b}) WHERE EXISTS (SELECT 1 FROM pg_roles r
        WHERE r.rolname = ${a} AND NOT pg_has_role(r.oid, ${b}, 'MEMBER')) \\gexec`;
    }),
  );
  return [...made, ...granted];
}

/** Names of roles of the platform or the server. */
const RESERVED = /^(davit|pg)_/;

/**
 * What is the database's as a whole, which a restore into one that is there leaves out. Settings are written as they were
 * kept: to set them anew, each would have to hold for this session first. Those that only a superuser may set are left out.
 */
function propertiesSet(database: string, { settings = [], comment }: DumpHead): string {
  const set = `INSERT INTO pg_db_role_setting (setdatabase, setrole, setconfig)
    SELECT d.oid, 0, array_agg(one ORDER BY n) FROM pg_database d,
      unnest(ARRAY[${settings.map(postgresLiteral).join(', ')}]) WITH ORDINALITY l (one, n)
    WHERE d.datname = current_database() AND ${isOwnersSetting("split_part(one, '=', 1)")} GROUP BY 1;\n`;
  const said =
    comment === undefined
      ? ''
      : `COMMENT ON DATABASE ${postgresIdentifier(database)} IS ${postgresLiteral(comment)};\n`;
  return `${settings.length === 0 ? '' : set}${said}`;
}

/** The session goes on while the counts are read, and ends with both. */
async function* closing(bytes: AsyncIterable<Buffer>, { counts, close }: DumpSnapshot): AsyncGenerator<Buffer> {
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
