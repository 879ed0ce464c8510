/**
 * Logins of apps in a PostgreSQL server: creation, end, and removal of remains.
 * A login can resist its end: it can lock its role in a transaction, open sessions, and own objects in every database.
 * Therefore the end of a login does not depend on the login's state, and the removal may fail.
 */
import { createHmac } from 'node:crypto';
import { ADMIN, type DatabaseFacts, type Login } from './dialect.ts';
import {
  alterRole,
  endHolders,
  grantRole,
  OWNER,
  postgresIdentifier,
  postgresLiteral,
  READER,
  RESTORER,
  role,
} from './postgres-session.ts';
import { isVerifierOf, scramVerifier } from './scram.ts';

/** Time limit for each lock during the removal of a login, because an app may hold a lock for ever. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '5s';";

/** Number of attempts. Each attempt first ends sessions, because a session that was signing in may appear late. */
const ATTEMPTS = 2;

/**
 * Returns statements that create a login or give an existing login exactly these rights. The statements change only
 * what differs.
 */
export function loginStatements(facts: DatabaseFacts, login: Login): string[] {
  const { username } = login;
  const rights = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
  const verifier = postgresLiteral(verifierOf(facts, login));
  return [
    role(username, 'LOGIN'),
    alterRole(
      username,
      `${rights} PASSWORD ${verifier} VALID UNTIL 'infinity'`,
      `rolcanlogin AND NOT (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)
        AND rolpassword = ${verifier} AND coalesce(rolvaliduntil, 'infinity') = 'infinity'`,
      REPORTED,
    ),
    grantRole(`r.rolname = ${postgresLiteral(OWNER)}`, [username]),
    `SELECT ${postgresLiteral(`ALTER ROLE ${postgresIdentifier(username)} SET role = ${postgresLiteral(OWNER)}`)} FROM pg_roles r
      WHERE r.rolname = ${postgresLiteral(username)} AND NOT EXISTS (SELECT FROM pg_db_role_setting s
        WHERE s.setrole = r.oid AND s.setdatabase = 0 AND ${postgresLiteral(`role=${OWNER}`)} = ANY (s.setconfig))\\gexec`,
  ];
}

/**
 * Returns a verifier that is equal for equal passwords, so that verifiers can be compared. The salt reveals nothing
 * without the key.
 */
function verifierOf({ adminPassword }: DatabaseFacts, { username, password }: Login): string {
  const salt = createHmac('sha256', adminPassword).update(`salt of ${username} ${password}`).digest();
  return scramVerifier(password, salt.subarray(0, 16));
}

/** Expression for a JSON line about a role, for {@link changedLogins}. */
const REPORTED = "json_build_object('login', rolname, 'verifier', rolpassword)";

/** Returns statements that report the verifiers of app logins. */
export function listVerifiers({ login, otherLogins }: DatabaseFacts): string[] {
  const names = [login, ...otherLogins].map(({ username }) => postgresLiteral(username)).join(', ');
  return [`SELECT ${REPORTED} FROM pg_authid WHERE rolname IN (${names});`];
}

/**
 * Returns the names of logins whose reported password differs from these facts.
 * A verifier of the same password with another salt, from an earlier version, is no change. Apps stay connected.
 */
export function changedLogins({ login, otherLogins }: DatabaseFacts, stdout: string): string[] {
  const passwords = new Map([login, ...otherLogins].map(({ username, password }) => [username, password]));
  const changed = stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { login: name, verifier } = JSON.parse(line) as { login?: string; verifier?: string | null };
    return name === undefined || isVerifierOf(verifier ?? '', passwords.get(name) ?? '') ? [] : [name];
  });
  return [...new Set(changed)];
}

/** Maximum number of connections for each login. During a rotation two logins exist, and each has this maximum. */
const PER_LOGIN = 100;
/** Number of connections reserved for the platform as superuser. The same number is available for its other roles. */
const PER_PLATFORM = 10;

/**
 * Server settings that leave room for {@link limitConnections}. These settings apply after the next start of the
 * server.
 */
export const CONNECTIONS = {
  max_connections: String(2 * PER_LOGIN + 2 * PER_PLATFORM),
  superuser_reserved_connections: String(PER_PLATFORM),
  // A connection that has not signed in yet also uses a slot.
  authentication_timeout: '10s',
};

/** Maximum duration of one statement in {@link untilSignInsEnd}, in seconds. It is shorter than the limit of a command. */
const SLEEP_S = 45;

/**
 * Returns groups of statements, each for one command, that together outlast every connection that is signing in now.
 * The server compares the password with the verifier that it read at the beginning, and lists the session only
 * afterwards. A client has the timeout once to send its first message, and once more to sign in.
 */
