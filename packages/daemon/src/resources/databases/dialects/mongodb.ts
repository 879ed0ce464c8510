/**
 * Commands for MongoDB. No test runs these commands on a server. Davit never reads views as administrator, because a
 * view runs with the permissions of its reader.
 */
import { createHash } from 'node:crypto';
import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import { replaceKeyFile } from './certificate-file.ts';
import { ADMIN, type DatabaseCommand, type DatabaseFacts, type Dialect, type Login, secretFile } from './dialect.ts';

const UID = 999;
const TLS_FILE = '/etc/davit/tls.pem';
const DONE = 'davit: done';
/**
 * Script that signs in for a user's shell. The last value of the script is `undefined`, because `mongosh` does not
 * print this value.
 */
const SIGN_IN = 'const { env } = process; db.auth(env.DAVIT_SHELL_USER, env.DAVIT_SHELL_PASSWORD); undefined';

/** Returns a MongoDB login that can only read the database of the app. */
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
  serve: (facts) => ({
    env: { MONGO_INITDB_ROOT_USERNAME: ADMIN, MONGO_INITDB_ROOT_PASSWORD_FILE: DATABASE_FILES.password },
    args: ['--bind_ip_all', '--tlsMode', 'preferTLS', '--tlsCertificateKeyFile', TLS_FILE],
    files: [secretFile(DATABASE_FILES.password, facts.adminPassword, UID), secretFile(TLS_FILE, tlsFile(facts), UID)],
  }),
  ready: (facts) => script(facts, ['db.adminCommand({ ping: 1 });']),
  setUp: (facts) => script(facts, rules(facts)),
  // MongoDB reads the private key and the certificate from one file. Only the user of the server may read this file.
  loadCertificate: (facts) =>
    replaceKeyFile(TLS_FILE, tlsFile(facts), () => script(facts, ['db.adminCommand({ rotateCertificates: 1 });'])),
  renewRules: (facts) => script(facts, [...rules(facts), ...endLeftovers(facts, [facts.login, ...facts.otherLogins])]),
  addLogin: (facts, login) => script(facts, loginLines(facts, login)),
  endLogin: (facts, { username }) =>
    script(facts, [`if (data.getUser(${JSON.stringify(username)})) data.dropUser(${JSON.stringify(username)});`]),
  endLogins: (facts) => script(facts, endLeftovers(facts, [])),
  logIn: ({ database }, { username, password }) =>
    shell([
      `db.getSiblingDB(${JSON.stringify(database)}).auth(${JSON.stringify(username)}, ${JSON.stringify(password)});`,
    ]),
  /*
   * `mongosh` itself cannot read the password from a file or an environment variable. So a start script reads the
   * password from an environment variable.
   */
  shell: ({ username, password, database }) => ({
    command: ['mongosh', '--quiet', '--norc', '--shell', '--eval', SIGN_IN, `mongodb://127.0.0.1/${database ?? ''}`],
    env: { DAVIT_SHELL_USER: username, DAVIT_SHELL_PASSWORD: password },
  }),
  addExtensions: () => null,
  hasExtensions: false,
  hasPointInTime: false,
  hasConfigCommand: false,
  defaultUser: null,
  reserved: { users: /^davit_.*$/i, databases: /^(admin|config|local)$/i },
};

function tlsFile({ tls }: DatabaseFacts): string {
  return `${tls.key}${tls.certificate}`;
}

function rules(facts: DatabaseFacts): string[] {
  const apps = [facts.login, ...facts.otherLogins].flatMap((login) => loginLines(facts, login));
  return [...apps, ...loginLines(facts, mongodbReaderLogin(facts.adminPassword), ['read'])];
}

/**
 * Removes users and roles that an app created with administrator permissions. Names are not unique in MongoDB, so a
 * user is identified by database and name.
 */
function endLeftovers({ database }: DatabaseFacts, logins: readonly Login[]): string[] {
  const names = logins.map(({ username }) => `${database}.${username}`);
  const own = JSON.stringify([`admin.${ADMIN}`, `${database}.davit_reader`, ...names]);
  return [
    'const admin = db.getSiblingDB("admin");',
    `for (const { _id, user, db: of } of admin.system.users.find().toArray()) if (!${own}.includes(_id)) db.getSiblingDB(of).dropUser(user);`,
    'for (const { role, db: of } of admin.system.roles.find().toArray()) db.getSiblingDB(of).dropRole(role);',
  ];
}

/**
 * Returns lines of a MongoDB script that create or update a login. Afterwards, the login has only the roles `names` in
 * the database of the app.
 */
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

/**
 * Returns a command that runs a `mongosh` script as administrator. The last line of the output shows whether the script
 * succeeded, because the exit code is always 0.
 */
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
