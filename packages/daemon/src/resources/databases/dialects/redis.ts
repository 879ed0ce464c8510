/**
 * Redis or Valkey dialect. The server's configuration file contains the logins with hashes of their passwords. Davit
 * writes this file from the database row at each container start. So each change of a running server must also change
 * the row.
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
 * Redis ACL rights of an app: all commands on data, no commands on the server. `@admin` contains commands that make
 * logins, load code, replicate from another server, or stop or block the server. Later Redis versions may add more.
 * Some `ACL` commands are not in `@admin`, so `-acl` excludes them. The last five entries allow commands that only read
 * server information.
 */
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-acl', '+client|list', '+role', '+slowlog', '+latency', '+lastsave'];
/**
 * Redis ACL rights for apps that need the command CONFIG. `CONFIG REWRITE` is not allowed, so a change lasts only until
 * the next start.
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
  letsIn: (facts) => ({ ...commands(facts, ['SCRIPT KILL', 'FUNCTION KILL', 'PING']), isGood: isLetIn }),
  admit: (facts) => ({ ...noted(facts), followUp: () => exactly(facts) }),
  addLogin: (facts, login) =>
    exactly({
      ...facts,
      admitted: [...admittedBy(facts).filter(({ password }) => password !== login.password), login],
    }),
  // After this command the Redis server accepts only the remaining logins.
  endLogin: (facts, { username, replacedAt }, addresses) =>
    // A connection does not show which password it used, and both passwords worked until now. Apps with the new
    // password keep their connections. All other clients must reconnect.
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
 * Output of `redis-cli` if the server runs a script or accepts no connections. With CONFIG, an app can change the
 * address of the server and lower the maximum number of clients.
 */
const BLOCKED = /^(BUSY |ERR max number of clients|Could not connect to Redis|Error: )/m;

/**
 * Answers to PING of a Redis server that accepts the login. The server may still load its data, or may fail to write to
 * its disk. A new server would not change that.
 */
const ACCEPTS = /^(PONG$|LOADING |MISCONF )/;

/**
 * Returns whether the Redis server accepts Davit's own login. A script that has written data ends only when the server
 * ends.
 */
function isLetIn(stdout: string): boolean {
  const [signedIn, ...lines] = linesOf(stdout);
  if (signedIn !== 'OK' || lines.some((line) => line.startsWith('UNKILLABLE '))) return false;
  // The first OK in the output of `redis-cli` answers AUTH. A further OK means that a script was ended.
  return lines.some((line) => line === 'OK' || ACCEPTS.test(line));
}

/** Returns a command that writes the configuration file as root, because not even its owner may write to it. */
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
 * Returns the Redis users of a server. All passwords of one user name belong to one ACL rule, and each of them works.
 */
function usersOf(facts: DatabaseFacts): User[] {
  const { login, adminPassword, allowConfig } = facts;
  const rights = [...RIGHTS, ...(allowConfig ? CONFIG_RIGHTS : [])];
  const byName = Map.groupBy(admittedBy(facts), ({ username }) => username);
  // Redis has a user named `default` without a password, unless the configuration disables it. So a rejected login gets
  // the rule `off`.
  const nobody = byName.has(login.username) ? [] : [{ name: login.username, rule: 'off' }];
  const apps = [...nobody, ...[...byName].map(([name, of]) => ({ name, rule: rule(of, rights) }))];
  return [...apps, { name: ADMIN, rule: rule([{ password: adminPassword }], ['~*', '&*', '+@all']) }];
}

function rule(logins: readonly Pick<Login, 'password'>[], rights: readonly string[]): string {
  return ['on', ...logins.map(({ password }) => `#${hash(password)}`), ...rights].join(' ');
}

/**
 * Sets exactly these Redis users and removes all others. A login with enough rights may have made users or added a
 * password. Each user is replaced in one step without an interruption.
 *
 * The users are set again after connections have closed, because such a connection may have changed a user until its
 * end. An ended login with the right CONFIG could also set `requirepass` and accept connections without a password.
 * Therefore no login has this right until these connections are closed.
 * @param isEnded whether to close a connection of an ended login; absent if no login ends
 */