export function untilSignInsEnd(): string[][] {
  const total = "2 * extract(epoch FROM current_setting('authentication_timeout')::interval) + 1";
  // An earlier version left the timeout at a minute.
  return [0, SLEEP_S, 2 * SLEEP_S].map((since) => [
    `SELECT pg_sleep(least(greatest(${total} - ${since}, 0), ${SLEEP_S}));`,
  ]);
}

/**
 * Returns statements that prevent logins of apps from using the platform's connections.
 * The statements also work in a server that was started with fewer connections. The statements close no connection.
 */
export function limitConnections(): string[] {
  const platform = [ADMIN, READER, RESTORER].map(postgresLiteral).join(', ');
  return [
    `SELECT format('ALTER ROLE %I CONNECTION LIMIT %s', rolname, most) FROM pg_roles,
      (SELECT least(${PER_LOGIN}, current_setting('max_connections')::int - ${PER_PLATFORM}) AS most) l
      WHERE rolcanlogin AND rolname NOT IN (${platform}) AND rolconnlimit <> most\\gexec`,
  ];
}

/**
 * Returns statements that end the oldest connections of each login above its limit. The limit may be newer than the
 * connections.
 */
export function endSurplus(): string[] {
  return [
    `SELECT pg_terminate_backend(pid, 5000) FROM (
        SELECT pid, rolconnlimit, row_number() OVER (PARTITION BY usesysid ORDER BY backend_start DESC) AS n
        FROM pg_stat_activity JOIN pg_roles r ON r.oid = usesysid WHERE rolconnlimit > 0) own WHERE n > rolconnlimit;`,
  ];
}

/**
 * Pattern of the output of {@link endLogin} and {@link endAllSessions} if sessions of the login remain. The server cannot end a session that does
 * not react.
 */
export const GOES_ON = /^sessions that go on: /m;

/**
 * Returns statements that end a login and its sessions. A missing login is not an error.
 * The access rules must reject the login before, so that no new session can replace an ended session.
 * The output matches {@link GOES_ON} if a session remains.
 */
export function endLogin(username: string): string[] {
  const closed = existing(
    username,
    `ALTER ROLE ${postgresIdentifier(username)} WITH NOLOGIN PASSWORD NULL VALID UNTIL '-infinity'`,
  );
  const attempt = [...endHolders(), ...endOwnSessions(username), closed];
  return [
    "SET lock_timeout = '1s';",
    '\\set ON_ERROR_STOP off',
    ...Array.from({ length: ATTEMPTS - 1 }, () => attempt).flat(),
    '\\set ON_ERROR_STOP on',
    ...attempt,
    // Ends sessions that started meanwhile.
    ...endOwnSessions(username),
    `DELETE FROM pg_db_role_setting WHERE setrole = (SELECT oid FROM pg_authid WHERE rolname = ${postgresLiteral(username)});`,
    ...listSessions(username),
  ];
}

/**
 * Returns statements for each database of a server. Objects of the login then belong to {@link OWNER}, and no right
 * names the login.
 */
export function releaseOwned(username: string): string[] {
  const name = postgresIdentifier(username);
  return [
    // Objects that cannot be given to the owner must not be dropped, so that both statements share a transaction.
    'BEGIN;',
    LOCK_TIMEOUT,
    existing(username, `REASSIGN OWNED BY ${name} TO ${OWNER}`),
    existing(username, `DROP OWNED BY ${name}`),
    'COMMIT;',
  ];
}

/** Returns statements that drop the role. The statements run after {@link releaseOwned} in all databases. */
export function removeRole(username: string): string[] {
  return [
    'BEGIN;',
    LOCK_TIMEOUT,
    `DROP ROLE IF EXISTS ${postgresIdentifier(username)};`,
    'COMMIT;',
    // Ends a session that was accepted before the end of the login but was not listed yet.
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid NOT IN (SELECT oid FROM pg_authid);`,
  ];
}

/** Returns a statement that runs only if the role exists. */
function existing(username: string, statement: string): string {
  return `SELECT ${postgresLiteral(statement)} FROM pg_roles WHERE rolname = ${postgresLiteral(username)}\\gexec`;
}

/** Returns statements that end all sessions of a login. Their output matches {@link GOES_ON} if a session remains. */
export function endAllSessions(username: string): string[] {
  return [...endOwnSessions(username), ...listSessions(username)];
}

function endOwnSessions(username: string): string[] {
  return [
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = ${postgresLiteral(username)} AND pid <> pg_backend_pid();`,
  ];
}

function listSessions(username: string): string[] {
  return [
    `SELECT 'sessions that go on: ' || count(*) FROM pg_stat_activity WHERE usename = ${postgresLiteral(username)} HAVING count(*) > 0;`,
  ];
}
