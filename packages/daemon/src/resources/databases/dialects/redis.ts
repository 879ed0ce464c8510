/**
 * Commands for Redis and Valkey. At each start of the server, Davit writes the logins from the database row to the
 * configuration. So each change of logins must also be saved in the row.
 */
import { createHash } from 'node:crypto';
import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import { replaceCertificateFile } from './certificate-file.ts';
import {
  ADMIN,
  admittedBy,
  type DatabaseCommand,
  type DatabaseFacts,
  type Dialect,
  type Login,
  secretFile,
} from './dialect.ts';

const UID = 999;
const TLS_PORT = 6380;

/**
 * Redis ACL permissions of an app. They include all commands for data, but no commands that control the server.
 * `-@admin` does not exclude all `ACL` commands. The last five entries only allow reading.
 */
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-acl', '+client|list', '+role', '+slowlog', '+latency', '+lastsave'];
/**
 * Redis ACL permissions for apps that need the command `CONFIG`. The command `CONFIG REWRITE` is excluded, so a changed
 * setting is lost at the next start of the server.
 */
const CONFIG_RIGHTS = ['+config|get', '+config|set', '+config|resetstat'];

export const redis: Dialect = {
  engine: 'redis',
  dataPath: '/data',
  port: 6379,
  exposedPort: TLS_PORT,
  demandsTls: true,
  uid: UID,
  user: 'redis',
  stop: { signal: 'SIGTERM', graceS: 60 },
  serve: (facts) => ({
    env: {},
    args: [DATABASE_FILES.config],
    files: [
      // Only root can write to the folder of this file, because `CONFIG REWRITE` must fail.
      secretFile(DATABASE_FILES.config, configuration(facts), UID),
      secretFile(DATABASE_FILES.tlsCertificate, facts.tls.certificate, UID),
      secretFile(DATABASE_FILES.tlsKey, facts.tls.key, UID),
    ],
  }),
  ready: (facts) => commands(facts, ['PING'], /^PONG$/m),
  // Redis needs no command to create logins, because its configuration file contains all logins.
  setUp: (facts) => commands(facts, ['PING'], /^PONG$/m),
  // Set both paths, because an app may have changed them. Redis also reads the files again if the paths are unchanged.
  loadCertificate: (facts) =>
    replaceCertificateFile(facts, () =>
      commands(facts, [
        `CONFIG SET tls-cert-file ${DATABASE_FILES.tlsCertificate} tls-key-file ${DATABASE_FILES.tlsKey}`,
      ]),
    ),
  renewRules: (facts) => exactly(facts),
  letsIn: (facts) => ({ ...commands(facts, ['SCRIPT KILL', 'FUNCTION KILL', 'PING', 'ROLE']), isGood: isLetIn }),
  admit: (facts) => ({ ...noted(facts), followUp: () => exactly(facts) }),
  addLogin: (facts, login) =>
    exactly({
      ...facts,
      admitted: [...admittedBy(facts).filter(({ password }) => password !== login.password), login],
    }),
  // Set only the logins in the argument `facts`. The argument does not contain the disabled login any more.
  endLogin: (facts, { username, replacedAt }, addresses) =>
    /*
     * Redis does not return the password that a connection used. So close all connections of the user except the
     * connections from `addresses`. The apps with these addresses use the new password.
     */
    exactly(
      facts,
      ({ user, address }) => replacedAt !== undefined && user === username && !addresses.includes(hostOf(address)),
    ),
  logIn: ({ allowConfig }, { username, password }) => ({
    ...client(`AUTH ${username} ${password}\nPING\n`),
    // With the command `CONFIG`, an app can change the passwords of the Redis user `default` again and again.
    held: allowConfig ? REPLACED : BLOCKED,
    isGood: (stdout) => /^PONG$/m.test(stdout.replaceAll('\r', '')),
  }),
  noteLogins: noted,
  shell: ({ username, password }) => ({
    command: ['redis-cli', '-h', '127.0.0.1', '--no-auth-warning', '--user', username],
    env: { REDISCLI_AUTH: password, REDISCLI_HISTFILE: '/dev/null', REDISCLI_RCFILE: '/dev/null' },
  }),
  addExtensions: () => null,
  hasExtensions: false,
  hasPointInTime: false,
  hasConfigCommand: true,
  defaultUser: null,
  reserved: { users: /^davit_.*$/i, databases: /^$/ },
};

