/**
 * Roles and settings of Davit's PostgreSQL sessions. The owner of a database controls the code in the database. So
 * superuser sessions must use only system catalogs.
 */
import { ADMIN } from './dialect.ts';

/**
 * PostgreSQL role that owns the data of apps. After an app signs in with its login, PostgreSQL switches the session to
 * this role.
 */
export const OWNER = 'davit_owner';
/**
 * PostgreSQL role that reads rows for backups. The role is not a superuser, so that code in a database gets only the
 * permissions of its owner.
 */
export const READER = 'davit_reader';
/**
 * PostgreSQL role that restores dumps over the Unix socket of the container. The role is not a superuser, so that code
 * in a dump cannot use superuser permissions.
 */
export const RESTORER = 'davit_restorer';

/**
 * Container user that runs Davit's own programs. No other program in the container runs as this user, not even the
 * database server.
 */
export const CLIENT = { name: 'nobody', uid: 65_534 } as const;
/**
 * Database for administrator commands. Davit connects to this database without a password, because an app may have
 * changed the administrator's password.
 */
export const BEGINNING = 'template1';
/**
 * Path of the administrator's password file. Only the container user with the ID 65534 can read the file. Containers of
 * earlier Davit versions do not have this file.
 */
export const PASSWORDS = '/etc/davit/pgpass';

/**
 * Maximum time in milliseconds for which a Davit task waits for a lock in PostgreSQL. An app may keep a lock forever.
 */
export const MOST_LOCKED_MS = 10 * 60_000;

/**
 * PostgreSQL settings for Davit's sessions. These settings override the settings of a database. Otherwise, the owner of
 * the database could change the results of statements.
 */
const SETTINGS: Record<string, string> = {
  search_path: 'pg_catalog,pg_temp',
  role: 'none',
  standard_conforming_strings: 'on',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  default_transaction_isolation: String.raw`read\ committed`,
  default_tablespace: '',
  statement_timeout: '0',
  lock_timeout: String(MOST_LOCKED_MS),
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transform_null_equals: 'off',
  client_min_messages: 'warning',
  local_preload_libraries: '',
};

/**
 * Settings that only newer PostgreSQL versions support. They are stored in Davit's roles, because an older server
 * rejects a session with an unknown setting.
 */
const LATER_SETTINGS = ['transaction_timeout'];

/**
 * Returns the environment variables for `psql`, `pg_dump` and `pg_restore`.
 * @param further PostgreSQL settings by name. A value must not contain spaces.
 */
export function sessionEnv(further: Record<string, string> = {}): Record<string, string> {
  const options = Object.entries({ ...SETTINGS, ...further }).map(([name, value]) => `-c ${name}=${value}`);
  return { PGOPTIONS: options.join(' '), PGCLIENTENCODING: 'UTF8', PGPASSFILE: PASSWORDS };
}

/** PostgreSQL roles that give superuser permissions or access to other databases or files. */
const BEYOND = [ADMIN, 'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'];

/**
 * PostgreSQL system tables for roles and databases. An app can lock the rows of its own role and database, because the
 * app may change these rows.
 */
const HELD = ['pg_authid', 'pg_auth_members', 'pg_database', 'pg_db_role_setting'];

/**
 * Returns an SQL statement that ends sessions with uncommitted changes to roles or databases. Otherwise, Davit would
 * have to wait for these sessions. The statement returns no rows.
 */
export function endHolders(): string[] {
  return [
    /*
     * Also end sessions without a user name. These sessions are PostgreSQL background workers, which may run code of an
     * app.
     */
    `SELECT FROM (SELECT pg_terminate_backend(pid, 5000) AS ended FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND (usename IS NULL OR usename NOT IN (${[ADMIN, READER, RESTORER].map(postgresLiteral).join(', ')}))
      AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'relation' AND database = 0 AND mode = 'RowExclusiveLock'
        AND relation IN (${HELD.map((catalog) => `'${catalog}'::regclass`).join(', ')}))) s WHERE ended IS NULL;`,
  ];
}

/**
 * Values of `application_name` for the sessions of `davit_reader` and `davit_restorer` that this Davit process uses.
 */
export const OPEN_SESSIONS = new Set<string>();

/**
 * Returns an SQL statement that ends old sessions of Davit's roles. A session can continue after its client program was
 * killed. The statement returns no rows.
 */
function endOrphans(): string[] {
  const open = [...OPEN_SESSIONS].map(postgresLiteral).join(', ');
  return [
    `SELECT FROM (SELECT pg_terminate_backend(pid, 5000) AS ended FROM pg_stat_activity
      WHERE usename IN ('${READER}', '${RESTORER}') AND application_name <> ALL (ARRAY[${open}]::text[])
        AND backend_start < to_timestamp(${Date.now() / 1_000})) s WHERE ended IS NULL;`,
  ];
}

/**
 * Returns idempotent SQL statements that create Davit's roles and set their permissions. Run these statements before
 * each use of the roles.
 */
