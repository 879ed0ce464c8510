/**
 * MongoDB. Written by its manual: no image of it can be had where this is tested. A backup is read with {@link mongodbReaderLogin}, and
 * read in with the login of the app: a view may be whatever the app wants, and is worked out with the rights of who reads it.
 */
import { createHash } from 'node:crypto';
import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import { ADMIN, type DatabaseCommand, type DatabaseFacts, type Dialect, type Login, secretFile } from './dialect.ts';

const UID = 999;
const TLS_FILE = '/etc/davit/tls.pem';
const DONE = 'davit: done';

/** May read the database of the app, and change nothing. */
export function mongodbReaderLogin(adminPassword: string): Login {
  const password = createHash('sha256').update(`davit_reader ${adminPassword}`).digest('base64url');
  return { username: 'davit_reader', password: password.replaceAll(/[-_]/g, 'x') };
}

export const mongodb: Dialect = {
  engine: 'mongodb',
  dataPath: '/data/db',
  port: 27017,
  exposedPort: 27017,
  demandsTls: false,
  uid: UID,
  user: 'mongodb',
  stop: { signal: 'SIGTERM', graceS: 60 },
  serve: ({ adminPassword, tls }) => ({
    env: { MONGO_INITDB_ROOT_USERNAME: ADMIN, MONGO_INITDB_ROOT_PASSWORD_FILE: DATABASE_FILES.password },
    args: ['--bind_ip_all', '--tlsMode', 'preferTLS', '--tlsCertificateKeyFile', TLS_FILE],
    files: [
      secretFile(DATABASE_FILES.password, adminPassword, UID),
      secretFile(TLS_FILE, `${tls.key}${tls.certificate}`, UID),
    ],
  }),
  ready: (facts) => script(facts, ['db.adminCommand({ ping: 1 });']),
  setUp: (facts) => script(facts, rules(facts)),
  renewRules: (facts) => script(facts, [...rules(facts), ...endLeftovers(facts, [facts.login, ...facts.otherLogins])]),
  addLogin: (facts, login) => script(facts, loginLines(facts, login)),
  endLogin: (facts, { username }) =>
    script(facts, [`if (data.getUser(${JSON.stringify(username)})) data.dropUser(${JSON.stringify(username)});`]),
  endLogins: (facts) => script(facts, endLeftovers(facts, [])),
  logIn: ({ database }, { username, password }) =>
    shell([
      `db.getSiblingDB(${JSON.stringify(database)}).auth(${JSON.stringify(username)}, ${JSON.stringify(password)});`,
    ]),
  addExtensions: () => null,
  hasExtensions: false,
  hasPointInTime: false,
  hasConfigCommand: false,
  defaultUser: null,
  reserved: { users: /^davit_.*$/i, databases: /^(admin|config|local)$/i },
};

function rules(facts: DatabaseFacts): string[] {
  const apps = [facts.login, ...facts.otherLogins].flatMap((login) => loginLines(facts, login));
  return [...apps, ...loginLines(facts, mongodbReaderLogin(facts.adminPassword), ['read'])];
}

/** Ends roles, and users other than these, which a login made while it administered the server. Names are unique within a database. */
function endLeftovers({ database }: DatabaseFacts, logins: readonly Login[]): string[] {
  const names = logins.map(({ username }) => `${database}.${username}`);
  const own = JSON.stringify([`admin.${ADMIN}`, `${database}.davit_reader`, ...names]);
  return [
    'const admin = db.getSiblingDB("admin");',
    `for (const { _id, user, db: of } of admin.system.users.find().toArray()) if (!${own}.includes(_id)) db.getSiblingDB(of).dropUser(user);`,
    'for (const { role, db: of } of admin.system.roles.find().toArray()) db.getSiblingDB(of).dropRole(role);',
  ];
}

/** With these roles in its database, and no others. */
function loginLines(
  { database }: DatabaseFacts,
  { username, password }: Login,
  names = ['readWrite', 'dbAdmin'],
): string[] {
  const roles = names.map((role) => ({ role, db: database }));
  const user = JSON.stringify({ user: username, pwd: password, roles });
  const change = JSON.stringify({ pwd: password, roles });
  const name = JSON.stringify(username);
  return [`if (data.getUser(${name})) data.updateUser(${name}, ${change}); else data.createUser(${user});`];
}

/** A shell that reads its script goes on after an error and ends well: what it says last is what counts. */
function script({ adminPassword, database }: DatabaseFacts, lines: readonly string[]): DatabaseCommand {
  const admin = `db.getSiblingDB('admin').auth(${JSON.stringify(ADMIN)}, ${JSON.stringify(adminPassword)});`;
  const data = `const data = db.getSiblingDB(${JSON.stringify(database)});`;
  return shell([admin, data, ...lines]);
}

function shell(lines: readonly string[]): DatabaseCommand {
  return {
    command: ['mongosh', '--quiet', '--norc'],
    user: 'mongodb',
    stdin: `try { ${lines.join(' ')} print(${JSON.stringify(DONE)}); } catch (error) { print(error.codeName); }\n`,
    isGood: (stdout) => stdout.split(/\r?\n/).some((line) => line.endsWith(DONE)),
  };
}
