/**
 * PostgreSQL. The data belongs to {@link OWNER}, a role without login. Every login is a member of this role and acts as
 * this role from the start of a session.
 * So a login can be removed without the objects that it made. `postgres-session.ts` has the rules for the platform's
 * own sessions.
 */
import { randomBytes } from 'node:crypto';
import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import {
  ADMIN,
  admittedBy,
  type DatabaseCommand,
  type DatabaseFacts,
  type Dialect,
  type Login,
  secretFile,
} from './dialect.ts';
import { ACCESS, accessFiles, admitsLogins, inOrder, withAccess } from './postgres-access.ts';
import {
  endDatabaseLeftovers,
  endRights,
  endSessions,
  findings,
  openDatabases,
  putAside,
} from './postgres-leftovers.ts';
import {
  CONNECTIONS,
  changedLogins,
  endAllSessions,
  endLogin,
  endSurplus,
  GOES_ON,
  limitConnections,
  listVerifiers,
  loginStatements,
  releaseOwned,
  removeRole,
  untilSignInsEnd,
} from './postgres-logins.ts';
import { OBJECTS_OF_APPS } from './postgres-owners.ts';
import {
  BEGINNING,
  CLIENT,
  endHolders,
  OWNER,
  openToConnections,
  platformRoles,
  postgresIdentifier,
  postgresLiteral,
  sessionEnv,
} from './postgres-session.ts';
import { scramVerifier } from './scram.ts';

const UID = 999;
/**
 * Data folder. The data folder is below the volume's root, because the server requires its own permissions on this
 * folder.
 */
export const PGDATA = '/var/lib/postgresql/data/pgdata';

/** Libraries of extensions that the server loads at start, by SQL name of the extension. */
const PRELOADED: Record<string, string> = { pg_stat_statements: 'pg_stat_statements', vchord: 'vchord' };

/**
 * Settings that prevent the server from running or loading other programs. Arguments override the server's own files.
 */
export const POSTGRES_PROGRAMS = {
  ...{ archive_mode: 'off', archive_command: '', archive_library: '', archive_cleanup_command: '' },
  ...{ restore_command: '', recovery_end_command: '', ssl_passphrase_command: '' },
  ...{ session_preload_libraries: '', local_preload_libraries: '', dynamic_library_path: '$libdir' },
  // A path relative to the server's libraries could lead out of their folder.
  ...{ jit_provider: 'llvmjit', logging_collector: 'off', external_pid_file: '' },
};

function loadedFor(extensions: readonly string[]): string[] {
  return extensions.flatMap((name) => PRELOADED[name] ?? []);
}