/**
 * Pattern for the output of `redis-cli` if the server is blocked. The output is about a running script, too many
 * clients, or a failed connection. An app can block a server in these ways.
 */
const BLOCKED = /^(BUSY |ERR max number of clients|Could not connect to Redis|Error: )/m;

/** Pattern for the output of `redis-cli` if the server is blocked or an app has changed the passwords. */
const REPLACED = new RegExp(`${BLOCKED.source}|^WRONGPASS `, 'm');

/**
 * Responses to `PING` from a server that accepts the login. A server that loads data or cannot write to its disk also
 * accepts the login. Such a server needs no new container.
 */
const ACCEPTS = /^(PONG$|LOADING |MISCONF )/;

/**
 * Returns whether Davit can sign in and the server is not a replica. Otherwise, Davit must replace the container to
 * stop a script or a replication.
 */
function isLetIn(stdout: string): boolean {
  const [signedIn, ...lines] = linesOf(stdout);
  if (signedIn !== 'OK' || lines.some((line) => line.startsWith('UNKILLABLE '))) return false;
  if (roleIn(stdout) === 'slave') return false;
  // The first OK is the response to `AUTH`. A second OK means that `SCRIPT KILL` has stopped a script.
  return lines.some((line) => line === 'OK' || ACCEPTS.test(line));
}

/**
 * Returns a command that writes the Redis configuration file. The command runs as root, because other users must not
 * write this file.
 */
function noted(facts: DatabaseFacts): DatabaseCommand {
  return { command: ['tee', DATABASE_FILES.config], user: '0', stdin: configuration(facts) };
}

function configuration(facts: DatabaseFacts): string {
  return [
    'bind * -::*',
    'protected-mode no',
    'port 6379',
    `tls-port ${TLS_PORT}`,
    `tls-cert-file ${DATABASE_FILES.tlsCertificate}`,
    `tls-key-file ${DATABASE_FILES.tlsKey}`,
    'tls-auth-clients no',
    'dir /data',
    'appendonly yes',
    'save 3600 1 300 100 60 10000',
    ...usersOf(facts).map(({ name, rule }) => `user ${name} ${rule}`),
    '',
  ].join('\n');
}

interface User {
  name: string;
  rule: string;
}

/**
 * Returns the Redis users of a server. Each user name has one ACL rule, which contains all valid passwords of the user.
 */
function usersOf(facts: DatabaseFacts): User[] {
  const { login, adminPassword, allowConfig } = facts;
  const rights = [...RIGHTS, ...(allowConfig ? CONFIG_RIGHTS : [])];
  const byName = Map.groupBy(admittedBy(facts), ({ username }) => username);
  // Create the user `default` as a disabled user. Without this user, Redis would accept connections without a password.
  const disabledUsers = byName.has(login.username) ? [] : [{ name: login.username, rule: 'off' }];
  const apps = [...disabledUsers, ...[...byName].map(([name, of]) => ({ name, rule: rule(of, rights) }))];
  return [...apps, { name: ADMIN, rule: rule([{ password: adminPassword }], ['~*', '&*', '+@all']) }];
}

function rule(logins: readonly Pick<Login, 'password'>[], rights: readonly string[]): string {
  return ['on', ...logins.map(({ password }) => `#${hash(password)}`), ...rights].join(' ');
}

/**
 * Returns a command that sets exactly these Redis users and removes all other users.
 * @param isEnded whether to close a connection; absent if no login is disabled
 */
function exactly(facts: DatabaseFacts, isEnded?: (connection: Connection) => boolean): DatabaseCommand {
  /*
   * First remove the permission for `CONFIG` from all logins, until the old connections are closed. With `CONFIG`, an
   * old connection could allow sign-ins without a password.
   */
  const first = isEnded === undefined ? facts : { ...facts, allowConfig: false };
  /*
   * The configuration file forbids `MODULE LOAD` and changes of `dir`, `dbfilename` and `aclfile`. So these settings
   * need no reset.
   */
  const set = (users: readonly User[], next: () => DatabaseCommand | null) =>
    withoutReplication(facts, () => setUsers(facts, users, next));
  // Stop the replication again. Before Davit removed a user, this user may have started a new replication.
  const last = () => set(usersOf(facts), () => withoutReplication(facts, () => null));
  /*
   * Other changes of an earlier administrator can remain until a restart. They are harmless: functions run with the
   * permissions of their caller, and notifications contain only key names.
   */
  return set(usersOf(first), () => withoutConnections({ facts, isEnded, next: last }));
}

