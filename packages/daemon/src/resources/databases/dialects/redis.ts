/**
 * Commands for Redis and Valkey. Each start writes the logins from the database row, so each change of logins must be
 * saved in the row too.
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
 * Redis ACL permissions of an app: all commands for data, but none that control the server. `-@admin` keeps some `ACL`
 * commands. The last five entries only allow reading.
 */
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-acl', '+client|list', '+role', '+slowlog', '+latency', '+lastsave'];
/**
 * Redis ACL permissions for apps that need `CONFIG`. Without `CONFIG REWRITE`, a changed setting is lost at the next
 * start of the server.
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
      // `CONFIG REWRITE` must fail, so only root can write to the folder of this file.
      secretFile(DATABASE_FILES.config, configuration(facts), UID),
      secretFile(DATABASE_FILES.tlsCertificate, facts.tls.certificate, UID),
      secretFile(DATABASE_FILES.tlsKey, facts.tls.key, UID),
    ],
  }),
  ready: (facts) => commands(facts, ['PING'], /^PONG$/m),
  // Redis needs no setup commands, because its configuration file contains all logins.
  setUp: (facts) => commands(facts, ['PING'], /^PONG$/m),
  // Set both paths, because an app may have changed them. Redis reads the files again even if the paths stay the same.
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
  // Set only the logins in the argument `facts`, which no longer contains the disabled login.
  endLogin: (facts, { username, replacedAt }, addresses) =>
    /*
     * Close all connections of the user except those from `addresses`, which use the new password. Redis does not show
     * the password that a connection used.
     */
    exactly(
      facts,
      ({ user, address }) => replacedAt !== undefined && user === username && !addresses.includes(hostOf(address)),
    ),
  logIn: ({ allowConfig }, { username, password }) => ({
    ...client(`AUTH ${username} ${password}\nPING\n`),
    // With `CONFIG`, an app can replace the passwords of the Redis user `default` again and again.
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
 * Pattern for `redis-cli` output of a blocked server: a running script, too many clients, or no connection. An app can
 * cause this.
 */
const BLOCKED = /^(BUSY |ERR max number of clients|Could not connect to Redis|Error: )/m;

/** Pattern for `redis-cli` output of a blocked server, or after an app replaced the passwords. */
const REPLACED = new RegExp(`${BLOCKED.source}|^WRONGPASS `, 'm');

/**
 * Responses to `PING` from a server that accepts the login. A server that loads data or cannot write to its disk needs
 * no new container.
 */
const ACCEPTS = /^(PONG$|LOADING |MISCONF )/;

/**
 * Returns whether Davit can sign in and the server is no replica. If not, only a new container can stop a script or a
 * replication.
 */
function isLetIn(stdout: string): boolean {
  const [signedIn, ...lines] = linesOf(stdout);
  if (signedIn !== 'OK' || lines.some((line) => line.startsWith('UNKILLABLE '))) return false;
  if (roleIn(stdout) === 'slave') return false;
  // The first OK is the response to `AUTH`. A second OK means that `SCRIPT KILL` stopped a script.
  return lines.some((line) => line === 'OK' || ACCEPTS.test(line));
}

/**
 * Returns a command that writes the Redis configuration file. The command runs as root, because other users cannot
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
 * Returns the Redis users of a server. One user name has one ACL rule, which contains all valid passwords of this
 * user.
 */
function usersOf(facts: DatabaseFacts): User[] {
  const { login, adminPassword, allowConfig } = facts;
  const rights = [...RIGHTS, ...(allowConfig ? CONFIG_RIGHTS : [])];
  const byName = Map.groupBy(admittedBy(facts), ({ username }) => username);
  // If Redis has no user `default`, it lets everybody sign in without a password. So create the user as disabled.
  const disabledUsers = byName.has(login.username) ? [] : [{ name: login.username, rule: 'off' }];
  const apps = [...disabledUsers, ...[...byName].map(([name, of]) => ({ name, rule: rule(of, rights) }))];
  return [...apps, { name: ADMIN, rule: rule([{ password: adminPassword }], ['~*', '&*', '+@all']) }];
}

function rule(logins: readonly Pick<Login, 'password'>[], rights: readonly string[]): string {
  return ['on', ...logins.map(({ password }) => `#${hash(password)}`), ...rights].join(' ');
}

/**
 * Returns a command that sets exactly these Redis users and removes all others.
 * @param isEnded whether to close a connection; absent if no login is disabled
 */
function exactly(facts: DatabaseFacts, isEnded?: (connection: Connection) => boolean): DatabaseCommand {
  // Until connections are closed, no login has `CONFIG`, because it could allow connections without a password.
  const first = isEnded === undefined ? facts : { ...facts, allowConfig: false };
  /*
   * The configuration file forbids `MODULE LOAD` and changes of `dir`, `dbfilename` and `aclfile`, so Davit does not
   * reset them.
   */
  const set = (users: readonly User[], next: () => DatabaseCommand | null) =>
    withoutReplication(facts, () => setUsers(facts, users, next));
  // Stops the replication again, because a user may have started a new one before Davit removed the user.
  const last = () => set(usersOf(facts), () => withoutReplication(facts, () => null));
  /*
   * Other changes of a former administrator may stay until a restart. Functions run with the permissions of their
   * caller, and notifications show only key names.
   */
  return set(usersOf(first), () => withoutConnections({ facts, isEnded, next: last }));
}

/**
 * Returns a command that stops all replication, because a primary could change all data. Other replication settings may
 * stay, because they have no effect without replication.
 */
function withoutReplication(facts: DatabaseFacts, next: () => DatabaseCommand | null): DatabaseCommand {
  // A restore also uses replication, but only in a new or hidden database, to which no login rules are applied.
  return {
    // Abort a failover, because it blocks `REPLICAOF` and could start a replication later.
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
 * Returns the replication role, `master` or `slave`, from the output of `ROLE`. Only the first match is the role,
 * because an app can choose the names in later lines.
 */
function roleIn(stdout: string): string | undefined {
  return linesOf(stdout).find((line) => line === 'master' || line === 'slave');
}

/**
 * Returns a command that creates or replaces the given Redis users, each in one step without an interruption, and
 * removes all other users.
 */
function setUsers(facts: DatabaseFacts, users: readonly User[], next: () => DatabaseCommand | null): DatabaseCommand {
  const lines = users.map(({ name, rule }) => `ACL SETUSER ${name} reset ${rule}`);
  const own = new Set(users.map(({ name }) => name));
  // The first `OK` answers the sign-in command `AUTH`. The next lines answer the commands that set the users.
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
 * Returns a command that removes Redis users. It fails for a name that Redis commands cannot contain: only a new
 * container removes this user.
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
   * User name of the connection in the output of `CLIENT LIST`. `null` if Redis shortened the line, so that the user
   * name is missing.
   */
  user: string | null;
  /** IP address and port of the client. */
  address: string;
  /**
   * Flags of the connection in the output of `CLIENT LIST`. Each letter is one property, for example `S` for a replica.
   */
  flags: string;
}

/** Redis shows this user name for the connection from a replica to its primary. */
const SUPERUSER = '(superuser)';

/**
 * Flags of privileged connections in `CLIENT LIST`: a primary, a replica or a `MONITOR` client. They keep access after
 * a loss of permissions.
 */
const PRIVILEGED = /[MSO]/;

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/** Returns whether an administrator connection comes from an app. Davit connects only from inside the container. */
function isForeign({ user, address, flags }: Connection): boolean {
  const isAdmin = user === ADMIN || user === SUPERUSER || user === null || PRIVILEGED.test(flags);
  return isAdmin && !/^(127\.0\.0\.1|\[::1\]):/.test(address);
}

/**
 * Maximum number of attempts to list and close connections. One output of `CLIENT LIST` contains at most a few thousand
 * connections.
 */
const MOST_ROUNDS = 20;

interface Closing {
  facts: DatabaseFacts;
  /**
   * Returns whether a connection used a disabled login. Davit closes such a connection. This function is `undefined` if
   * no login was disabled.
   */
  isEnded: ((connection: Connection) => boolean) | undefined;
  /** Returns the command to run after Davit has closed the connections, or `null` if there is no such command. */
  next: () => DatabaseCommand | null;
}

/**
 * Closes connections of disabled logins, and administrator connections from outside the container.
 * @param newest highest id of a connection with a disabled login
 */
function withoutConnections(closing: Closing, round = 1, newest: number | null = null): DatabaseCommand {
  const { facts, isEnded, next } = closing;
  // Newer connections have higher ids, and cannot use the disabled login.
  const limit = (stdout: string) => newest ?? ownNumber(stdout);
  const left = (stdout: string) =>
    connectionsIn(stdout).filter((one) => isForeign(one) || (one.id <= limit(stdout) && isEnded?.(one)));
  // If the output of `CLIENT LIST` is incomplete, it may lack connections. Davit must then replace the container.
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

/** Returns the id of the Redis connection that runs the command. */
function ownNumber(stdout: string): number {
  return Number(/^\d+$/m.exec(stdout.replaceAll('\r', ''))?.[0]);
}

/**
 * Maximum length of a line of `CLIENT LIST`, without the connection name. The name is not included, because a client
 * can choose a name of any length.
 */
const LONG_LINE = 10_000;

/**
 * Parses lines of `CLIENT LIST` such as `id=3 addr=10.0.0.7:51234 name= flags=N … user=default …`. The `name` contains
 * no spaces.
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
 * Pattern for `redis-cli` output of a failed command: the server is blocked, an app changed the users, or the server is
 * still a replica.
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
    // Check the output instead of the exit code, because `redis-cli` exits with code 0 even after an error.
    isGood: (stdout) => good.test(stdout.replaceAll('\r', '').trim()),
  };
}
