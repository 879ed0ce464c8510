/**
 * PostgreSQL. The data belongs to a role without a login, {@link OWNER}, and every login is a member of it that acts as it from
 * the start: a login can be taken away without anything that it made. The rules for the platform's own sessions are in
 * `postgres-session.ts`.
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
import { ACCESS, accessFiles, withAccess } from './postgres-access.ts';
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
  endLogin,
  endOwnSessions,
  endSurplus,
  GOES_ON,
  limitConnections,
  listVerifiers,
  loginStatements,
  releaseOwned,
  removeRole,
} from './postgres-logins.ts';
import { OWNER_COLUMNS } from './postgres-owners.ts';
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
/** In a folder below the volume's root, where the server insists on its own rights. */
export const PGDATA = '/var/lib/postgresql/data/pgdata';

/** Extensions that are loaded with the server, by their SQL names. */
const PRELOADED: Record<string, string> = { pg_stat_statements: 'pg_stat_statements', vchord: 'vchord' };

/** What the server runs and loads beside itself: nothing, whatever its own files say. Arguments win over those. */
export const POSTGRES_PROGRAMS = {
  ...{ archive_mode: 'off', archive_command: '', archive_library: '', archive_cleanup_command: '' },
  ...{ restore_command: '', recovery_end_command: '', ssl_passphrase_command: '' },
  ...{ session_preload_libraries: '', local_preload_libraries: '', dynamic_library_path: '$libdir' },
  // Named relative to the server's own libraries, a path leads out of them.
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
  // Ends connections and writes everything down; SIGTERM would wait for who is connected.
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
  // Over the network: while an empty folder is filled the server answers on its socket alone.
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
      // Nobody has been given a login yet: whoever is in has set its password by the code of a dump.
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename <> '${ADMIN}';`,
    ];
    return withAccess(facts, PGDATA, sql, () => inPostgres(facts, statements));
  },
  renewRules: (facts) =>
    withAccess(facts, PGDATA, sql, () => ({
      ...inPostgres(facts, [...putAside(), ...openDatabases(), ...listVerifiers(facts)]),
      followUp: (stdout) => inPostgres(facts, everywhere(facts, databasesIn(stdout), changedLogins(facts, stdout))),
    })),
  hasPasswords: (facts) => ({
    ...sql(listVerifiers(facts)),
    isGood: (stdout) => changedLogins(facts, stdout).length === 0,
  }),
  admit: (facts) => withAccess(facts, PGDATA, sql, () => null),
  // A login of a server of an earlier version may have all connections, and the new one is to get in.
  addLogin: (facts, login) => ({
    ...sql([...endHolders(), ...loginStatements(facts, login), ...limitConnections(), ...endSurplus()]),
    followUp: () => withAccess({ ...facts, admitted: [...admittedBy(facts), login] }, PGDATA, sql, () => null),
  }),
  logIn: (facts, login) =>
    // Where it is not let in the program ends.
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
  removeLogin: (facts, { username }) => ({
    ...sql(openDatabases()),
    followUp: (stdout) =>
      inPostgres(facts, [
        ...databasesIn(stdout).flatMap((name) => [connect(name), ...releaseOwned(username)]),
        ...removeRole(username),
      ]),
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

/** Less than a question may take: the server says then what it waited for. */
const LOCKED_MS = 20_000;
/** What it says where a session that it cannot end is in the way. */
const HELD = new RegExp(`lock timeout|${GOES_ON.source}`, 'm');

/** As the server's superuser, over the socket. */
function sql(statements: readonly string[]): DatabaseCommand {
  return {
    // Where it has no password it must not read one from its input, which are the statements.
    command: ['psql', '-X', '-q', '-A', '-t', '-w', '-v', 'ON_ERROR_STOP=1', '-U', ADMIN, '-d', BEGINNING],
    user: CLIENT.name,
    env: sessionEnv({ lock_timeout: String(LOCKED_MS) }),
    held: HELD,
    stdin: `${statements.join('\n')}\n`,
  };
}

/** The same in the one database that takes a password, which somebody who was superuser may have changed. */
function inPostgres(facts: DatabaseFacts, statements: readonly string[]): DatabaseCommand {
  return sql([ownPassword(facts), connect('postgres'), ...statements]);
}

function ownPassword({ adminPassword }: DatabaseFacts): string {
  return `ALTER ROLE ${ADMIN} WITH PASSWORD ${postgresLiteral(scramVerifier(adminPassword))} VALID UNTIL 'infinity';`;
}

/**
 * What holds for the roles of a server, in whatever state an earlier version or a login with more rights left them.
 * @param changed logins that had another password: a session that it has opened must not outlive it
 */
function rules(facts: DatabaseFacts, changed: readonly string[] = []): string[] {
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
    ...changed.flatMap(endOwnSessions),
    ...endSessions(names),
  ];
}

/** Databases are in lines of JSON among what statements answer. */
function databasesIn(stdout: string): string[] {
  return stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { database } = JSON.parse(line) as { database?: string };
    return database ?? [];
  });
}

/** Goes on in a database that its owner may have closed. */
function entering(database: string): string[] {
  return [...openToConnections(database), connect(database)];
}

/** The rules are applied twice: what a database has run in between may have had the rights of the superuser. */
function everywhere(facts: DatabaseFacts, databases: readonly string[], changed: readonly string[]): string[] {
  const inEach = (statements: () => string[]) => databases.flatMap((name) => [connect(name), ...statements()]);
  const own = [connect('postgres'), ...rules(facts, changed)];
  return [...inEach(putAside), ...own, ...inEach(endDatabaseLeftovers), ...own];
}

function connect(database: string): string {
  return `\\connect -reuse-previous=on ${clientText(`dbname=${value(database)}`)}`;
}

/** A word for the client, in which «\\» begins an escape. */
function clientText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/**
 * The script of an extension runs as superuser. It resolves names in the schema that it is created in, and in those of the
 * extensions that it needs. Apps may create objects in their schemas, and the script would use them. Therefore an extension is
 * created in a schema of our own. The extensions that it needs are moved there first, and all are moved back afterwards. One
 * that cannot be moved is created in `pg_catalog` or not at all.
 *
 * An app can own a needed extension, add its own objects to it, and create extensions while these statements run:
 * - Nobody else sees the schema, or can create anything in it. Only the first move brings existing objects into it. The check
 *   follows that move, and precedes every script.
 * - An extension that appears after the plan was made is not used: `CREATE EXTENSION` fails if its name is taken.
 * - The second check refuses what was added meanwhile. It did not reach a script, since it is in another schema.
 */
function extensionStatements(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const own = `davit_${randomBytes(8).toString('hex')}`;
  return [
    'BEGIN;',
    `CREATE SCHEMA ${own};`,
    // The extensions to create and all that they need. `home` is the schema of an existing one. `depth` gives the order.
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
 * A statement that fails if a planned extension is in a schema of an app, or if another role than the administrator owns an
 * object in a schema of ours or of a planned extension. An app may own the extension itself: the server makes the
 * administrator the owner of what its script creates.
 *
 * The owner comes from the catalogs. `pg_shdepend` has no rows of predefined roles, such as `pg_database_owner`.
 */
function demandOnlyOurs(schema: string): string {
  const planned = 'SELECT e.oid FROM pg_extension e JOIN pg_temp.plan p ON p.name = e.extname';
  const notOurs = Object.entries(OWNER_COLUMNS).map(
    ([catalog, owner]) =>
      `SELECT '${catalog}'::regclass AS classid, oid AS objid FROM ${catalog} WHERE ${owner} <> '${ADMIN}'::regrole`,
  );
  return `\\set SHOW_CONTEXT never
    DO $demand$ DECLARE others text; BEGIN
      SELECT string_agg(DISTINCT format('%s (%s)', e.extname, e.extnamespace::regnamespace), ', ') INTO others
        FROM pg_extension e WHERE e.oid IN (${planned}) AND e.extnamespace NOT IN ('${schema}'::regnamespace, 'pg_catalog'::regnamespace);
      IF others IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = format('Needed extensions are in a schema that apps can change: %s. An app may have created them just now: add the extension again. If the error stays, drop them first.', others);
      END IF;
      SELECT string_agg(DISTINCT replace(pg_describe_object(o.classid, o.objid, 0), '${schema}.', ''), ', ') INTO others
        FROM (${notOurs.join(' UNION ALL ')}) o JOIN pg_depend d ON d.classid = o.classid AND d.objid = o.objid
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = '${schema}'::regnamespace
          OR d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass AND d.refobjid IN (${planned});
      IF others IS NOT NULL THEN
        RAISE EXCEPTION USING MESSAGE = format('A needed extension contains objects that the administrator does not own: %s. Remove them from it with ALTER EXTENSION … DROP, or drop and create it again. Then add the extension again.', others);
      END IF;
    END $demand$;`;
}

/** As the client's library takes it; quotes and «\\» are escaped in it, and once more in what psql reads. */
function conninfo({ username, password }: Login, database: string): string {
  return `host=127.0.0.1 port=5432 user=${value(username)} password=${value(password)} dbname=${value(database)}`;
}

function value(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function databaseOf({ database }: DatabaseFacts): string {
  return database ?? 'postgres';
}