/**
 * Returns a command that stops all replication, because the primary server of a replication could change all data.
 * Other replication settings are not reset, because they have no effect without replication.
 */
function withoutReplication(facts: DatabaseFacts, next: () => DatabaseCommand | null): DatabaseCommand {
  // A restore also uses replication, but only in a new or hidden database. This command is not used for such databases.
  return {
    // Abort a running failover, because it blocks `REPLICAOF` and could start a replication later.
    ...commands(facts, ['FAILOVER ABORT', 'REPLICAOF NO ONE', 'CLIENT KILL TYPE replica', 'ROLE']),
    /*
     * Check only the output of `ROLE`, which shows whether the server is a primary. The other commands may fail, for
     * example while Redis loads data.
     */
    isGood: (stdout) => roleIn(stdout) === 'master',
    followUp: next,
  };
}

/**
 * Returns the replication role in the output of `ROLE`, which is `master` or `slave`. Only the first match is the role,
 * because later lines contain names that an app can choose.
 */
function roleIn(stdout: string): string | undefined {
  return linesOf(stdout).find((line) => line === 'master' || line === 'slave');
}

/**
 * Returns a command that creates or replaces the given Redis users and removes all other users. Each user is replaced
 * in one step, so that apps can sign in at any time.
 */
function setUsers(facts: DatabaseFacts, users: readonly User[], next: () => DatabaseCommand | null): DatabaseCommand {
  const lines = users.map(({ name, rule }) => `ACL SETUSER ${name} reset ${rule}`);
  const own = new Set(users.map(({ name }) => name));
  // The first `OK` is the response to `AUTH`. The next lines are the responses to the commands that set the users.
  const named = (stdout: string) => linesOf(stdout).slice(lines.length + 1);
  const others = (stdout: string) => named(stdout).filter((name) => !own.has(name));
  const listed = (stdout: string) =>
    linesOf(stdout)
      .slice(0, lines.length + 1)
      .every((line) => line === 'OK');
  return {
    ...commands(facts, [...lines, 'ACL USERS']),
    isGood: (stdout) => listed(stdout) && named(stdout).length >= own.size,
    followUp: (stdout) =>
      others(stdout).length === 0 ? next() : { ...without(facts, others(stdout), own), followUp: next },
  };
}

/**
 * Returns a command that removes Redis users. The command fails if a user name contains characters that are impossible
 * in Redis commands. Such a user can only be removed with a new container.
 */
function without(facts: DatabaseFacts, names: readonly string[], own: ReadonlySet<string>): DatabaseCommand {
  return {
    ...commands(facts, [...names.map((name) => `ACL DELUSER ${JSON.stringify(name)}`), 'ACL USERS']),
    isGood: (stdout) =>
      linesOf(stdout)
        .slice(names.length + 1)
        .every((name) => own.has(name)),
  };
}

interface Connection {
  id: number;
  /**
   * User name of the connection in the output of `CLIENT LIST`. If Redis shortened the line and the user name is
   * missing, the value is `null`.
   */
  user: string | null;
  /** IP address and port of the client. */
  address: string;
  /**
   * Flags of the connection in the output of `CLIENT LIST`. Each letter is a property of the connection. For example,
   * `S` is a replica.
   */
  flags: string;
}

/** User name in the output of `CLIENT LIST` for the connection from a replica to its primary server. */
const SUPERUSER = '(superuser)';

/**
 * Flags of privileged connections in the output of `CLIENT LIST`: a primary, a replica or a `MONITOR` client. If these
 * connections lose their permissions, they can still read data.
 */
const PRIVILEGED = /[MSO]/;

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/**
 * Returns whether an app opened a connection with administrator permissions. Davit itself connects only from inside the
 * container.
 */
function isForeign({ user, address, flags }: Connection): boolean {
  const isAdmin = user === ADMIN || user === SUPERUSER || user === null || PRIVILEGED.test(flags);
  return isAdmin && !/^(127\.0\.0\.1|\[::1\]):/.test(address);
}

/**
 * Maximum number of attempts to list and close connections. Each output of `CLIENT LIST` contains at most a few
 * thousand connections.
 */
const MOST_ROUNDS = 20;

