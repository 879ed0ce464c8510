/** Commands that run `psql` in a PostgreSQL container. `psql` connects over the server's Unix socket. */
import { ADMIN, type DatabaseCommand, type DatabaseFacts, type Login } from './dialect.ts';
import { GOES_ON } from './postgres-logins.ts';
import { BEGINNING, CLIENT, openToConnections, postgresLiteral, sessionEnv } from './postgres-session.ts';
import { scramVerifier } from './scram.ts';

/**
 * Data folder of the PostgreSQL server. The folder is a subfolder of the volume, because PostgreSQL changes the
 * permissions of its data folder.
 */
export const PGDATA = '/var/lib/postgresql/data/pgdata';

/**
 * Maximum wait for a lock in milliseconds. This time is shorter than the time limit of a command, so that PostgreSQL
 * can report an error.
 */
const LOCKED_MS = 20_000;
/**
 * Regular expression for the error message of PostgreSQL if a session blocks a statement and PostgreSQL cannot end this
 * session.
 */
const HELD = new RegExp(`lock timeout|${GOES_ON.source}`, 'm');

/**
 * Returns a command that runs SQL statements as PostgreSQL superuser. The command connects over the Unix socket in the
 * container.
 */
export function asAdministrator(statements: readonly string[]): DatabaseCommand {
  return {
    /*
     * Without `-w`, `psql` could read a password from its standard input, but the standard input contains the SQL
     * statements.
     */
    command: ['psql', '-X', '-q', '-A', '-t', '-w', '-v', 'ON_ERROR_STOP=1', '-U', ADMIN, '-d', BEGINNING],
    user: CLIENT.name,
    env: sessionEnv({ lock_timeout: String(LOCKED_MS) }),
    held: HELD,
    stdin: `${statements.join('\n')}\n`,
  };
}

/**
 * Returns a command that runs SQL statements in the database `postgres`. The first statement sets Davit's password,
 * because an app may have changed this password.
 */
export function inPostgres(facts: DatabaseFacts, statements: readonly string[]): DatabaseCommand {
  return asAdministrator([ownPassword(facts), connectTo('postgres'), ...statements]);
}

export function ownPassword({ adminPassword }: DatabaseFacts): string {
  return `ALTER ROLE ${ADMIN} WITH PASSWORD ${postgresLiteral(scramVerifier(adminPassword))} VALID UNTIL 'infinity';`;
}

/** Returns the database names in the output of SQL statements. The statements print one JSON object per database. */
export function databasesIn(stdout: string): string[] {
  return valuesIn(stdout, 'database');
}

/** Returns the role names in the output of SQL statements. The statements print one JSON object per role. */
export function rolesIn(stdout: string): string[] {
  return valuesIn(stdout, 'role');
}

function valuesIn(stdout: string, key: string): string[] {
  return stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    return (JSON.parse(line) as Record<string, string | undefined>)[key] ?? [];
  });
}

/**
 * Returns `psql` statements that allow connections to a database and then connect to it. The owner of the database may
 * have forbidden connections.
 */
export function entering(database: string): string[] {
  return [...openToConnections(database), connectTo(database)];
}

export function connectTo(database: string): string {
  return `\\connect -reuse-previous=on ${clientText(`dbname=${value(database)}`)}`;
}

/** Returns a quoted word for a `psql` command. In such a word, `psql` treats a backslash as an escape character. */
export function clientText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/**
 * Returns a connection string for libpq, in which quotes and backslashes are escaped. `clientText` escapes the whole
 * string again for `psql`.
 */
export function conninfo({ username, password }: Login, database: string): string {
  return `host=127.0.0.1 port=5432 user=${value(username)} password=${value(password)} dbname=${value(database)}`;
}

function value(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export function databaseNameIn({ database }: DatabaseFacts): string {
  return database ?? 'postgres';
}
