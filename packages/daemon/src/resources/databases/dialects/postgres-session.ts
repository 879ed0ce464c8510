/**
 * Roles and settings of Davit's PostgreSQL sessions. The owner of a database controls its code, so superuser sessions
 * use only system catalogs.
 */
import { ADMIN } from './dialect.ts';

/**
 * PostgreSQL role that owns the app's data. When an app signs in with its login, PostgreSQL switches the session to
 * this role.
 */
export const OWNER = 'davit_owner';
/**
 * PostgreSQL role that reads rows for backups. It is no superuser, so that code of a database gets only its owner's
 * permissions.
 */
export const READER = 'davit_reader';
/**
 * PostgreSQL role that restores dumps over the container's socket. It is no superuser, so that code in a dump gets no
 * more permissions.
 */
export const RESTORER = 'davit_restorer';

/**
 * Container user that runs Davit's own programs. No other program in the container, such as the database server, runs
 * as this user.
 */
export const CLIENT = { name: 'nobody', uid: 65_534 } as const;
/**
 * Database for administrator commands. Davit signs in to it without a password, because an app may have changed the
 * administrator's password.
 */
export const BEGINNING = 'template1';
/**
 * Path of the password file of the administrator. Only the user `nobody` in the container can read the file. Containers
 * of earlier Davit versions have no such file.
 */
export const PASSWORDS = '/etc/davit/pgpass';

/** Maximum wait of a Davit task for a lock in PostgreSQL, in milliseconds. An app may hold a lock for ever. */
export const MOST_LOCKED_MS = 10 * 60_000;

/**
 * PostgreSQL settings for Davit's sessions. They override settings of a database's owner, which could change the
 * results of statements.
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
 * Settings of newer PostgreSQL versions. They are stored in Davit's roles, because older servers reject a session with
 * an unknown option.
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
 * PostgreSQL system tables for roles and databases. An app can lock the rows of its own role and database, because it
 * may change them.
 */
const HELD = ['pg_authid', 'pg_auth_members', 'pg_database', 'pg_db_role_setting'];

/**
 * Returns an SQL statement without result rows that ends sessions with uncommitted changes to roles or databases.
 * Otherwise, Davit would wait for these sessions.
 */
export function endHolders(): string[] {
  return [
    // Also end sessions without a user name: they are PostgreSQL background workers, which may run an app's code.
    `SELECT FROM (SELECT pg_terminate_backend(pid, 5000) AS ended FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND (usename IS NULL OR usename NOT IN (${[ADMIN, READER, RESTORER].map(postgresLiteral).join(', ')}))
      AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'relation' AND database = 0 AND mode = 'RowExclusiveLock'
        AND relation IN (${HELD.map((catalog) => `'${catalog}'::regclass`).join(', ')}))) s WHERE ended IS NULL;`,
  ];
}

/** Values of `application_name` of the sessions of `davit_reader` and `davit_restorer` that this Davit process uses. */
export const OPEN_SESSIONS = new Set<string>();

/**
 * Returns an SQL statement without result rows that ends old sessions of Davit's roles. A session can outlive its
 * killed client program.
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
 * Returns idempotent SQL statements that create Davit's roles with exactly their permissions. Run them before each use
 * of the roles.
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
    // Davit signs in as these roles, because code of a database could undo a `SET ROLE` of a superuser session.
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
    // Store these settings in Davit's roles. They override the settings of a database, which an app can change.
    `SELECT format('ALTER ROLE %I SET %I = 0', r, s.name) FROM pg_settings s,
      (VALUES ('${ADMIN}'), ('${READER}'), ('${RESTORER}')) l (r) WHERE s.name IN (${LATER_SETTINGS.map(postgresLiteral).join(', ')})\\gexec`,
  ];
}

/**
 * Returns SQL statements that let Davit's roles and app logins connect to a database again, because its owner may have
 * prevented this.
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
 * Returns a `psql` statement that changes a role only if the condition `isSo` is false. Otherwise, an app's lock on the
 * role could block Davit.
 * @param report SQL expression to print before a change
 */
export function alterRole(name: string, attributes: string, isSo: string, report?: string): string {
  const statement = `ALTER ROLE ${postgresIdentifier(name)} WITH ${attributes}`;
  // PostgreSQL evaluates `report` before it runs `ALTER ROLE`. So the output shows the old attributes of the role.
  const reported = report === undefined ? '' : `format('SELECT %L', ${report}), `;
  return `SELECT ${reported}${postgresLiteral(statement)} FROM pg_authid WHERE rolname = ${postgresLiteral(name)} AND (${isSo}) IS NOT TRUE\\gexec`;
}

/**
 * Returns a `psql` statement that grants roles to `members`, unless a member already has the role.
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
 * Returns an SQL string literal. A backslash needs no escaping, because every session of Davit sets
 * `standard_conforming_strings`.
 */
export function postgresLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
