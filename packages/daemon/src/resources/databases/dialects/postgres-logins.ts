/**
 * Creates, disables and removes app logins in PostgreSQL. An app can prevent the removal of its role, but not its
 * rejection in `pg_hba.conf`.
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

/**
 * Maximum wait for each lock while Davit removes a login from PostgreSQL. Without this limit, a lock of an app could
 * block the removal for ever.
 */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '5s';";

/**
 * Number of attempts to disable a login. The second attempt ends sessions of clients that were still signing in during
 * the first attempt.
 */
const ATTEMPTS = 2;

/**
 * Returns SQL statements that create a login, or set the permissions of an existing login. They change only
 * attributes that differ.
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
 * Returns a SCRAM verifier, PostgreSQL's hash of a password. A login always gets the same verifier, so that Davit can
 * compare verifiers.
 */
function verifierOf({ adminPassword }: DatabaseFacts, { username, password }: Login): string {
  // The salt depends on the administrator's password, so that others cannot calculate the verifier.
  const salt = createHmac('sha256', adminPassword).update(`salt of ${username} ${password}`).digest();
  return scramVerifier(password, salt.subarray(0, 16));
}

/**
 * SQL expression for a JSON line with the name of a role and its SCRAM verifier (PostgreSQL's hash of the password).
 * `changedLogins` parses this line.
 */
const REPORTED = "json_build_object('login', rolname, 'verifier', rolpassword)";

/** Returns SQL statements that list the password hashes (SCRAM verifiers) of the app logins. */
export function listVerifiers({ login, otherLogins }: DatabaseFacts): string[] {
  const names = [login, ...otherLogins].map(({ username }) => postgresLiteral(username)).join(', ');
  return [`SELECT ${REPORTED} FROM pg_authid WHERE rolname IN (${names});`];
}

/**
 * Returns the logins whose password in PostgreSQL differs from the stored one. Ignores the salts, because earlier Davit
 * versions used other salts.
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

/**
 * Maximum number of connections of each login. During a password rotation two logins exist, each with this maximum.
 */
const PER_LOGIN = 100;
/**
 * Number of connections that PostgreSQL reserves for Davit's superuser. All other roles of Davit together can use the
 * same number.
 */
const PER_PLATFORM = 10;

/**
 * PostgreSQL settings for the number of connections, high enough for the limits of `limitConnections`. They apply at
 * the next start.
 */
export const CONNECTIONS = {
  max_connections: String(2 * PER_LOGIN + 2 * PER_PLATFORM),
  superuser_reserved_connections: String(PER_PLATFORM),
  // Clients that are still signing in also count for `max_connections`, so they get only 10 seconds to sign in.
  authentication_timeout: '10s',
};

/**
 * Maximum duration of one `pg_sleep` statement, in seconds. It is shorter than the time limit of a command. A longer
 * wait needs several commands.
 */
const SLEEP_S = 45;

/**
 * Returns groups of SQL statements that wait for sign-ins in progress, because `pg_stat_activity` shows a session only
 * after its sign-in.
 */
export function untilSignInsEnd(): string[][] {
  // A client has `authentication_timeout` for its first message, and the same time again to sign in.
  const total = "2 * extract(epoch FROM current_setting('authentication_timeout')::interval) + 1";
  /*
   * The wait is at most 121 seconds, because older servers have a timeout of one minute. Each of the three commands
   * waits at most 45 seconds.
   */
  return [0, SLEEP_S, 2 * SLEEP_S].map((since) => [
    `SELECT pg_sleep(least(greatest(${total} - ${since}, 0), ${SLEEP_S}));`,
  ]);
}

/**
 * Returns SQL statements that limit the connections of each app login, so that Davit can always connect. Existing
 * connections stay open.
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
 * Returns SQL statements that close the oldest connections of each login above its limit, because PostgreSQL applies a
 * changed limit only to new connections.
 */
export function endSurplus(): string[] {
  return [
    `SELECT pg_terminate_backend(pid, 5000) FROM (
        SELECT pid, rolconnlimit, row_number() OVER (PARTITION BY usesysid ORDER BY backend_start DESC) AS n
        FROM pg_stat_activity JOIN pg_roles r ON r.oid = usesysid WHERE rolconnlimit > 0) own WHERE n > rolconnlimit;`,
  ];
}

/**
 * Pattern for the output of `endLogin` and `endAllSessions` if sessions remain. PostgreSQL cannot end a session that
 * does not react.
 */
export const GOES_ON = /^sessions that go on: /m;

/**
 * Returns SQL statements that disable a login and end its sessions. The access rules must already reject new sessions
 * of this login.
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
    // End sessions again, because a client may have signed in shortly before the login was disabled.
    ...endOwnSessions(username),
    `DELETE FROM pg_db_role_setting WHERE setrole = (SELECT oid FROM pg_authid WHERE rolname = ${postgresLiteral(username)});`,
    ...listSessions(username),
  ];
}

/**
 * Returns SQL statements for each database of a server. They give a login's objects to `davit_owner` and revoke its
 * permissions.
 */
export function releaseOwned(username: string): string[] {
  const name = postgresIdentifier(username);
  return [
    // Run both statements in one transaction. If `REASSIGN OWNED` fails, `DROP OWNED` must not drop the objects.
    'BEGIN;',
    LOCK_TIMEOUT,
    existing(username, `REASSIGN OWNED BY ${name} TO ${OWNER}`),
    existing(username, `DROP OWNED BY ${name}`),
    'COMMIT;',
  ];
}

/**
 * Returns SQL statements that drop a role. Run `releaseOwned` in all databases first, because PostgreSQL drops no role
 * that owns objects.
 */
export function removeRole(username: string): string[] {
  return [
    'BEGIN;',
    LOCK_TIMEOUT,
    `DROP ROLE IF EXISTS ${postgresIdentifier(username)};`,
    'COMMIT;',
    // Some sessions of the login may appear in `pg_stat_activity` only after the login was disabled. End them too.
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid NOT IN (SELECT oid FROM pg_authid);`,
  ];
}

/** Returns a `psql` statement that runs only if the role exists. */
function existing(username: string, statement: string): string {
  return `SELECT ${postgresLiteral(statement)} FROM pg_roles WHERE rolname = ${postgresLiteral(username)}\\gexec`;
}

/**
 * Returns SQL statements that end all sessions of a login. Their output matches `GOES_ON` if PostgreSQL cannot end a
 * session.
 */
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
