import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import { replaceCertificateFile } from './certificate-file.ts';
import { ADMIN, admittedBy, type Dialect, secretFile } from './dialect.ts';
import { ACCESS, accessFiles, withAccess } from './postgres-access.ts';
import {
  asAdministrator,
  clientText,
  connectTo,
  conninfo,
  databaseNameIn,
  databasesIn,
  entering,
  inPostgres,
  PGDATA,
  rolesIn,
} from './postgres-commands.ts';
import { extensionStatements } from './postgres-extensions.ts';
import { openDatabases } from './postgres-leftovers.ts';
import {
  CONNECTIONS,
  changedLogins,
  endLogin,
  endSurplus,
  GOES_ON,
  limitConnections,
  listVerifiers,
  loginStatements,
  releaseOwned,
  removeRole,
} from './postgres-logins.ts';
import { postgresRules, renewPostgresRules } from './postgres-rules.ts';
import { endHolders, OWNER, openToConnections, postgresIdentifier, postgresLiteral } from './postgres-session.ts';

const UID = 999;
/**
 * Libraries that PostgreSQL must load at its start. Each key is the SQL name of the extension that needs the library.
 */
const PRELOADED: Record<string, string> = { pg_stat_statements: 'pg_stat_statements', vchord: 'vchord' };

/**
 * PostgreSQL settings that prevent the start of programs and the use of other libraries. Davit passes the settings as
 * arguments, because arguments override the configuration files.
 */
export const POSTGRES_PROGRAMS = {
  ...{ archive_mode: 'off', archive_command: '', archive_library: '', archive_cleanup_command: '' },
  ...{ restore_command: '', recovery_end_command: '', ssl_passphrase_command: '' },
  ...{ session_preload_libraries: '', local_preload_libraries: '', dynamic_library_path: '$libdir' },
  /*
   * Set `jit_provider` to its default. With another value, PostgreSQL could load a library from outside its library
   * folder.
   */
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
  /*
   * Stop PostgreSQL with SIGINT. PostgreSQL then closes all connections and writes all data. With SIGTERM, PostgreSQL
   * would wait for clients.
   */
  stop: { signal: 'SIGINT', graceS: 60 },
  serve(facts, { gateway }) {
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
  // Connect over TCP. While the server initializes its data folder, it accepts only connections on the Unix socket.
  ready: () => ({
    command: ['pg_isready', '-q', '-h', '127.0.0.1', '-p', '5432', '-U', ADMIN, '-d', 'postgres'],
    user: 'postgres',
    stdin: '',
  }),
  setUp(facts) {
    const database = databaseNameIn(facts);
    const statements = [
      ...postgresRules(facts),
      `SELECT 'CREATE DATABASE ${postgresIdentifier(database)} OWNER ${OWNER}' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = ${postgresLiteral(database)})\\gexec`,
      `ALTER DATABASE ${postgresIdentifier(database)} OWNER TO ${OWNER};`,
      ...entering(database),
      `ALTER SCHEMA public OWNER TO ${OWNER};`,
      ...extensionStatements(facts.extensions),
      /*
       * End sessions that code of a restored dump has opened. There are no sessions of apps yet, because apps cannot
       * sign in.
       */
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename <> '${ADMIN}';`,
    ];
    return withAccess(facts, () => inPostgres(facts, statements));
  },
  loadCertificate: (facts) => replaceCertificateFile(facts, () => asAdministrator(['SELECT pg_reload_conf();'])),
  renewRules: renewPostgresRules,
  hasPasswords: (facts) => ({
    ...asAdministrator(listVerifiers(facts)),
    isGood: (stdout) => changedLogins(facts, stdout).length === 0,
  }),
  admit: (facts) => withAccess(facts, () => null),
  // Also set the connection limits. An old login without a limit could use all connections and block the new login.
  addLogin: (facts, login) => ({
    ...asAdministrator([...endHolders(), ...loginStatements(facts, login), ...limitConnections(), ...endSurplus()]),
    followUp: () => withAccess({ ...facts, admitted: [...admittedBy(facts), login] }, () => null),
  }),
  logIn: (facts, login) => ({
    // The exit code shows whether the login works. If the server rejects the login, `psql` exits with an error.
    ...asAdministrator([
      ...openToConnections(databaseNameIn(facts)),
      `\\connect ${clientText(conninfo(login, databaseNameIn(facts)))}`,
      'SELECT 1;',
    ]),
    // Each error may be caused by a session of an app. For example, a session can forbid new connections.
    held: /^/,
  }),
  // Without `-w`, `psql` would wait for a password if the server rejects the login.
  shell: ({ username, password, database }) => ({
    command: ['psql', '-X', '-w', '-P', 'pager=off'],
    env: {
      ...{ PGHOST: '127.0.0.1', PGPORT: '5432', PGUSER: username, PGPASSWORD: password, PGDATABASE: database ?? '' },
      ...{ PGCLIENTENCODING: 'UTF8', PSQL_HISTORY: '/dev/null' },
    },
  }),
  endLogin: (facts, { username }) =>
    withAccess(facts, () => ({
      ...asAdministrator(endLogin(username)),
      isGood: (stdout) => !GOES_ON.test(stdout),
    })),
  removeLogins: (facts, usernames) => ({
    ...asAdministrator([...openDatabases(), ...listRoles(usernames)]),
    followUp(stdout) {
      const roles = rolesIn(stdout);
      if (roles.length === 0) return null;
      const released = roles.flatMap(releaseOwned);
      return inPostgres(facts, [
        ...databasesIn(stdout).flatMap((name) => [connectTo(name), ...released]),
        ...roles.flatMap(removeRole),
      ]);
    },
  }),
  addExtensions: (facts, extensions) =>
    asAdministrator([...entering(databaseNameIn(facts)), ...extensionStatements(extensions)]),
  loaded: loadedFor,
  available: () => asAdministrator(['SELECT name FROM pg_available_extensions;']),
  hasExtensions: true,
  hasPointInTime: true,
  hasConfigCommand: false,
  defaultUser: 'postgres',
  reserved: { users: /^(pg_.*|davit_.*|public|none)$/i, databases: /^template[01]$/ },
};

function listRoles(names: readonly string[]): string[] {
  const listed = names.map(postgresLiteral).join(', ');
  return [`SELECT json_build_object('role', rolname) FROM pg_roles WHERE rolname IN (${listed}) ORDER BY rolname;`];
}
