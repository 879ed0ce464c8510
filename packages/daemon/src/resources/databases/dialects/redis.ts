/**
 * Redis, and Valkey in its place. Its logins stand in its configuration, by the hashes of their passwords: what is changed
 * while it runs is therefore also kept with the database's record, from which the next configuration is written.
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
 * What the login of an app may do: everything with data, and nothing with the server. `@admin` is what makes logins, loads
 * code, follows another server, stops or holds up this one, and whatever later versions add to those; some of `ACL` is not in
 * it. What only tells of the server is given back.
 */
const RIGHTS = ['~*', '&*', '+@all', '-@admin', '-acl', '+client|list', '+role', '+slowlog', '+latency', '+lastsave'];
/** For apps that cannot do without. It does not include `rewrite`: what is set lasts until the next start. */
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
  // The configuration says all of it.
  setUp: (facts) => commands(facts, ['PING'], /^PONG$/m),
  renewRules: (facts) => exactly(facts),
  letsIn: (facts) => ({ ...commands(facts, ['SCRIPT KILL', 'FUNCTION KILL', 'PING']), isGood: isLetIn }),
  admit: (facts) => ({ ...noted(facts), followUp: () => exactly(facts) }),
  addLogin: (facts, login) =>
    exactly({
      ...facts,
      admitted: [...admittedBy(facts).filter(({ password }) => password !== login.password), login],
    }),
  // What is left are exactly the others.
  endLogin: (facts, { username, replacedAt }, addresses) =>
    // A connection does not say which password it was opened with, and until now both worked. Only apps that were given
    // the new one keep theirs, and a new one is all that others need.
    exactly(
      facts,
      ({ user, address }) => replacedAt !== undefined && user === username && !addresses.includes(hostOf(address)),
    ),
  logIn: (_facts, { username, password }) => ({
    ...client(`AUTH ${username} ${password}\nPING\n`),
    held: BUSY,
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

/** What a server says while it runs a script, to everybody. */
const BUSY = /^BUSY /m;

/** A script that has written something cannot be ended, except by the end of its server. */
function isLetIn(stdout: string): boolean {
  if (/^(WRONGPASS|UNKILLABLE) /m.test(stdout)) return false;
  // One OK is for the password, another one for a script that has been ended.
  const isEnded = linesOf(stdout).filter((line) => line === 'OK').length > 1;
  return isEnded || !BUSY.test(stdout);
}

/** By root: not even its owner may write to the file. */
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

/** Several passwords of one name are one rule: all of them work. */
function usersOf(facts: DatabaseFacts): User[] {
  const { login, adminPassword, allowConfig } = facts;
  const rights = [...RIGHTS, ...(allowConfig ? CONFIG_RIGHTS : [])];
  const byName = Map.groupBy(admittedBy(facts), ({ username }) => username);
  // The server has a user of this name, which needs no password, unless it is told otherwise.
  const nobody = byName.has(login.username) ? [] : [{ name: login.username, rule: 'off' }];
  const apps = [...nobody, ...[...byName].map(([name, of]) => ({ name, rule: rule(of, rights) }))];
  return [...apps, { name: ADMIN, rule: rule([{ password: adminPassword }], ['~*', '&*', '+@all']) }];
}

function rule(logins: readonly Pick<Login, 'password'>[], rights: readonly string[]): string {
  return ['on', ...logins.map(({ password }) => `#${hash(password)}`), ...rights].join(' ');
}

/**
 * Leaves the users of these facts, as they are to be, and no other one. A login may have made some, or planted a password,
 * where it was allowed to; nobody else makes users here, and the next start would forget them. Each user is replaced in one
 * step, in which nobody is refused.
 *
 * The users are set again after connections have ended, because such a connection may have changed a user until its end. An
 * ended login could also set `requirepass` by CONFIG and let in further connections without a password. Nobody has the
 * rights of CONFIG until its connections are gone.
 * @param isEnded which connections of a login that has ended are closed; absent: no login ends
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

/** @param next what follows when no other user is left */
function setUsers(facts: DatabaseFacts, users: readonly User[], next: () => DatabaseCommand | null): DatabaseCommand {
  const lines = users.map(({ name, rule }) => `ACL SETUSER ${name} reset ${rule}`);
  const own = new Set(users.map(({ name }) => name));
  // One OK is for the password of the administrator.
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

/** Ends users. One whose name cannot be said stays, which is an error: a new container has none of them. */
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
  /** Null: its line is so long that the answer ends before it says that. */
  user: string | null;
  /** With its port. */
  address: string;
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/** Whether somebody else is in as the administrator, who comes from inside the container alone: a session keeps its user. */
function isForeign({ user, address }: Connection): boolean {
  return (user === ADMIN || user === null) && !/^(127\.0\.0\.1|\[::1\]):/.test(address);
}

/** Each closes all that one answer has room for, some thousands. */
const MOST_ROUNDS = 20;

interface Closing {
  facts: DatabaseFacts;
  /** See {@link exactly}. */
  isEnded: ((connection: Connection) => boolean) | undefined;
  /** What follows when none of them is left. */
  next: (hasClosed: boolean) => DatabaseCommand | null;
}

/**
 * Lists and closes connections until none of them is left.
 * @param newest number of the last connection that a login that has ended may have; null: the one that lists them
 */
function withoutConnections(closing: Closing, round = 1, newest: number | null = null): DatabaseCommand {
  const { facts, isEnded, next } = closing;
  const limit = (stdout: string) => newest ?? ownNumber(stdout);
  const left = (stdout: string) =>
    connectionsIn(stdout).filter((one) => isForeign(one) || (one.id <= limit(stdout) && isEnded?.(one)));
  // An answer that was cut may not show a connection. A new server, which has none, ends the login then.
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

/** Of the connection that asks for it. */
function ownNumber(stdout: string): number {
  return Number(/^\d+$/m.exec(stdout.replaceAll('\r', ''))?.[0]);
}

/** More than the server says about a connection besides its name, which a client chooses. */
const LONG_LINE = 10_000;

/** A line each: `id=3 addr=10.0.0.7:51234 name= age=12 … user=default …`. The name is a client's own, without blanks. */
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

/** What the instance's own user is answered by a server that runs a script, or whose users an app has changed. */
const HELD = /^(BUSY|WRONGPASS) /m;

/** As the instance's own user, whose password is the first thing that the client reads. */
function commands(
  { adminPassword }: DatabaseFacts,
  lines: readonly string[],
  good: RegExp = /^OK\nOK$/m,
): DatabaseCommand & Required<Pick<DatabaseCommand, 'isGood'>> {
  return {
    ...client(`${[`AUTH ${ADMIN} ${adminPassword}`, ...lines].join('\n')}\n`),
    held: HELD,
    // It ends well whatever was answered.
    isGood: (stdout) => good.test(stdout.replaceAll('\r', '').trim()),
  };
}