interface Closing {
  facts: DatabaseFacts;
  /**
   * Returns whether a connection uses a disabled login, so that Davit must close the connection. The function is
   * `undefined` if no login was disabled.
   */
  isEnded: ((connection: Connection) => boolean) | undefined;
  /** Returns the next command after Davit has closed the connections, or `null` if no command follows. */
  next: () => DatabaseCommand | null;
}

/**
 * Closes connections of disabled logins. Also closes connections with administrator permissions from outside the
 * container.
 * @param newest highest id of a connection with a disabled login
 */
function withoutConnections(closing: Closing, round = 1, newest: number | null = null): DatabaseCommand {
  const { facts, isEnded, next } = closing;
  // Newer connections have higher ids. They cannot use the disabled login.
  const limit = (stdout: string) => newest ?? ownNumber(stdout);
  const left = (stdout: string) =>
    connectionsIn(stdout).filter((one) => isForeign(one) || (one.id <= limit(stdout) && isEnded?.(one)));
  /*
   * If the output of `CLIENT LIST` is incomplete, some connections may be missing. Davit must then replace the
   * container.
   */
  const isWhole = (stdout: string) => connectionsIn(stdout).some(({ id }) => id === ownNumber(stdout));
  const isDone = (stdout: string) => left(stdout).length === 0 && (isEnded === undefined || isWhole(stdout));
  const close = (stdout: string) => ({
    ...commands(
      facts,
      left(stdout).map(({ id }) => `CLIENT KILL ID ${id}`),
      /^OK$/m,
    ),
    followUp: () => withoutConnections(closing, round + 1, limit(stdout)),
  });
  const list = commands(facts, ['CLIENT ID', 'CLIENT LIST'], /^OK\n\d+\n/);
  return {
    ...list,
    ...(isEnded !== undefined && { held: /^/ }),
    isGood: (stdout) => list.isGood(stdout) && (isDone(stdout) || (left(stdout).length > 0 && round < MOST_ROUNDS)),
    followUp: (stdout) => (left(stdout).length === 0 ? next() : close(stdout)),
  };
}

/** Returns the id of the Redis connection that runs this command. */
function ownNumber(stdout: string): number {
  return Number(/^\d+$/m.exec(stdout.replaceAll('\r', ''))?.[0]);
}

/**
 * Maximum length of a line in the output of `CLIENT LIST`, without the name of the connection. The name is not
 * included, because a client can choose a name of any length.
 */
const LONG_LINE = 10_000;

/**
 * Parses lines of the output of `CLIENT LIST`, such as `id=3 addr=10.0.0.7:51234 name= flags=N … user=default …`. The
 * value of `name` contains no spaces.
 */
function connectionsIn(stdout: string): Connection[] {
  return linesOf(stdout).flatMap((line) => {
    const fields = new Map(
      line.split(' ').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
    );
    const [id, user = null, address] = [fields.get('id'), fields.get('user'), fields.get('addr')];
    const flags = fields.get('flags') ?? '';
    const isOne = id !== undefined && /^\d+$/.test(id) && (user !== null || line.length > LONG_LINE);
    return isOne && address !== undefined ? [{ id: Number(id), user, address, flags }] : [];
  });
}

function linesOf(stdout: string): string[] {
  return stdout.replaceAll('\r', '').trim().split('\n');
}

function hash(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

function client(stdin: string): DatabaseCommand {
  return { command: ['redis-cli', '--no-auth-warning'], user: 'redis', stdin };
}

/**
 * Pattern for the output of `redis-cli` after a failed command. The server is blocked, an app changed the users, or the
 * server is still a replica.
 */
const HELD = new RegExp(`${REPLACED.source}|^slave$`, 'm');

/**
 * Returns a `redis-cli` command that signs in with Davit's own login. `redis-cli` reads the password from the first
 * line of standard input.
 */
function commands(
  { adminPassword }: DatabaseFacts,
  lines: readonly string[],
  good: RegExp = /^OK\nOK$/m,
): DatabaseCommand & Required<Pick<DatabaseCommand, 'isGood'>> {
  return {
    ...client(`${[`AUTH ${ADMIN} ${adminPassword}`, ...lines].join('\n')}\n`),
    held: HELD,
    // Check the output and not the exit code, because `redis-cli` exits with code 0 even after an error.
    isGood: (stdout) => good.test(stdout.replaceAll('\r', '').trim()),
  };
}
