/** Commands of the platform in a PostgreSQL server: they run `psql` over the socket of the container. */
import { ADMIN, type DatabaseCommand, type DatabaseFacts, type Login } from './dialect.ts';
import { GOES_ON } from './postgres-logins.ts';
import { BEGINNING, CLIENT, openToConnections, postgresLiteral, sessionEnv } from './postgres-session.ts';
import { scramVerifier } from './scram.ts';

/**
 * Data folder. The data folder is below the volume's root, because the server requires its own permissions on this
 * folder.
 */
export const PGDATA = '/var/lib/postgresql/data/pgdata';

/**
 * Lock timeout in milliseconds. The timeout is shorter than the time limit of a command, so that the server can report
 * the lock.
 */
const LOCKED_MS = 20_000;
/** Output of the server if a session that cannot be ended blocks a statement. */
const HELD = new RegExp(`lock timeout|${GOES_ON.source}`, 'm');

/** Returns a command that runs statements as the superuser over the socket. */
export function asAdministrator(statements: readonly string[]): DatabaseCommand {
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
export function inPostgres(facts: DatabaseFacts, statements: readonly string[]): DatabaseCommand {
  return asAdministrator([ownPassword(facts), connectTo('postgres'), ...statements]);
}

export function ownPassword({ adminPassword }: DatabaseFacts): string {
  return `ALTER ROLE ${ADMIN} WITH PASSWORD ${postgresLiteral(scramVerifier(adminPassword))} VALID UNTIL 'infinity';`;
}

/** Returns the databases that the output of statements lists as JSON lines. */
export function databasesIn(stdout: string): string[] {
  return valuesIn(stdout, 'database');
}

/** Returns the roles that the output of statements lists as JSON lines. */
export function rolesIn(stdout: string): string[] {
  return valuesIn(stdout, 'role');
}

function valuesIn(stdout: string, key: string): string[] {
  return stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    return (JSON.parse(line) as Record<string, string | undefined>)[key] ?? [];
  });
}

/** Returns statements that open a database, which its owner may have closed, and connect to the database. */
export function entering(database: string): string[] {
  return [...openToConnections(database), connectTo(database)];
}

export function connectTo(database: string): string {
  return `\\connect -reuse-previous=on ${clientText(`dbname=${value(database)}`)}`;
}

/** Returns a quoted word for `psql`, in which a backslash begins an escape. */
export function clientText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

/**
 * Returns a connection string for libpq. Quotes and backslashes are escaped for libpq, and {@link clientText} escapes
 * the result again for `psql`.
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
