/**
 * Roles and session settings of Davit in a PostgreSQL database.
 *
 * The owner of a database controls its functions, operators and casts. `ALTER DATABASE … SET` also lets the owner
 * change the settings of every session. Therefore:
 * - A superuser session has the settings below, which override settings of databases and roles. It resolves names
 *   only in `pg_catalog`, uses only catalogs, and reads no row of a table.
 * - `davit_reader` reads rows and `davit_restorer` writes rows. Neither role is a superuser, and their sessions are
 *   not opened by a superuser. Code of the database in such a session has only its owner's permissions.
 */
import { ADMIN } from './dialect.ts';

/**
 * PostgreSQL role that owns the app's data. When an app signs in with its login, PostgreSQL switches the session to
 * this role.
 */
export const OWNER = 'davit_owner';
/**
 * PostgreSQL role that reads all databases of its server for backups. It connects only over the socket in the
 * container.
 */
export const READER = 'davit_reader';
/** PostgreSQL role that restores dumps. It connects only over the socket in the container. */
export const RESTORER = 'davit_restorer';

/**
 * Container user that runs Davit's own programs. No other program in the container, such as the database server, runs
 * as this user.
 */
export const CLIENT = { name: 'nobody', uid: 65_534 } as const;
/**
 * Database to which Davit connects as administrator if a command needs no specific database. Davit signs in to this
 * database without a password. So the sign-in still works after an app with superuser permissions has changed the
 * administrator's password.
 */
export const BEGINNING = 'template1';
/**
 * Path of the file with the administrator's password. Only the container user `nobody` can read the file. Containers
 * of earlier Davit versions do not have this file.
 */
export const PASSWORDS = '/etc/davit/pgpass';

/** Maximum wait of a Davit task for a lock in PostgreSQL, in milliseconds. An app may hold a lock for ever. */
export const MOST_LOCKED_MS = 10 * 60_000;

/**
 * PostgreSQL settings for Davit's sessions. They override settings that the owner of a database can set for all
 * sessions. Such settings could make Davit's statements fail or change their results.
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
 * PostgreSQL settings that only newer versions have. Davit stores these settings in its own PostgreSQL roles. It does
 * not pass them as session options, because older servers reject a session with an unknown option.
 */
const LATER_SETTINGS = ['transaction_timeout'];

/**
 * Returns the environment variables for the programs `psql`, `pg_dump` and `pg_restore`.
 * @param further additional PostgreSQL settings, as a map from name to value. A value must not contain spaces.
 */
export function sessionEnv(further: Record<string, string> = {}): Record<string, string> {
  const options = Object.entries({ ...SETTINGS, ...further }).map(([name, value]) => `-c ${name}=${value}`);
  return { PGOPTIONS: options.join(' '), PGCLIENTENCODING: 'UTF8', PGPASSFILE: PASSWORDS };
}

/** PostgreSQL roles that give superuser permissions or access to other databases or files. */
const BEYOND = [ADMIN, 'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'];

/**
 * PostgreSQL system tables that contain roles and databases. An app can lock the rows of its own role and its own
 * database in these tables, because it may change this role and this database.
 */
const HELD = ['pg_authid', 'pg_auth_members', 'pg_database', 'pg_db_role_setting'];

/**
 * Returns an SQL statement that ends sessions with an uncommitted change to a role or database. Otherwise, Davit's own
 * changes would wait for these sessions. A session stays open if PostgreSQL cannot end it. The statement returns no
 * rows.
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

/**
 * PostgreSQL sessions that this Davit process uses for backups and restores. Each value is the `application_name` of a
 * session of `davit_reader` or `davit_restorer`.
 */
export const OPEN_SESSIONS = new Set<string>();

/**
 * Returns an SQL statement that ends old sessions of `davit_reader` and `davit_restorer`. A session can stay open after
 * its client program was killed, because PostgreSQL first finishes the running statement. The statement returns no
 * rows.
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
 * Returns SQL statements that create Davit's roles with exactly the permissions of this Davit version. The statements
 * are idempotent. Run them before each use of the roles.
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
 * Returns SQL statements that allow Davit's roles and the logins of apps to connect to a database again. The owner of
 * a database may have disallowed or limited connections. The owner may also have revoked the permission `CONNECT`
 * from PUBLIC and from itself.
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
 * Returns a `psql` statement that changes the attributes of a role only if they differ. An app can lock the rows of
 * its role and of `davit_owner` in a session that PostgreSQL cannot end. If the attributes are equal, the statement
 * does not wait for this lock.
 * @param isSo SQL condition on `pg_authid` that is true if the attributes are right
 * @param report SQL expression on `pg_authid` whose value is part of the output if an attribute differs
 */
export function alterRole(name: string, attributes: string, isSo: string, report?: string): string {
  const statement = `ALTER ROLE ${postgresIdentifier(name)} WITH ${attributes}`;
  // PostgreSQL evaluates `report` before it runs `ALTER ROLE`. So the output shows the old attributes of the role.
  const reported = report === undefined ? '' : `format('SELECT %L', ${report}), `;
  return `SELECT ${reported}${postgresLiteral(statement)} FROM pg_authid WHERE rolname = ${postgresLiteral(name)} AND (${isSo}) IS NOT TRUE\\gexec`;
}

/**
 * Returns a `psql` statement that grants PostgreSQL roles to the roles in `members`. It skips roles that a member
 * already has.
 * @param isChosen SQL condition that selects the roles to grant; in this condition, a role has the alias `r`
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
 * Returns an SQL string literal. Only single quotes are escaped. A backslash needs no escaping, because every session
 * of Davit sets `standard_conforming_strings`.
 */
export function postgresLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