function exactly(facts: DatabaseFacts, isEnded?: (connection: Connection) => boolean): DatabaseCommand {
  const first = isEnded === undefined ? facts : { ...facts, allowConfig: false };
  return setUsers(facts, usersOf(first), () =>
    withoutConnections({
      facts,
      isEnded,
      next: (hasClosed) => (hasClosed || isEnded !== undefined ? setUsers(facts, usersOf(facts), () => null) : null),
    }),
  );
}

/** Sets Redis users and removes all others. @param next returns the command that follows when no other user is left */
function setUsers(facts: DatabaseFacts, users: readonly User[], next: () => DatabaseCommand | null): DatabaseCommand {
  const lines = users.map(({ name, rule }) => `ACL SETUSER ${name} reset ${rule}`);
  const own = new Set(users.map(({ name }) => name));
  // The first OK in the output of `redis-cli` answers AUTH, so it belongs to no user.
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
 * Removes Redis users. A user whose name cannot be written in a command stays, which is an error. A new container has
 * no such user.
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
  /** User of the connection, or `null` if the line is so long that the answer is cut before the user. */
  user: string | null;
  /** Client address with port. */
  address: string;
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/**
 * Returns whether an external client uses the administrator's login. Davit itself connects only from inside the
 * container, and a session keeps its user.
 */
function isForeign({ user, address }: Connection): boolean {
  return (user === ADMIN || user === null) && !/^(127\.0\.0\.1|\[::1\]):/.test(address);
}

/**
 * Maximum number of rounds that close connections. Each round closes the connections of one answer, some thousands at
 * most.
 */
const MOST_ROUNDS = 20;

interface Closing {
  facts: DatabaseFacts;
  /** Whether to close a connection of an ended login. `undefined` if no login ends. */
  isEnded: ((connection: Connection) => boolean) | undefined;
  /** Returns the command that follows when all these connections are closed. */
  next: (hasClosed: boolean) => DatabaseCommand | null;
}

/**
 * Lists and closes Redis connections until none of the connections to close is left.
 * @param newest id of the last connection that an ended login may have, or `null` for the id of the listing connection
 */
function withoutConnections(closing: Closing, round = 1, newest: number | null = null): DatabaseCommand {
  const { facts, isEnded, next } = closing;
  const limit = (stdout: string) => newest ?? ownNumber(stdout);
  const left = (stdout: string) =>
    connectionsIn(stdout).filter((one) => isForeign(one) || (one.id <= limit(stdout) && isEnded?.(one)));
  // A cut answer may hide a connection. Then only a new server without connections can end the login.
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
    followUp: (stdout) => (left(stdout).length === 0 ? next(round > 1) : close(stdout)),
  };
}

/** Returns the id of the Redis connection that runs the command. */
function ownNumber(stdout: string): number {
  return Number(/^\d+$/m.exec(stdout.replaceAll('\r', ''))?.[0]);
}

/** Maximum length of a line of `CLIENT LIST` without the connection name, which a client chooses. */
const LONG_LINE = 10_000;

/**
 * Parses the output of `CLIENT LIST`. A line looks like `id=3 addr=10.0.0.7:51234 name= age=12 … user=default …`. A
 * client chooses the name, which has no blanks.
 */
function connectionsIn(stdout: string): Connection[] {
  return linesOf(stdout).flatMap((line) => {
    const fields = new Map(
      line.split(' ').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
    );
    const [id, user = null, address] = [fields.get('id'), fields.get('user'), fields.get('addr')];
    const isOne = id !== undefined && /^\d+$/.test(id) && (user !== null || line.length > LONG_LINE);
    return isOne && address !== undefined ? [{ id: Number(id), user, address }] : [];
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

/** Output of `redis-cli` with Davit's own login if the server is blocked, or if an app has changed the users. */
const HELD = new RegExp(`${BLOCKED.source}|^WRONGPASS `, 'm');

/** Returns a `redis-cli` command with Davit's own login. The first line on standard input contains the password. */
function commands(
  { adminPassword }: DatabaseFacts,
  lines: readonly string[],
  good: RegExp = /^OK\nOK$/m,
): DatabaseCommand & Required<Pick<DatabaseCommand, 'isGood'>> {
  return {
    ...client(`${[`AUTH ${ADMIN} ${adminPassword}`, ...lines].join('\n')}\n`),
    held: HELD,
    // `redis-cli` always exits with code 0.
    isGood: (stdout) => good.test(stdout.replaceAll('\r', '').trim()),
  };
}
