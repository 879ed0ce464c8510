/**
 * Commands for Redis and Valkey. The server's configuration file contains the logins with password hashes. Davit writes
 * the file from the database row at each container start. So Davit must save each change of the logins in the row as
 * well.
 */
import { createHash } from 'node:crypto';
import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
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
 * Redis ACL permissions of an app. They allow all commands for data, but no commands that control the server. `-@admin`
 * excludes most of these commands, and `-acl` excludes the rest. The last five entries only allow reading server
 * information.
 */
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-acl', '+client|list', '+role', '+slowlog', '+latency', '+lastsave'];
/**
 * Redis ACL permissions for apps that need the command `CONFIG`. `CONFIG REWRITE` is not allowed. Therefore a changed
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
      secretFile(DATABASE_FILES.config, configuration(facts), UID),
      secretFile(DATABASE_FILES.tlsCertificate, facts.tls.certificate, UID),
      secretFile(DATABASE_FILES.tlsKey, facts.tls.key, UID),
    ],
  }),
  ready: (facts) => commands(facts, ['PING'], /^PONG$/m),
  // Redis needs no setup commands, because its configuration file contains all logins.
  setUp: (facts) => commands(facts, ['PING'], /^PONG$/m),
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
     * Redis does not show which password a connection used. So Davit closes all connections of the user, except those
     * from `addresses`. These are the addresses of the app containers that use the new password.
     */
    exactly(
      facts,
      ({ user, address }) => replacedAt !== undefined && user === username && !addresses.includes(hostOf(address)),
    ),
  logIn: (_facts, { username, password }) => ({
    ...client(`AUTH ${username} ${password}\nPING\n`),
    held: BLOCKED,
    isGood: (stdout) => /^PONG$/m.test(stdout.replaceAll('\r', '')),
  }),
  noteLogins: noted,
  addExtensions: () => null,
  hasExtensions: false,
  hasPointInTime: false,
  hasConfigCommand: true,
  defaultUser: null,
  reserved: { users: /^davit_.*$/i, databases: /^$/ },
};

/**
 * Regular expression for the output of `redis-cli`. It matches if a script blocks the Redis server, the server has too
 * many clients, or it cannot be reached. An app can cause this, for example with the command `CONFIG`.
 */
const BLOCKED = /^(BUSY |ERR max number of clients|Could not connect to Redis|Error: )/m;

/**
 * Responses to `PING` from a Redis server that accepts the login. `LOADING` means that the server still loads its data.
 * `MISCONF` means that it cannot write to its disk. In both cases, a new container would not help.
 */
const ACCEPTS = /^(PONG$|LOADING |MISCONF )/;

/**
 * Returns whether Davit can sign in to the Redis server and the server is not a replica. If the result is `false`,
 * Davit must replace the container, because Davit cannot stop a script or a replication in another way.
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
 * Returns a command that sets exactly these Redis users and removes all others. A login with enough permissions may
 * have created users or added a password. `ACL SETUSER` replaces each user in one step, without an interruption.
 *
 * After connections are closed, the command ends the replication and sets the users again. Such a connection may have
 * started a replication or changed a user until it was closed. A login with the permission `CONFIG` could also set
 * `requirepass` and accept connections without a password. Therefore no login has this permission until these
 * connections are closed.
 *
 * Other leftovers of a former administrator give no permissions and no data of others, so they stay until the server
 * restarts:
 * - Redis allows `MODULE LOAD` and changes of `dir`, `dbfilename` and `aclfile` only if its configuration file says so.
 * - `CONFIG REWRITE` fails, because only root can write to the folder of the configuration file.
 * - Functions and scripts run with the permissions of their caller.
 * - `masterauth`, `replica-read-only` and `replica-announce-*` matter only during a replication.
 * - Keyspace notifications and `CLIENT TRACKING` report only names of keys, which every login can read.
 * @param isEnded whether to close a connection of a disabled login; absent if no login is disabled
 */
function exactly(facts: DatabaseFacts, isEnded?: (connection: Connection) => boolean): DatabaseCommand {
  const first = isEnded === undefined ? facts : { ...facts, allowConfig: false };
  const set = (users: readonly User[], next: () => DatabaseCommand | null) =>
    withoutReplication(facts, () => setUsers(facts, users, next));
  // Stops the replication again, because a user may have started a new one before Davit removed the user.
  const last = () => set(usersOf(facts), () => withoutReplication(facts, () => null));
  return set(usersOf(first), () => withoutConnections({ facts, isEnded, next: last }));
}

/**
 * Returns a command that ends the replication from and to other servers. Redis runs the commands of its replication
 * primary without a permission check, so the primary could change all users and data. First ends a failover, which
 * would start a replication later and blocks `REPLICAOF`.
 *
 * A restore also uses replication to load data. This command cannot interrupt it, because a restore loads data only
 * into a new or hidden database and applies no login rules meanwhile. The reconciler of databases and other tasks
 * ignore such a database.
 */
function withoutReplication(facts: DatabaseFacts, next: () => DatabaseCommand | null): DatabaseCommand {
  return {
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
 * Returns the replication role of the server, `master` or `slave`, from the output of `redis-cli`. Only the first
 * matching line counts, because later lines contain server names, and an app may have chosen these names.
 */
function roleIn(stdout: string): string | undefined {
  return linesOf(stdout).find((line) => line === 'master' || line === 'slave');
}

/**
 * Returns a command that creates or updates the given Redis users and removes all other users.
 * @param next returns the command to run afterwards, or `null`
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
 * Returns a command that removes Redis users. The command fails if a user name contains characters that cannot be
 * written in a Redis command. In this case, only a replacement of the container removes the user.
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
 * Regular expression for the flags of privileged connections in the output of `CLIENT LIST`. `M` is the replication
 * primary, `S` is a replica, and `O` is a `MONITOR` client. Such a connection still receives or changes all data after
 * its user has lost the administrator permissions.
 */
const PRIVILEGED = /[MSO]/;

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/**
 * Returns whether a connection has administrator permissions and comes from outside the container. Such a connection is
 * from an app, because Davit connects only from inside the container. The app may have opened it while its login was an
 * administrator.
 */
function isForeign({ user, address, flags }: Connection): boolean {
  const isAdmin = user === ADMIN || user === SUPERUSER || user === null || PRIVILEGED.test(flags);
  return isAdmin && !/^(127\.0\.0\.1|\[::1\]):/.test(address);
}

/**
 * Maximum number of attempts to close all connections that must end. In each attempt, Davit runs `CLIENT LIST` and
 * closes the connections in the output. One output contains at most a few thousand connections.
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
 * Closes connections to Redis: connections of disabled logins, and administrator connections from outside the
 * container. Repeats this until no such connection is left.
 * @param newest highest id of a connection that can use the disabled login, because Redis gives newer connections
 * higher ids. `null` means the id of the connection that runs `CLIENT LIST`.
 */
function withoutConnections(closing: Closing, round = 1, newest: number | null = null): DatabaseCommand {
  const { facts, isEnded, next } = closing;
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
 * Parses the output of `CLIENT LIST`. A line looks like `id=3 addr=10.0.0.7:51234 name= flags=N … user=default …`.
 * The client chooses the value of `name`, which contains no spaces.
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
 * Regular expression for `redis-cli` output that shows why Davit's command failed: the Redis server is blocked, an app
 * has changed the users, or the server is still a replica of another server.
 */
const HELD = new RegExp(`${BLOCKED.source}|^WRONGPASS |^slave$`, 'm');

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
