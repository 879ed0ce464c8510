/** MySQL and MariaDB, which take the same statements and differ in what their programs and variables are called. */
import { DATABASE_FILES } from '../../engine/made-images.ts';
import { type Ask, type DatabaseFacts, type Dialect, type Login, secretFile } from './dialect.ts';

const UID = 999;
/** What the client reads instead of arguments: whom it is, and the password of that. */
export const CLIENT_FILE = '/etc/davit/client.cnf';

function dialect(engine: 'mysql' | 'mariadb', words: { client: string; variables: string }): Dialect {
  // Over the network: while an empty folder is filled the server answers on its socket alone.
  const sql = (statements: readonly string[]): Ask => ({
    command: [words.client, `--defaults-extra-file=${CLIENT_FILE}`, '--batch', '--skip-column-names'],
    user: 'mysql',
    stdin: `${statements.join('\n')}\n`,
  });
  return {
    engine,
    dataPath: '/var/lib/mysql',
    port: 3306,
    exposedPort: 3306,
    demandsTls: false,
    uid: UID,
    user: 'mysql',
    stop: { signal: 'SIGTERM', graceS: 60 },
    serve: ({ adminPassword, tls }) => ({
      env: {
        [`${words.variables}_ROOT_PASSWORD_FILE`]: DATABASE_FILES.password,
        // From inside the container alone.
        [`${words.variables}_ROOT_HOST`]: '127.0.0.1',
      },
      args: [
        '--character-set-server=utf8mb4',
        `--ssl-cert=${DATABASE_FILES.tlsCertificate}`,
        `--ssl-key=${DATABASE_FILES.tlsKey}`,
      ],
      files: [
        secretFile(DATABASE_FILES.password, adminPassword, UID),
        secretFile(CLIENT_FILE, clientFile({ username: 'root', password: adminPassword }), UID),
        secretFile(DATABASE_FILES.tlsCertificate, tls.certificate, UID),
        secretFile(DATABASE_FILES.tlsKey, tls.key, UID),
      ],
    }),
    ready: () => ({ ...sql(['SELECT 1;']), isGood: (stdout) => stdout.trim() === '1' }),
    setUp: (facts) =>
      sql([
        `CREATE DATABASE IF NOT EXISTS ${identifier(databaseOf(facts))};`,
        ...[facts.login, ...facts.otherLogins].flatMap((login) => loginStatements(facts, login)),
      ]),
    addLogin: (facts, login) => sql(loginStatements(facts, login)),
    logIn: (facts, login) => ({
      command: [words.client, '--defaults-extra-file=/dev/stdin', '--batch', '--execute=SELECT 1', databaseOf(facts)],
      user: 'mysql',
      stdin: clientFile(login),
    }),
    // What it made, such as views, runs in its name: it is kept, and nobody gets in with it.
    dropLogin: (_facts, { username }) => sql([`ALTER USER IF EXISTS ${account(username)} ACCOUNT LOCK;`]),
    addExtensions: () => null,
    reserved: {
      users: /^(root|mysql|mysql\..*|mariadb\..*|davit_.*)$/i,
      databases: /^(mysql|sys|information_schema|performance_schema)$/i,
    },
  };
}

export const mysql = dialect('mysql', { client: 'mysql', variables: 'MYSQL' });
export const mariadb = dialect('mariadb', { client: 'mariadb', variables: 'MARIADB' });

/** A file of options: «#» begins a comment and «\\» an escape outside of quotes, and quotes are in no password of ours. */
function clientFile({ username, password }: Login): string {
  return `[client]\nuser="${username}"\npassword="${password}"\nhost=127.0.0.1\nprotocol=tcp\n`;
}

function loginStatements(facts: DatabaseFacts, { username, password }: Login): string[] {
  const who = account(username);
  return [
    `CREATE USER IF NOT EXISTS ${who} IDENTIFIED BY ${literal(password)};`,
    `ALTER USER ${who} IDENTIFIED BY ${literal(password)} ACCOUNT UNLOCK;`,
    `GRANT ALL PRIVILEGES ON ${identifier(databaseOf(facts)).replaceAll('_', '\\_')}.* TO ${who};`,
  ];
}

function databaseOf({ database }: DatabaseFacts): string {
  return database ?? '';
}

function account(username: string): string {
  return `${literal(username)}@'%'`;
}

export function identifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

export function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
