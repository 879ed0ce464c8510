/** Backup and restore of PostgreSQL with `pg_dump` and `pg_restore`. */
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { isOwnersSetting } from '../../databases/dialects/postgres-leftovers.ts';
import { ADDED_MEMBERS } from '../../databases/dialects/postgres-owners.ts';
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
import { refreshViews, withoutViewRows } from './postgres-views.ts';
import { MOST_RESTORING_MS, programOutput, run } from './program.ts';
import type { DumpedDatabase, DumpHead, DumpTool, Roles } from './tool.ts';

/** Name of the PostgreSQL database to which clients connect by default. */
const BEGUN_WITH = 'postgres';

/**
 * SQL query for the other databases on the server. The query includes template databases, because the owner of a
 * database can mark the database as a template.
 */
const BESIDES = (own: string) => `SELECT datname FROM pg_database
  WHERE datname NOT IN ('postgres', 'template0', 'template1', ${postgresLiteral(own)}) ORDER BY 1;
`;

/**
 * Settings of the temporary PostgreSQL server for the verification of a backup. With these settings, commits do not
 * wait for the disk, and a restore into new tables writes no WAL (write-ahead log).
 */
const TRIAL = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off'];

/**
 * Options of `pg_restore` for dumps with many objects. Each object is restored in a separate transaction, and the
 * commit does not wait for the disk.
 */
const MANY = {
  options: ['--exit-on-error'],
  settings: { synchronous_commit: 'off' },
  // The earlier commits did not wait for the disk. So this commit waits until all changes are on the disk.
  last: 'SELECT txid_current();\n',
};
const ONE = { options: ['--single-transaction'], settings: {}, last: '' };

const LEAST_SORTING_KIB = 4 * 1024;
const MOST_SORTING_KIB = 256 * 1024;

/**
 * Option that sets the lock timeout of `pg_dump`. The option is necessary, because `pg_dump` acquires all locks at its
 * start and ignores the setting `lock_timeout` of the session.
 */
const LOCK_WAIT = `--lock-wait-timeout=${MOST_LOCKED_MS}`;

export const postgresTool: DumpTool = {
  isPacked: true,
  trial: (memoryBytes) => ({
    args: [...TRIAL, `maintenance_work_mem=${sortingKib(memoryBytes)}kB`].flatMap((setting) => ['-c', setting]),
    env: { POSTGRES_INITDB_ARGS: '--no-sync' },
  }),

  async dump(of) {
    const besides = await further(of, [...platformRoles(), ...openToConnections(of.database ?? BEGUN_WITH)]);
    // If an extension still contains an object of an app, the dump fails later with an error that names the object.
    await psql(of, ADMIN, DETACHED);
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

  async restore(into, dump, head = {}, warn = () => undefined) {
    // If the dump may contain objects of the superuser, make `davit_owner` the owner of all restored objects.
    const keepsOwners = head.ofAdmin === false;
    const acting = keepsOwners ? RESTORER : OWNER;
    const prepared = psql(
      into,
      ADMIN,
      [...rolesMade(head.roles ?? {}), ...platformRoles(), extensionsOf(ADMIN, acting)].join('\n'),
    );
    // The roles are created while the table of contents is read. If this fails, the restore below throws the error.
    prepared.catch(() => undefined);
    const { options, settings, last } = head.isMany ? MANY : ONE;
    const owners = keepsOwners ? [] : ['--no-owner', `--role=${OWNER}`];
    const filled = await withoutViewRows(into, dump, async (bytes, further) => {
      await prepared;
      const command = ['pg_restore', ...options, ...owners, ...further];
      return run(into, postgresProgram(into, RESTORER, command, settings), bytes, MOST_RESTORING_MS);
    });
    await psql(
      into,
      ADMIN,
      `${extensionsOf(acting, ADMIN)}\n${propertiesSet(into.database ?? BEGUN_WITH, head)}${last}`,
    );
    await refreshViews(into, filled, head, warn);
  },

  async empty(of) {
    const name = postgresIdentifier(of.database ?? '');
    /*
     * If the database `postgres` is dropped, create it again at once, because many clients connect to this database
     * first.
     */
    const again = of.database === BEGUN_WITH ? `CREATE DATABASE ${name};\n` : '';
    const plain = `SELECT format('ALTER DATABASE %I IS_TEMPLATE false', datname) FROM pg_database
      WHERE datname = ${postgresLiteral(of.database ?? '')} AND datistemplate\\gexec`;
    const statements = `${plain}\nDROP DATABASE IF EXISTS ${name} WITH (FORCE);\n${again}`;
    // Connect to the database `template1`, because this database always exists.
    await psql({ ...of, database: 'template1' }, ADMIN, statements);
  },

  count: countRows,

  besides: (of) => further(of, []),
};

/**
 * Script for `psql` that removes the objects of apps from extensions, because a dump would omit these objects. The
 * script uses `ROUTINE`, because `AGGREGATE` rejects some names.
 */
const DETACHED = `\\set ON_ERROR_STOP 0
SELECT format('ALTER EXTENSION %I DROP %s %s', e.extname, replace(upper(i.type), 'AGGREGATE', 'ROUTINE'), i.identity) FROM ${ADDED_MEMBERS} \\gexec
\\set ON_ERROR_STOP 1
`;

/**
 * Returns the names of the other databases on the server of a database.
 * @param before SQL statements that run before the query
 */
async function further(of: DumpedDatabase, before: readonly string[]): Promise<string[]> {
  const statements = `${before.join('\n')}\n${BESIDES(of.database ?? BEGUN_WITH)}`;
  return (await psql({ ...of, database: null }, ADMIN, statements)).split('\n').filter((name) => name !== '');
}

/**
 * Returns an SQL statement that changes the owner of all extensions. A dump sets the comments of extensions, and only
 * the owner of an extension may do this.
 */
function extensionsOf(from: string, to: string): string {
  return `UPDATE pg_extension SET extowner = ${postgresLiteral(to)}::regrole WHERE extowner = ${postgresLiteral(from)}::regrole AND oid >= 16384;`;
}

/**
 * Returns SQL statements that create the roles of a dump as roles that cannot sign in. The dump itself contains no
 * roles, because roles belong to the whole server.
 */
function rolesMade(roles: Roles): string[] {
  // Skip reserved names. An app with superuser permissions could have added reserved names to the list.
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

/** Prefixes of role names that Davit or PostgreSQL reserves. */
const RESERVED = /^(davit|pg)_/;

/**
 * Returns SQL statements for the settings and the comment of a database. They are necessary, because `pg_restore` does
 * not restore these values into an existing database.
 */
function propertiesSet(database: string, { settings = [], comment }: DumpHead): string {
  /*
   * Write to the system table, because `ALTER DATABASE` checks each value in the current session. Omit settings that
   * only a superuser may change.
   */
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

/** Returns the bytes of the dump. The database snapshot stays open until the dump and the row counts are complete. */
async function* closing(bytes: AsyncIterable<Buffer>, { counts, close }: DumpSnapshot): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
    await counts;
  } finally {
    close();
  }
}

/**
 * Returns the maximum memory for each sort during the creation of an index, in KiB. The result is between 4 MiB and 256
 * MiB, because several sorts may run in parallel.
 */
function sortingKib(memoryBytes: number | null): number {
  const eighth = memoryBytes === null ? MOST_SORTING_KIB : Math.floor(memoryBytes / 8 / 1024);
  return Math.min(MOST_SORTING_KIB, Math.max(LEAST_SORTING_KIB, eighth));
}
