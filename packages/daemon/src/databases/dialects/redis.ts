/**
 * Redis, and Valkey in its place. Its logins stand in its configuration, by the hashes of their passwords: what is changed
 * while it runs is therefore also kept with the database's record, from which the next configuration is written.
 */
import { createHash } from 'node:crypto';
import { DATABASE_FILES } from '../../engine/made-images.ts';
import { ADMIN, type Ask, type DatabaseFacts, type Dialect, type Login, secretFile } from './dialect.ts';

const UID = 999;
const TLS_PORT = 6380;

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
  addLogin: (facts, login) => commands(facts, [`ACL SETUSER ${rule(login)}`]),
  dropLogin(facts, { username, password }) {
    if (username !== facts.login.username) return commands(facts, [`ACL DELUSER ${username}`], /^OK\n[01]$/m);
    // One that it does not have any more is told of as an error, which is as good.
    return commands(facts, [`ACL SETUSER ${username} !${hash(password)}`], /^OK\n(OK|ERR .*no such password)/im);
  },
  logIn: (_facts, { username, password }) => ({
    ...client(`AUTH ${username} ${password}\nPING\n`),
    isGood: (stdout) => /^PONG$/m.test(stdout.replaceAll('\r', '')),
  }),
  // By root: not even its owner may write to the file.
  noteLogins: (facts) => ({ command: ['tee', DATABASE_FILES.config], user: '0', stdin: configuration(facts) }),
  addExtensions: () => null,
  reserved: { users: /^davit_.*$/i, databases: /^$/ },
};

function configuration({ login, otherLogins, adminPassword }: DatabaseFacts): string {
  const logins = [login, ...otherLogins, { username: ADMIN, password: adminPassword }];
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
    ...rulesOf(logins).map((text) => `user ${text}`),
    '',
  ].join('\n');
}

/** Several passwords of one name are one rule: all of them work. */
function rulesOf(logins: readonly Login[]): string[] {
  const byName = Map.groupBy(logins, ({ username }) => username);
  return [...byName].map(([username, of]) => rule({ username, password: of.map(({ password }) => password) }));
}

function rule({ username, password }: { username: string; password: string | string[] }): string {
  const hashes = [password].flat().map((one) => `#${hash(one)}`);
  return [username, 'on', ...hashes, '~*', '&*', '+@all'].join(' ');
}

function hash(password: string): string {
  return createHash('sha256').update(password).digest('hex');
}

function client(stdin: string): Ask {
  return { command: ['redis-cli', '--no-auth-warning'], user: 'redis', stdin };
}

/** As the instance's own user, whose password is the first thing that the client reads. */
function commands({ adminPassword }: DatabaseFacts, lines: readonly string[], good: RegExp = /^OK\nOK$/m): Ask {
  return {
    ...client(`${[`AUTH ${ADMIN} ${adminPassword}`, ...lines].join('\n')}\n`),
    // It ends well whatever was answered.
    isGood: (stdout) => good.test(stdout.replaceAll('\r', '').trim()),
  };
}