export const postgres: Dialect = {
  engine: 'postgres',
  dataPath: '/var/lib/postgresql/data',
  port: 5432,
  exposedPort: 5432,
  demandsTls: true,
  uid: UID,
  user: 'postgres',
  // SIGINT closes connections and writes all data. SIGTERM would wait for clients to disconnect.
  stop: { signal: 'SIGINT', graceS: 60 },
  serve(facts, gateway) {
    const { adminPassword, tls, extensions } = facts;
    const preloaded = loadedFor(extensions);
    const settings = {
      ssl: 'on',
      ssl_cert_file: DATABASE_FILES.tlsCertificate,
      ssl_key_file: DATABASE_FILES.tlsKey,
      ...ACCESS,
      ...POSTGRES_PROGRAMS,
      data_directory: PGDATA,
      ...CONNECTIONS,
      shared_preload_libraries: preloaded.join(','),
    };
    return {
      env: { POSTGRES_USER: ADMIN, POSTGRES_DB: 'postgres', POSTGRES_PASSWORD_FILE: DATABASE_FILES.password, PGDATA },
      args: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      files: [
        secretFile(DATABASE_FILES.password, adminPassword, UID),
        ...accessFiles(facts, gateway, UID),
        secretFile(DATABASE_FILES.tlsCertificate, tls.certificate, UID),
        secretFile(DATABASE_FILES.tlsKey, tls.key, UID),
      ],
    };
  },
  // The check uses the network, because the server only answers on its socket while it initializes an empty folder.
  ready: () => ({
    command: ['pg_isready', '-q', '-h', '127.0.0.1', '-p', '5432', '-U', ADMIN, '-d', 'postgres'],
    user: 'postgres',
    stdin: '',
  }),
  setUp(facts) {
    const database = databaseOf(facts);
    const statements = [
      ...rules(facts),
      `SELECT 'CREATE DATABASE ${postgresIdentifier(database)} OWNER ${OWNER}' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = ${postgresLiteral(database)})\\gexec`,
      `ALTER DATABASE ${postgresIdentifier(database)} OWNER TO ${OWNER};`,
      ...entering(database),
      `ALTER SCHEMA public OWNER TO ${OWNER};`,
      ...extensionStatements(facts.extensions),
      // No app has a login yet. Code of a dump opened any other session, after it set the password of a login.
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename <> '${ADMIN}';`,
    ];
    return withAccess(facts, PGDATA, sql, () => inPostgres(facts, statements));
  },
  renewRules: (facts) => ({
    ...inPostgres(facts, [...putAside(), ...openDatabases(), ...listVerifiers(facts), LIST_AGE]),
    followUp(stdout) {
      const server = { databases: databasesIn(stdout), isNew: stdout.includes(IS_NEW) };
      const changed = changedLogins(facts, stdout);
      if (changed.length > 0) return whileClosed(facts, changed, server);
      const renewed = inPostgres(facts, everywhere(facts, server.databases));
      // A password that was replaced meanwhile may already have been used.
      const followUp = (said: string) => {
        const late = changedLogins(facts, said);
        return late.length === 0 ? null : whileClosed(facts, late, server);
      };
      return withAccess(facts, PGDATA, sql, () => ({ ...renewed, followUp }));
    },
  }),
  hasPasswords: (facts) => ({
    ...sql(listVerifiers(facts)),
    isGood: (stdout) => changedLogins(facts, stdout).length === 0,
  }),
  admit: (facts) => withAccess(facts, PGDATA, sql, () => null),
  // On a server of an earlier version, one login may use all connections. The statements make room for the new login.
  addLogin: (facts, login) => ({
    ...sql([...endHolders(), ...loginStatements(facts, login), ...limitConnections(), ...endSurplus()]),
    followUp: () => withAccess({ ...facts, admitted: [...admittedBy(facts), login] }, PGDATA, sql, () => null),
  }),
  logIn: (facts, login) =>
    // The program ends with an error if the server rejects the login.
    sql([
      ...openToConnections(databaseOf(facts)),
      `\\connect ${clientText(conninfo(login, databaseOf(facts)))}`,
      'SELECT 1;',
    ]),
  endLogin: (facts, { username }) =>
    withAccess(facts, PGDATA, sql, () => ({
      ...sql(endLogin(username)),
      isGood: (stdout) => !GOES_ON.test(stdout),
    })),
  removeLogins: (facts, usernames) => ({
    ...sql([...openDatabases(), ...listRoles(usernames)]),
    followUp(stdout) {
      const roles = rolesIn(stdout);
      if (roles.length === 0) return null;
      const released = roles.flatMap(releaseOwned);
      return inPostgres(facts, [
        ...databasesIn(stdout).flatMap((name) => [connect(name), ...released]),
        ...roles.flatMap(removeRole),
      ]);
    },
  }),
  addExtensions: (facts, extensions) => sql([...entering(databaseOf(facts)), ...extensionStatements(extensions)]),
  loaded: loadedFor,
  available: () => sql(['SELECT name FROM pg_available_extensions;']),
  hasExtensions: true,
  hasPointInTime: true,
  hasConfigCommand: false,
  defaultUser: 'postgres',
  reserved: { users: /^(pg_.*|davit_.*|public|none)$/i, databases: /^template[01]$/ },
};

/**
 * Lock timeout in milliseconds. The timeout is shorter than the time limit of a command, so that the server can report
 * the lock.
 */
const LOCKED_MS = 20_000;
/** Output of the server if a session that cannot be ended blocks a statement. */
const HELD = new RegExp(`lock timeout|${GOES_ON.source}`, 'm');

/** Returns a command that runs statements as the superuser over the socket. */
function sql(statements: readonly string[]): DatabaseCommand {
  return {
    // Without a password file, `psql` must not read a password from its input, which contains the statements.
    command: ['psql', '-X', '-q', '-A', '-t', '-w', '-v', 'ON_ERROR_STOP=1', '-U', ADMIN, '-d', BEGINNING],
    user: CLIENT.name,
    env: sessionEnv({ lock_timeout: String(LOCKED_MS) }),
    held: HELD,
    stdin: `${statements.join('\n')}\n`,
  };
}

/**
 * Returns a command that runs statements in `postgres`, the only database that may require a password. A former
 * superuser may have changed this password.
 */
function inPostgres(facts: DatabaseFacts, statements: readonly string[]): DatabaseCommand {
  return sql([ownPassword(facts), connect('postgres'), ...statements]);
}

function ownPassword({ adminPassword }: DatabaseFacts): string {
  return `ALTER ROLE ${ADMIN} WITH PASSWORD ${postgresLiteral(scramVerifier(adminPassword))} VALID UNTIL 'infinity';`;
}

/** Statement that reports whether the server has had the same access rules since its start. */
const LIST_AGE = "SELECT json_build_object('isNew', true) WHERE pg_conf_load_time() <= pg_postmaster_start_time();";
const IS_NEW = '"isNew"';

/**
 * Returns a command that replaces the passwords of logins while the server accepts no login.
 * A session with the previous password would outlive the password, and could lock the row of its login, so that the
 * password cannot be replaced. Therefore all these sessions end before the replacement, and none can start. Sessions of
 * logins with the right password go on. Code in them may change further passwords, which nobody can use meanwhile.
 * If a command fails, the server stays closed, and the next attempt finds the previous passwords again.
 */
function whileClosed(
  facts: DatabaseFacts,
  changed: readonly string[],
  { databases, isNew }: { databases: readonly string[]; isNew: boolean },
): DatabaseCommand {
  const open = () => withAccess(facts, PGDATA, sql, () => null);
  const replaced = () => ({ ...inPostgres(facts, everywhere(facts, databases)), followUp: open });
  return withAccess({ ...facts, admitted: [] }, PGDATA, sql, (before) => ({
    ...sql(listVerifiers(facts)),
    followUp(stdout) {
      const all = new Set([...changed, ...changedLogins(facts, stdout)]);
      const ended = { ...sql([...all].flatMap(endAllSessions)), isGood: (said: string) => !GOES_ON.test(said) };
      const waits = isNew && !admitsLogins(before) ? [] : untilSignInsEnd().map(sql);
      return inOrder([...waits, ended], replaced);
    },
  }));
}

/** Returns statements for the roles of a server, whatever state an earlier version or a login with more rights left. */
function rules(facts: DatabaseFacts): string[] {
  const logins = [facts.login, ...facts.otherLogins];
  const names = logins.map(({ username }) => username);
  return [
    ...putAside(),
    ...endHolders(),
    ...findings(names),
    ...endSessions(names),
    ...endRights(names, databaseOf(facts)),
    ownPassword(facts),
    ...platformRoles(),
    ...logins.flatMap((login) => loginStatements(facts, login)),
    ...limitConnections(),
    ...endSessions(names),
  ];
}

function listRoles(names: readonly string[]): string[] {
  const listed = names.map(postgresLiteral).join(', ');
  return [`SELECT json_build_object('role', rolname) FROM pg_roles WHERE rolname IN (${listed}) ORDER BY rolname;`];
}

/** Returns the databases that the output of statements lists as JSON lines. */
function databasesIn(stdout: string): string[] {
  return valuesIn(stdout, 'database');
}

/** Returns the roles that the output of statements lists as JSON lines. */
function rolesIn(stdout: string): string[] {
  return valuesIn(stdout, 'role');
}

function valuesIn(stdout: string, key: string): string[] {
  return stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    return (JSON.parse(line) as Record<string, string | undefined>)[key] ?? [];
  });
}

/** Returns statements that open a database, which its owner may have closed, and connect to the database. */
function entering(database: string): string[] {
  return [...openToConnections(database), connect(database)];
}

/**
 * Returns the statements for all databases. The rules run twice, because code of a database may have had superuser
 * rights in between.
 */
function everywhere(facts: DatabaseFacts, databases: readonly string[]): string[] {
  const inEach = (statements: () => string[]) => databases.flatMap((name) => [connect(name), ...statements()]);
  const own = [connect('postgres'), ...rules(facts)];
  return [...inEach(putAside), ...own, ...inEach(endDatabaseLeftovers), ...own];
}

function connect(database: string): string {
  return `\\connect -reuse-previous=on ${clientText(`dbname=${value(database)}`)}`;
}

/** Returns a quoted word for `psql`, in which a backslash begins an escape. */
function clientText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/**
 * Returns statements that create extensions without code of apps.
 * The script of an extension runs as superuser. The script resolves names in its own schema and in the schemas of
 * extensions that it needs.
 * Apps may create objects in their schemas, and the script would use these objects. Therefore each extension is created
 * in a schema of the platform.
 * Before that, extensions that it needs are moved to this schema. Afterwards all are moved back. An extension that
 * cannot be moved is created in `pg_catalog` or not at all.
 *
 * An app can own a needed extension, add its own objects to it, and create extensions while these statements run:
 * - No other session sees the schema or can create objects in it. Only the first move brings existing objects into the
 *   schema. The check follows this move and precedes every script.
 * - An extension that appears after the plan was made is not used: `CREATE EXTENSION` fails if the name is taken.
 * - The second check refuses objects that were added meanwhile. No script could use these objects, because they are in
 *   another schema.
 */
function extensionStatements(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const own = `davit_${randomBytes(8).toString('hex')}`;
  return [
    'BEGIN;',
    `CREATE SCHEMA ${own};`,
    // The plan contains the extensions to create and all extensions that they need. `home` is the schema of an existing
    // extension. `depth` gives the order.
    `CREATE TEMP TABLE pg_temp.plan ON COMMIT DROP AS
      WITH RECURSIVE needs (name, path) AS (
        SELECT name, ARRAY[name] FROM unnest(ARRAY[${names.map(postgresLiteral).join(', ')}]::name[]) name
          WHERE name NOT IN (SELECT extname FROM pg_extension)
        UNION SELECT r, path || r FROM needs n JOIN pg_available_extension_versions v ON v.name = n.name, unnest(v.requires) r
          WHERE r <> ALL (path) AND n.name NOT IN (SELECT extname FROM pg_extension))
      SELECT n.name, max(cardinality(path)) AS depth, e.extnamespace::regnamespace::text AS home, e.extrelocatable AS movable
        FROM needs n LEFT JOIN pg_extension e ON e.extname = n.name GROUP BY n.name, e.oid, e.extnamespace, e.extrelocatable;`,
    `SELECT format('ALTER EXTENSION %I SET SCHEMA ${own}', name) FROM pg_temp.plan WHERE movable\\gexec`,
    demandOnlyOurs(own),
    `SELECT format('CREATE EXTENSION %I WITH SCHEMA %I', p.name, CASE v.schema WHEN 'pg_catalog' THEN v.schema ELSE '${own}' END)
      FROM pg_temp.plan p LEFT JOIN pg_available_extensions a ON a.name = p.name
        LEFT JOIN pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
      WHERE home IS NULL ORDER BY depth DESC, p.name\\gexec`,
    demandOnlyOurs(own),
    `SELECT format('ALTER EXTENSION %I SET SCHEMA %s', extname, coalesce(home, 'public'))
      FROM pg_extension LEFT JOIN pg_temp.plan ON name = extname WHERE extnamespace = '${own}'::regnamespace\\gexec`,
    `DROP SCHEMA ${own};`,
    'COMMIT;',
  ];
}

/**
 * Returns a statement that fails if a planned extension is in a schema of an app. The statement also fails if another
 * role than the administrator owns a relevant object. Relevant objects are in the platform's schema or belong to a
 * planned extension. An app may own the extension itself, because the server makes the administrator the owner of
 * objects that its script creates.
 *
 * The owner comes from the catalogs, because `pg_shdepend` has no rows of predefined roles such as `pg_database_owner`.
 */
function demandOnlyOurs(schema: string): string {
  const planned = 'SELECT e.oid FROM pg_extension e JOIN pg_temp.plan p ON p.name = e.extname';
  return `\\set SHOW_CONTEXT never
    DO $demand$ DECLARE others text; BEGIN
      SELECT string_agg(DISTINCT format('%s (%s)', e.extname, e.extnamespace::regnamespace), ', ') INTO others
        FROM pg_extension e WHERE e.oid IN (${planned}) AND e.extnamespace NOT IN ('${schema}'::regnamespace, 'pg_catalog'::regnamespace);
      IF others IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = format('Needed extensions are in a schema that apps can change: %s. An app may have created them just now: add the extension again. If the error stays, drop them first.', others);
      END IF;
      SELECT string_agg(DISTINCT replace(pg_describe_object(o.classid, o.objid, 0), '${schema}.', ''), ', ') INTO others
        FROM (${OBJECTS_OF_APPS}) o JOIN pg_depend d ON d.classid = o.classid AND d.objid = o.objid
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = '${schema}'::regnamespace
          OR d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass AND d.refobjid IN (${planned});
      IF others IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = format('A needed extension contains objects that the administrator does not own: %s. Remove them from it with ALTER EXTENSION … DROP, or drop and create it again. Then add the extension again.', others);
      END IF;
    END $demand$;`;
}

/**
 * Returns a connection string for libpq. Quotes and backslashes are escaped for libpq, and {@link clientText} escapes
 * the result again for `psql`.
 */
function conninfo({ username, password }: Login, database: string): string {
  return `host=127.0.0.1 port=5432 user=${value(username)} password=${value(password)} dbname=${value(database)}`;
}

function value(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function databaseOf({ database }: DatabaseFacts): string {
  return database ?? 'postgres';
}
