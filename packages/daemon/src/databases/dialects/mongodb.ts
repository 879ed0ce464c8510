/** MongoDB. Written by its manual: no image of it can be had where this is tested. */
import { DATABASE_FILES } from '../../engine/made-images.ts';
import { ADMIN, type Ask, type DatabaseFacts, type Dialect, type Login, secretFile } from './dialect.ts';

const UID = 999;
const TLS_FILE = '/etc/davit/tls.pem';
const DONE = 'davit: done';

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
  setUp: (facts) =>
    script(
      facts,
      [facts.login, ...facts.otherLogins].flatMap((login) => loginLines(facts, login)),
    ),
  addLogin: (facts, login) => script(facts, loginLines(facts, login)),
  dropLogin: (facts, { username }) =>
    script(facts, [`if (data.getUser(${JSON.stringify(username)})) data.dropUser(${JSON.stringify(username)});`]),
  logIn: ({ database }, { username, password }) =>
    shell([
      `db.getSiblingDB(${JSON.stringify(database)}).auth(${JSON.stringify(username)}, ${JSON.stringify(password)});`,
    ]),
  addExtensions: () => null,
  reserved: { users: /^davit_.*$/i, databases: /^(admin|config|local)$/i },
};

function loginLines({ database }: DatabaseFacts, { username, password }: Login): string[] {
  const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: database }));
  const user = JSON.stringify({ user: username, pwd: password, roles });
  const change = JSON.stringify({ pwd: password, roles });
  const name = JSON.stringify(username);
  return [`if (data.getUser(${name})) data.updateUser(${name}, ${change}); else data.createUser(${user});`];
}

/** A shell that reads its script goes on after an error and ends well: what it says last is what counts. */
function script({ adminPassword, database }: DatabaseFacts, lines: readonly string[]): Ask {
  const admin = `db.getSiblingDB('admin').auth(${JSON.stringify(ADMIN)}, ${JSON.stringify(adminPassword)});`;
  const data = `const data = db.getSiblingDB(${JSON.stringify(database)});`;
  return shell([admin, data, ...lines]);
}

function shell(lines: readonly string[]): Ask {
  return {
    command: ['mongosh', '--quiet', '--norc'],
    user: 'mongodb',
    stdin: `try { ${lines.join(' ')} print(${JSON.stringify(DONE)}); } catch (error) { print(error.codeName); }\n`,
    isGood: (stdout) => stdout.split(/\r?\n/).some((line) => line.endsWith(DONE)),
  };
}
