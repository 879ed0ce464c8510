/**
 * Roles and settings of the platform in a PostgreSQL database.
 * The owner of a database controls its functions, operators and casts, and the settings that `ALTER DATABASE … SET`
 * gives to every session. Therefore:
 *
 * - A superuser session has the settings below, which override settings of databases and roles. Such a session resolves
 *   names only in `pg_catalog`, uses only catalogs, and reads no row of a table.
 * - {@link READER} reads rows and {@link RESTORER} writes rows. Neither is a superuser, and no superuser opens their
 *   sessions. Code of the database in such a session only has its owner's rights.
 */
import { ADMIN } from './dialect.ts';

/** Owner of the data. Every login acts as this role. */
export const OWNER = 'davit_owner';
/** Role that reads all databases of its server, only over the socket in the container: see `postgres-access.ts`. */
export const READER = 'davit_reader';
/** Role that restores dumps, only over the socket in the container. */
export const RESTORER = 'davit_restorer';

/**
 * Container user of the platform's programs. Neither the server nor any other program in the container runs as this
 * user.
 */
export const CLIENT = { name: 'nobody', uid: 65_534 } as const;
/**
 * Database in which an administrator session without a database of its own starts.
 * A former superuser cannot block this database with a changed password: see `postgres-access.ts`.
 */
export const BEGINNING = 'template1';
/**
 * Path of the file with the password of {@link ADMIN}. Only {@link CLIENT} can read the file. Containers of earlier
 * versions have no such file.
 */
export const PASSWORDS = '/etc/davit/pgpass';

/** Time in milliseconds after which a platform task stops waiting for a lock. An app may hold a lock for ever. */
export const MOST_LOCKED_MS = 10 * 60_000;

/**
 * Settings that the owner of a database can set for all sessions, and that could change or end statements of the
 * platform.
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
 * Settings with the same risk that only some versions have. These settings are set for the roles, because a session
 * with an unknown setting fails.
 */
const LATER_SETTINGS = ['transaction_timeout'];

/**
 * Returns the environment of every `psql`, `pg_dump` and `pg_restore`.
 * @param further settings by name, without blanks
 */
export function sessionEnv(further: Record<string, string> = {}): Record<string, string> {
  const options = Object.entries({ ...SETTINGS, ...further }).map(([name, value]) => `-c ${name}=${value}`);
  return { PGOPTIONS: options.join(' '), PGCLIENTENCODING: 'UTF8', PGPASSFILE: PASSWORDS };
}

/** Roles that give access beyond the database, or superuser rights. */
const BEYOND = [ADMIN, 'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'];

/** Catalogs of roles and databases. A login may change its own rows and the row of its own database in them. */
const HELD = ['pg_authid', 'pg_auth_members', 'pg_database', 'pg_db_role_setting'];

/**
 * Returns a statement that ends other sessions with an open transaction that changed one of {@link HELD}.
 * Changes by the platform would wait for such a transaction. A session that does not react continues anyway. The
 * statement returns no rows.
 */
export function endHolders(): string[] {
  return [
    // A worker of the server, which runs code of indexes, has no user.
    `SELECT FROM (SELECT pg_terminate_backend(pid, 5000) AS ended FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND (usename IS NULL OR usename NOT IN (${[ADMIN, READER, RESTORER].map(postgresLiteral).join(', ')}))
      AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'relation' AND database = 0 AND mode = 'RowExclusiveLock'
        AND relation IN (${HELD.map((catalog) => `'${catalog}'::regclass`).join(', ')}))) s WHERE ended IS NULL;`,
  ];
}

/** Application names of the sessions that this process now runs as {@link READER} and {@link RESTORER}. */
export const OPEN_SESSIONS = new Set<string>();

/**
 * Returns a statement that ends sessions of {@link READER} and {@link RESTORER} that no task uses.
 * A session whose program was killed continues until its statement ends. The statement returns no rows.
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
 * Returns statements that create the roles above with exactly the rights of this version, whatever an earlier version
 * granted.
 * The statements are idempotent. The statements must run before each use, because a role that was made later may own
 * objects.
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
    // Settings of a role override settings of its database.
    `SELECT format('ALTER ROLE %I SET %I = 0', r, s.name) FROM pg_settings s,
      (VALUES ('${ADMIN}'), ('${READER}'), ('${RESTORER}')) l (r) WHERE s.name IN (${LATER_SETTINGS.map(postgresLiteral).join(', ')})\\gexec`,
  ];
}

/**
 * Returns statements that open a database again for all necessary logins.
 * The owner of a database may close it, limit its connections, and revoke the right to connect from PUBLIC and from
 * itself.
 * {@link READER}, {@link RESTORER} and every login have the owner's rights.
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

/** Returns a statement that creates a role if the role is missing. */
export function role(name: string, options: string): string {
  const statement = `CREATE ROLE ${postgresIdentifier(name)} ${options}`;
  return `SELECT ${postgresLiteral(statement)} WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${postgresLiteral(name)})\\gexec`;
}

/**
 * Returns a statement that sets the attributes of a role if they differ.
 * An app can lock the row of its role, and of {@link OWNER}, in a session that the server cannot end. The statement
 * waits for this lock only if an attribute differs.
 * @param isSo condition on `pg_authid`
 * @param report expression on `pg_authid` whose value is part of the output if an attribute differs
 */
export function alterRole(name: string, attributes: string, isSo: string, report?: string): string {
  const statement = `ALTER ROLE ${postgresIdentifier(name)} WITH ${attributes}`;
  // `psql` runs the columns of a row one after another. Both come from the same look at the row.
  const reported = report === undefined ? '' : `format('SELECT %L', ${report}), `;
  return `SELECT ${reported}${postgresLiteral(statement)} FROM pg_authid WHERE rolname = ${postgresLiteral(name)} AND (${isSo}) IS NOT TRUE\\gexec`;
}

/**
 * Returns a statement that makes roles members of each chosen role, if a membership is missing.
 * @param isChosen condition on `pg_roles r`
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
 * Returns an SQL literal. Every session of the platform uses standard-conforming strings, so that only quotes need
 * escaping.
 */
export function postgresLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