export function platformRoles(): string[] {
  const none = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION';
  const hasNone = 'NOT (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication)';
  const isOpen = 'rolcanlogin AND rolconnlimit = -1 AND rolpassword IS NULL';
  const open = 'CONNECTION LIMIT -1 PASSWORD NULL';
  return [
    ...endHolders(),
    ...endOrphans(),
    role(OWNER, 'NOLOGIN'),
    alterRole(OWNER, `NOLOGIN ${none} NOBYPASSRLS`, `${hasNone} AND NOT rolcanlogin AND NOT rolbypassrls`),
    /*
     * Davit signs in directly as these roles. If a superuser session used `SET ROLE` instead, code in a database could
     * undo it.
     */
    role(READER, 'LOGIN'),
    alterRole(READER, `LOGIN ${none} BYPASSRLS ${open}`, `${hasNone} AND ${isOpen} AND rolbypassrls`),
    grantRole(`r.rolname = 'pg_read_all_data'`, [READER]),
    role(RESTORER, 'LOGIN'),
    alterRole(RESTORER, `LOGIN ${none} NOBYPASSRLS ${open}`, `${hasNone} AND ${isOpen} AND NOT rolbypassrls`),
    grantRole(
      `r.rolname !~ '^pg_' AND r.rolname NOT IN ('${READER}', '${RESTORER}') AND NOT r.rolsuper
        AND NOT EXISTS (SELECT FROM pg_roles b WHERE b.rolname IN (${BEYOND.map(postgresLiteral).join(', ')})
          AND pg_has_role(r.oid, b.oid, 'MEMBER'))`,
      [READER, RESTORER],
    ),
    /*
     * Store these settings in Davit's roles. The settings of a role override the settings of a database, which an app
     * can change.
     */
    `SELECT format('ALTER ROLE %I SET %I = 0', r, s.name) FROM pg_settings s,
      (VALUES ('${ADMIN}'), ('${READER}'), ('${RESTORER}')) l (r) WHERE s.name IN (${LATER_SETTINGS.map(postgresLiteral).join(', ')})\\gexec`,
  ];
}

/**
 * Returns SQL statements after which Davit's roles and the logins of apps can connect to a database. The owner of the
 * database may have forbidden connections.
 */
export function openToConnections(database: string): string[] {
  const of = (
    statement: string,
    only: string,
  ) => `SELECT format(${postgresLiteral(`ALTER DATABASE %I ${statement}`)}, datname)
    FROM pg_database WHERE datname = ${postgresLiteral(database)} AND ${only}\\gexec`;
  return [
    ...endHolders(),
    of('ALLOW_CONNECTIONS true', 'NOT datallowconn'),
    of('CONNECTION LIMIT -1', 'datconnlimit > -1'),
    `SELECT format('GRANT CONNECT ON DATABASE %I TO ${OWNER}', datname) FROM pg_database
      WHERE datname = ${postgresLiteral(database)} AND NOT has_database_privilege('${OWNER}', datname, 'CONNECT')\\gexec`,
  ];
}

/** Returns a `psql` statement that creates a role if the role is missing. */
export function role(name: string, options: string): string {
  const statement = `CREATE ROLE ${postgresIdentifier(name)} ${options}`;
  return `SELECT ${postgresLiteral(statement)} WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${postgresLiteral(name)})\\gexec`;
}

/**
 * Returns a `psql` statement that changes a role only if the condition `isSo` is false. Without this condition, the
 * lock of an app on the role could block Davit.
 * @param report SQL expression whose value is printed before a change
 */
export function alterRole(name: string, attributes: string, isSo: string, report?: string): string {
  const statement = `ALTER ROLE ${postgresIdentifier(name)} WITH ${attributes}`;
  // PostgreSQL evaluates `report` before it runs `ALTER ROLE`. So the output contains the old attributes of the role.
  const reported = report === undefined ? '' : `format('SELECT %L', ${report}), `;
  return `SELECT ${reported}${postgresLiteral(statement)} FROM pg_authid WHERE rolname = ${postgresLiteral(name)} AND (${isSo}) IS NOT TRUE\\gexec`;
}

/**
 * Returns a `psql` statement that grants roles to `members`. If a member already has a role, the role is not granted
 * again.
 * @param isChosen SQL condition for the roles `r` to grant
 */
export function grantRole(isChosen: string, members: readonly string[]): string {
  return `SELECT format('GRANT %I TO %I', r.rolname, u.rolname) FROM pg_roles r, pg_roles u
      WHERE ${isChosen} AND u.rolname IN (${members.map(postgresLiteral).join(', ')})
        AND NOT EXISTS (SELECT FROM pg_auth_members m WHERE m.roleid = r.oid AND m.member = u.oid)\\gexec`;
}

export function postgresIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns an SQL string literal. Backslashes are not escaped, because each session of Davit sets
 * `standard_conforming_strings`.
 */
export function postgresLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
