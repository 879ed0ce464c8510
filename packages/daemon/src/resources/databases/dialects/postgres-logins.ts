/**
 * The logins of apps in a server of PostgreSQL: making one, ending it, and removing what is left of it. A login that ends may
 * do all of this to stay: hold its role in a transaction, open sessions, and own or be named by things in every database of
 * the server. The end therefore needs nothing of a login, and removing it may fail.
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

/** What removing a login waits for at most at each lock; an app may hold one for ever. */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '5s';";

/** Each ends the login's sessions first: one that was signing in when the server stopped to let it in may come late. */
const ATTEMPTS = 2;

/** Statements that make a login, or give one that is there exactly these rights. What is so already is not said again. */
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
    ),
    grantRole(`r.rolname = ${postgresLiteral(OWNER)}`, [username]),
    `SELECT ${postgresLiteral(`ALTER ROLE ${postgresIdentifier(username)} SET role = ${postgresLiteral(OWNER)}`)} FROM pg_roles r
      WHERE r.rolname = ${postgresLiteral(username)} AND NOT EXISTS (SELECT FROM pg_db_role_setting s
        WHERE s.setrole = r.oid AND s.setdatabase = 0 AND ${postgresLiteral(`role=${OWNER}`)} = ANY (s.setconfig))\\gexec`,
  ];
}

/** The same for the same password, so that it can be compared. The salt tells nothing to whoever lacks the key. */
function verifierOf({ adminPassword }: DatabaseFacts, { username, password }: Login): string {
  const salt = createHmac('sha256', adminPassword).update(`salt of ${username} ${password}`).digest();
  return scramVerifier(password, salt.subarray(0, 16));
}

/** Statements that say in lines of JSON, for {@link changedLogins}, which verifiers the logins of apps have. */
export function listVerifiers({ login, otherLogins }: DatabaseFacts): string[] {
  const names = [login, ...otherLogins].map(({ username }) => postgresLiteral(username)).join(', ');
  return [
    `SELECT json_build_object('login', rolname, 'verifier', rolpassword) FROM pg_authid WHERE rolname IN (${names});`,
  ];
}

/**
 * Names of logins that have another password than in these facts. A verifier of the same password with another salt, from an
 * earlier version, is no change: apps stay connected.
 */
export function changedLogins({ login, otherLogins }: DatabaseFacts, stdout: string): string[] {
  const passwords = new Map([login, ...otherLogins].map(({ username, password }) => [username, password]));
  return stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { login: name, verifier } = JSON.parse(line) as { login?: string; verifier?: string | null };
    return name === undefined || isVerifierOf(verifier ?? '', passwords.get(name) ?? '') ? [] : [name];
  });
}

/** Maximum number of connections of a login. There are two logins during a rotation, and each has this many. */
const PER_LOGIN = 100;
/** Connections of the platform: as the superuser, and as many again as one of its other roles. */
const PER_PLATFORM = 10;

/** Settings of the server that leave room for {@link limitConnections}. They take effect at its next start. */
export const CONNECTIONS = {
  max_connections: String(2 * PER_LOGIN + 2 * PER_PLATFORM),
  superuser_reserved_connections: String(PER_PLATFORM),
  // A connection that has not signed in yet takes one of them too.
  authentication_timeout: '10s',
};

/**
 * Statements that keep logins of apps from taking the connections of the platform, also in a server that was started
 * with fewer ones. No connection ends.
 */
export function limitConnections(): string[] {
  const platform = [ADMIN, READER, RESTORER].map(postgresLiteral).join(', ');
  return [
    `SELECT format('ALTER ROLE %I CONNECTION LIMIT %s', rolname, most) FROM pg_roles,
      (SELECT least(${PER_LOGIN}, current_setting('max_connections')::int - ${PER_PLATFORM}) AS most) l
      WHERE rolcanlogin AND rolname NOT IN (${platform}) AND rolconnlimit <> most\\gexec`,
  ];
}

/** Ends the oldest connections of each login that has more than its limit, which may be newer than they are. */
export function endSurplus(): string[] {
  return [
    `SELECT pg_terminate_backend(pid, 5000) FROM (
        SELECT pid, rolconnlimit, row_number() OVER (PARTITION BY usesysid ORDER BY backend_start DESC) AS n
        FROM pg_stat_activity JOIN pg_roles r ON r.oid = usesysid WHERE rolconnlimit > 0) own WHERE n > rolconnlimit;`,
  ];
}

/** What {@link endLogin} answers if sessions of the login go on: the server can end none that does not listen. */
export const GOES_ON = /^sessions that go on: /m;

/**
 * Statements after which nobody gets in with a login, or is in; one that is gone is fine. The rules of access must have
 * ended to let it in before: nobody is to take the place of a session that ends. Answers {@link GOES_ON} if one stays.
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
    // One that was opened meanwhile.
    ...endOwnSessions(username),
    `DELETE FROM pg_db_role_setting WHERE setrole = (SELECT oid FROM pg_authid WHERE rolname = ${postgresLiteral(username)});`,
    `SELECT 'sessions that go on: ' || count(*) FROM pg_stat_activity WHERE usename = ${postgresLiteral(username)} HAVING count(*) > 0;`,
  ];
}

/** Statements for each database of a server: what a login owns there belongs to {@link OWNER}, and nothing names the login. */
export function releaseOwned(username: string): string[] {
  const name = postgresIdentifier(username);
  return [
    // What could not be given to the owner must not be dropped.
    'BEGIN;',
    LOCK_TIMEOUT,
    existing(username, `REASSIGN OWNED BY ${name} TO ${OWNER}`),
    existing(username, `DROP OWNED BY ${name}`),
    'COMMIT;',
  ];
}

/** Statements behind {@link releaseOwned} of all databases. */
export function removeRole(username: string): string[] {
  return [
    'BEGIN;',
    LOCK_TIMEOUT,
    `DROP ROLE IF EXISTS ${postgresIdentifier(username)};`,
    'COMMIT;',
    // A session that was let in before the end and was not listed yet.
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid NOT IN (SELECT oid FROM pg_authid);`,
  ];
}

/** Runs a statement only where the role exists. */
function existing(username: string, statement: string): string {
  return `SELECT ${postgresLiteral(statement)} FROM pg_roles WHERE rolname = ${postgresLiteral(username)}\\gexec`;
}

export function endOwnSessions(username: string): string[] {
  return [
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = ${postgresLiteral(username)} AND pid <> pg_backend_pid();`,
  ];
}
