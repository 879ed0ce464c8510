/**
 * Creates, disables and removes the logins of apps in PostgreSQL. An app can block the removal of its role. But an app
 * cannot prevent that `pg_hba.conf` rejects the role.
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
 * block the removal forever.
 */
const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '5s';";

/**
 * Number of attempts to disable a login. The second attempt ends the sessions of clients that were still signing in
 * during the first attempt.
 */
const ATTEMPTS = 2;

/**
 * Returns SQL statements that create a login or change the attributes of an existing login. Attributes that are already
 * correct are not changed.
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
 * Returns a SCRAM verifier, which is PostgreSQL's hash of a password. The function always returns the same verifier for
 * a login, so that Davit can compare verifiers.
 */
function verifierOf({ adminPassword }: DatabaseFacts, { username, password }: Login): string {
  // Derive the salt from the administrator's password, so that other people cannot calculate the verifier.
  const salt = createHmac('sha256', adminPassword).update(`salt of ${username} ${password}`).digest();
  return scramVerifier(password, salt.subarray(0, 16));
}

/**
 * SQL expression for a JSON line with the name of a role and its SCRAM verifier (PostgreSQL's hash of the password).
 * `changedLogins` parses the line.
 */
const REPORTED = "json_build_object('login', rolname, 'verifier', rolpassword)";

/** Returns SQL statements that list the password hashes (SCRAM verifiers) of the logins of apps. */
export function listVerifiers({ login, otherLogins }: DatabaseFacts): string[] {
  const names = [login, ...otherLogins].map(({ username }) => postgresLiteral(username)).join(', ');
  return [`SELECT ${REPORTED} FROM pg_authid WHERE rolname IN (${names});`];
}

/**
 * Returns the logins whose password in PostgreSQL differs from the stored password. The comparison ignores the salts,
 * because earlier Davit versions used other salts.
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
 * Maximum number of connections of each login. During a password rotation, two logins exist, and each login can have
 * this number of connections.
 */
const PER_LOGIN = 100;
/**
 * Number of connections that PostgreSQL reserves for Davit's superuser. All other roles of Davit together can use the
 * same number of connections.
 */
const PER_PLATFORM = 10;

/**
 * PostgreSQL settings for the number of connections. The values are high enough for the limits of `limitConnections`.
 * PostgreSQL uses the settings after its next start.
 */
export const CONNECTIONS = {
  max_connections: String(2 * PER_LOGIN + 2 * PER_PLATFORM),
  superuser_reserved_connections: String(PER_PLATFORM),
  /*
   * Clients have only 10 seconds to sign in, because `max_connections` also includes clients that have not signed in
   * yet.
   */
  authentication_timeout: '10s',
};

/**
 * Maximum duration of one `pg_sleep` statement, in seconds. This time is shorter than the time limit of a command, so a
 * longer wait needs several commands.
 */
const SLEEP_S = 45;

/**
 * Returns groups of SQL statements that wait until clients have finished signing in. The wait is necessary, because
 * `pg_stat_activity` contains a session only after the sign-in.
 */
export function untilSignInsEnd(): string[][] {
  // A client can use the time `authentication_timeout` twice: for its first message, and then to sign in.
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
 * Returns SQL statements that limit the connections of each login of an app, so that Davit can always connect. Existing
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
 * Returns SQL statements that close the oldest connections of each login above its limit. They are necessary, because
 * PostgreSQL applies a changed limit only to new connections.
 */
export function endSurplus(): string[] {
  return [
    `SELECT pg_terminate_backend(pid, 5000) FROM (
        SELECT pid, rolconnlimit, row_number() OVER (PARTITION BY usesysid ORDER BY backend_start DESC) AS n
        FROM pg_stat_activity JOIN pg_roles r ON r.oid = usesysid WHERE rolconnlimit > 0) own WHERE n > rolconnlimit;`,
  ];
}

/**
 * Pattern for the output of `endLogin` and `endAllSessions` if some sessions are still open. PostgreSQL cannot end a
 * session that does not react.
 */
export const GOES_ON = /^sessions that go on: /m;

/**
 * Returns SQL statements that disable a login and end its sessions. Before these statements run, the access rules must
 * already reject new sessions of the login.
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
    // End the sessions again, because a client may have signed in shortly before the login was disabled.
    ...endOwnSessions(username),
    `DELETE FROM pg_db_role_setting WHERE setrole = (SELECT oid FROM pg_authid WHERE rolname = ${postgresLiteral(username)});`,
    ...listSessions(username),
  ];
}

/**
 * Returns SQL statements that give the objects of a login to `davit_owner` and revoke the permissions of the login. Run
 * these statements in each database of the server.
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
 * Returns SQL statements that drop a role. First run `releaseOwned` in all databases, because PostgreSQL cannot drop a
 * role that owns objects.
 */
export function removeRole(username: string): string[] {
  return [
    'BEGIN;',
    LOCK_TIMEOUT,
    `DROP ROLE IF EXISTS ${postgresIdentifier(username)};`,
    'COMMIT;',
    /*
     * End the sessions of the login again. A session may appear in `pg_stat_activity` only after the login was
     * disabled.
     */
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usesysid NOT IN (SELECT oid FROM pg_authid);`,
  ];
}

/** Returns a `psql` statement that runs only if the role exists. */
function existing(username: string, statement: string): string {
  return `SELECT ${postgresLiteral(statement)} FROM pg_roles WHERE rolname = ${postgresLiteral(username)}\\gexec`;
}

/**
 * Returns SQL statements that end all sessions of a login. If PostgreSQL cannot end a session, the output matches
 * `GOES_ON`.
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
