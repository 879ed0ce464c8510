/**
 * Logins of apps in a PostgreSQL server: creation, end and removal. An app can resist the end of its login: it can lock
 * its role in a transaction, open sessions, and own objects in every database. Therefore the access rules reject an
 * ended login whatever it did, and its removal may fail.
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

/**
 * Number of attempts to end a login. Each attempt first ends sessions, because a session that is still signing in may
 * appear late.
 */
const ATTEMPTS = 2;

/**
 * Returns SQL statements that create a login or give an existing login exactly these rights. They change only what
 * differs.
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
 * Returns a SCRAM verifier that is equal for equal passwords, so that Davit can compare verifiers. The salt reveals
 * nothing without the administrator's password.
 */
function verifierOf({ adminPassword }: DatabaseFacts, { username, password }: Login): string {
  const salt = createHmac('sha256', adminPassword).update(`salt of ${username} ${password}`).digest();
  return scramVerifier(password, salt.subarray(0, 16));
}

/** SQL expression for a JSON line with the verifier of a role, for `changedLogins`. */
const REPORTED = "json_build_object('login', rolname, 'verifier', rolpassword)";

/** Returns SQL statements that list the SCRAM verifiers of the logins of apps. */
export function listVerifiers({ login, otherLogins }: DatabaseFacts): string[] {
  const names = [login, ...otherLogins].map(({ username }) => postgresLiteral(username)).join(', ');
  return [`SELECT ${REPORTED} FROM pg_authid WHERE rolname IN (${names});`];
}

/**
 * Returns the names of logins whose password in the server differs from `facts`. A verifier of the same password with
 * another salt, from an earlier Davit version, is no change. Apps then stay connected.
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

/** Maximum number of connections of each login. During a rotation two logins exist, each with this maximum. */
const PER_LOGIN = 100;
/**
 * Number of connections that are reserved for Davit as superuser. The same number is available for Davit's other roles.
 */
const PER_PLATFORM = 10;

/** PostgreSQL settings that allow the limits of `limitConnections`. They apply after the next start of the server. */
export const CONNECTIONS = {
  max_connections: String(2 * PER_LOGIN + 2 * PER_PLATFORM),
  superuser_reserved_connections: String(PER_PLATFORM),
  // A connection that has not signed in yet also counts towards `max_connections`.
  authentication_timeout: '10s',
};

/**
 * Maximum duration of one `pg_sleep` in `untilSignInsEnd`, in seconds. It is shorter than the time limit of a command.
 */
const SLEEP_S = 45;

/**
 * Returns groups of SQL statements that wait until every client that is signing in now has failed or is listed. Each
 * group needs its own command because of the time limit. PostgreSQL compares a password with the verifier that it read
 * at the beginning, and lists the session only afterwards. A client has `authentication_timeout` once for its first
 * message, and once more to sign in.
 */
export function untilSignInsEnd(): string[][] {
  const total = "2 * extract(epoch FROM current_setting('authentication_timeout')::interval) + 1";
  // A server of an earlier Davit version has the default timeout of one minute, which needs several commands.
  return [0, SLEEP_S, 2 * SLEEP_S].map((since) => [
    `SELECT pg_sleep(least(greatest(${total} - ${since}, 0), ${SLEEP_S}));`,
  ]);
}

/**
 * Returns SQL statements that limit the connections of app logins, so that some remain for Davit. They also work in a
 * server that was started with fewer connections. They close no connection.
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
 * Returns SQL statements that close the oldest connections of each login above its limit. The limit may be newer than
 * the connections.
 */
export function endSurplus(): string[] {
  return [
    `SELECT pg_terminate_backend(pid, 5000) FROM (
        SELECT pid, rolconnlimit, row_number() OVER (PARTITION BY usesysid ORDER BY backend_start DESC) AS n
        FROM pg_stat_activity JOIN pg_roles r ON r.oid = usesysid WHERE rolconnlimit > 0) own WHERE n > rolconnlimit;`,
  ];
}

/**
 * Pattern in the output of `endLogin` and `endAllSessions` if sessions of the login remain. PostgreSQL cannot end a
 * session that does not react.
 */
export const GOES_ON = /^sessions that go on: /m;

/**
 * Returns SQL statements that end a login and its sessions. A missing login is not an error. The access rules must
 * reject the login before, so that no new session can replace an ended session. The output matches `GOES_ON` if a
 * session remains.
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
    // End sessions that started during the attempts.
    ...endOwnSessions(username),
    `DELETE FROM pg_db_role_setting WHERE setrole = (SELECT oid FROM pg_authid WHERE rolname = ${postgresLiteral(username)});`,
    ...listSessions(username),
  ];
}

/**
 * Returns SQL statements for each database of a server. They make `davit_owner` the owner of the login's objects and
 * revoke all rights of the login.
 */
export function releaseOwned(username: string): string[] {
  const name = postgresIdentifier(username);
  return [
    // Both statements share a transaction: if the reassignment fails, `DROP OWNED` must not drop the objects.
    'BEGIN;',
    LOCK_TIMEOUT,
    existing(username, `REASSIGN OWNED BY ${name} TO ${OWNER}`),
    existing(username, `DROP OWNED BY ${name}`),
    'COMMIT;',
  ];
}

/** Returns SQL statements that drop a role. Run them after `releaseOwned` in all databases. */
export function removeRole(username: string): string[] {
  return [
    'BEGIN;',
    LOCK_TIMEOUT,
    `DROP ROLE IF EXISTS ${postgresIdentifier(username)};`,
    'COMMIT;',
    // Ends a session that was accepted before the login ended but was not listed yet.
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid NOT IN (SELECT oid FROM pg_authid);`,
  ];
}

/** Returns a statement for `psql` that runs only if the role exists. */
function existing(username: string, statement: string): string {
  return `SELECT ${postgresLiteral(statement)} FROM pg_roles WHERE rolname = ${postgresLiteral(username)}\\gexec`;
}

/** Returns SQL statements that end all sessions of a login. Their output matches `GOES_ON` if a session remains. */
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
