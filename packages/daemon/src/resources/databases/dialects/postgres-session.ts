/**
 * The roles and the settings that the platform works with in a database of PostgreSQL. Whoever owns a database decides what
 * its functions, operators and casts do, and what `ALTER DATABASE … SET` gives to every session. Therefore:
 *
 * - A session of the superuser has the settings below, which win over those of databases and roles. It resolves names in
 *   `pg_catalog` alone, touches catalogs alone, and reads no row of a table.
 * - Rows are read by {@link READER} and written by {@link RESTORER}. Neither is a superuser, also not as the user that the
 *   session was opened by: code of the database that runs in such a session finds no more rights than its owner has.
 */
import { ADMIN } from './dialect.ts';

/** Owns the data; every login acts as this role. */
export const OWNER = 'davit_owner';
/** Reads everything in the databases of its server, over the socket in the container alone: see `postgres-access.ts`. */
export const READER = 'davit_reader';
/** Reads dumps in, likewise. */
export const RESTORER = 'davit_restorer';

/** User of the container that the platform's programs run as. The server never does, nor anything else in there. */
export const CLIENT = { name: 'nobody', uid: 65_534 } as const;
/**
 * Where a session of the administrator begins that is about no database of its own. Not even somebody who was superuser can take
 * it away by another password: see `postgres-access.ts`.
 */
export const BEGINNING = 'template1';
/** Password of {@link ADMIN}, in a file that {@link CLIENT} alone reads. A container of an earlier version has none. */
export const PASSWORDS = '/etc/davit/pgpass';

/** An app may hold a lock for ever; a task of the platform that waits for it ends after this time. In milliseconds. */
export const MOST_LOCKED_MS = 10 * 60_000;

/** What the owner of a database may set for all of its sessions, and what would change the meaning of our statements or end them. */
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

/** Likewise, in some versions alone. A session that names a setting which its server does not know ends, so the roles have these. */
const LATER_SETTINGS = ['transaction_timeout'];

/** The environment of every `psql`, `pg_dump` and `pg_restore`. @param further settings by name, without blanks */
export function sessionEnv(further: Record<string, string> = {}): Record<string, string> {
  const options = Object.entries({ ...SETTINGS, ...further }).map(([name, value]) => `-c ${name}=${value}`);
  return { PGOPTIONS: options.join(' '), PGCLIENTENCODING: 'UTF8', PGPASSFILE: PASSWORDS };
}

/** Roles that lead out of the database, or to the superuser. */
const BEYOND = [ADMIN, 'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'];

/** Catalogs of roles and databases, of which a login may change what is about itself and its own database. */
const HELD = ['pg_authid', 'pg_auth_members', 'pg_database', 'pg_db_role_setting'];

/**
 * A statement that ends the sessions of others which have changed one of {@link HELD} in a transaction that goes on: what we
 * change there would wait for its end. One that does not listen goes on all the same. Answers nothing.
 */
export function endHolders(): string[] {
  return [
    `SELECT FROM (SELECT pg_terminate_backend(pid, 5000) AS ended FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND usename NOT IN (${[ADMIN, READER, RESTORER].map(postgresLiteral).join(', ')})
      AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'relation' AND database = 0 AND mode = 'RowExclusiveLock'
        AND relation IN (${HELD.map((catalog) => `'${catalog}'::regclass`).join(', ')}))) s WHERE ended IS NULL;`,
  ];
}

/** What the programs call their sessions that this process has run as {@link READER} and {@link RESTORER} now. */
export const OPEN_SESSIONS = new Set<string>();

/**
 * A statement that ends sessions of {@link READER} and {@link RESTORER} which no task has any more. A session goes on when the
 * program that opened it was killed, for as long as its statement takes. Answers nothing.
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
 * Statements that make the roles above, with no more rights than this version gives them, whatever an earlier one gave.
 * They may be repeated, and have to be before each use: a role that was made since may own something.
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
    // What a role has wins over what its database has.
    `SELECT format('ALTER ROLE %I SET %I = 0', r, s.name) FROM pg_settings s,
      (VALUES ('${ADMIN}'), ('${READER}'), ('${RESTORER}')) l (r) WHERE s.name IN (${LATER_SETTINGS.map(postgresLiteral).join(', ')})\\gexec`,
  ];
}

/**
 * Statements that let everybody into a database again who has to get in: its owner may close it, limit how many come, and
 * take the right to come from PUBLIC and from itself. {@link READER}, {@link RESTORER} and every login have the owner's rights.
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

/** A statement that makes a role where it is not there. */
export function role(name: string, options: string): string {
  const statement = `CREATE ROLE ${postgresIdentifier(name)} ${options}`;
  return `SELECT ${postgresLiteral(statement)} WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${postgresLiteral(name)})\\gexec`;
}

/**
 * A statement that gives a role its attributes unless it has them. An app can hold the row of its role, and of {@link OWNER},
 * in a session that the server cannot end: the statement waits for that only if there is something to change.
 * @param isSo a condition on `pg_authid`
 */
export function alterRole(name: string, attributes: string, isSo: string): string {
  const statement = `ALTER ROLE ${postgresIdentifier(name)} WITH ${attributes}`;
  return `SELECT ${postgresLiteral(statement)} FROM pg_authid WHERE rolname = ${postgresLiteral(name)} AND (${isSo}) IS NOT TRUE\\gexec`;
}

/**
 * Likewise a statement that makes roles members of each role that is chosen.
 * @param isChosen a condition on `pg_roles r`
 */
export function grantRole(isChosen: string, members: readonly string[]): string {
  return `SELECT format('GRANT %I TO %I', r.rolname, u.rolname) FROM pg_roles r, pg_roles u
      WHERE ${isChosen} AND u.rolname IN (${members.map(postgresLiteral).join(', ')})
        AND NOT EXISTS (SELECT FROM pg_auth_members m WHERE m.roleid = r.oid AND m.member = u.oid)\\gexec`;
}

export function postgresIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** With standard strings, which every session of ours has. */
export function postgresLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
