/**
 * MySQL and MariaDB, which take the same statements and differ in what their programs and variables are called.
 *
 * What is in a database is an app's: a view, a routine or a trigger may be whatever it wants, and does it with the rights of
 * who uses it. Therefore `root` uses nothing in there: {@link READER} reads, and the login of the app itself reads a dump in.
 */
import { createHash } from 'node:crypto';
import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import { type DatabaseCommand, type DatabaseFacts, type Dialect, type Login, secretFile } from './dialect.ts';
import {
  type AccountTable,
  endAccounts,
  findOutdated,
  leftOut,
  listAdministrators,
  listConnectionsOf,
  MARIADB_ACCOUNTS,
  MYSQL_ACCOUNTS,
  mysqlIdentifier,
  mysqlLiteral,
  openConnections,
  takeFromAdministrator,
} from './mysql-leftovers.ts';

const UID = 999;
/** What the client reads instead of arguments: whom it is, and the password of that. */
export const CLIENT_FILE = '/etc/davit/client.cnf';

/** Reads the data of its server from inside the container, and may change and run nothing. */
const READER = { username: 'davit_reader', host: '127.0.0.1' } as const;

/** Of the reader: nobody has to keep it beside the one that it comes from. */
export function mysqlReaderLogin(adminPassword: string): Login {
  const password = createHash('sha256').update(`${READER.username} ${adminPassword}`).digest('base64url');
  return { username: READER.username, password: password.replaceAll(/[-_]/g, 'x') };
}

/**
 * Maximum number of connections of a login, which is about the default of a server. There are two logins during a rotation; the
 * rest is for the platform. MySQL sizes its performance schema by the sum, up to 302 as it does by default.
 */
const PER_LOGIN = 145;
const CONNECTIONS = 2 * PER_LOGIN + 10;
/** For a server that an earlier version has started. */
const ROOM = `SET GLOBAL max_connections = ${CONNECTIONS};`;

/** How often connections of unknown accounts are ended before the rules fail. */
const MOST_ROUNDS = 10;

/** An app may hold a table for ever: what waits for it fails, and says so. In seconds. */
const WAITING = 'SET SESSION lock_wait_timeout = 5;';

interface Words {
  client: string;
  variables: string;
  accounts: AccountTable;
  /** Further arguments of the server. */
  options: string[];
  /** Lets the reader see the text of routines. */
  routines: string;
}

function dialect(engine: 'mysql' | 'mariadb', words: Words): Dialect {
  const { hasOther } = words.accounts;
  // Over the network: while an empty folder is filled the server answers on its socket alone.
  const sql = (statements: readonly string[], options: readonly string[] = []): DatabaseCommand => ({
    command: [
      words.client,
      `--defaults-extra-file=${CLIENT_FILE}`,
      '--batch',
      '--skip-column-names',
      '--default-character-set=utf8mb4',
      ...options,
    ],
    user: 'mysql',
    held: /Lock wait timeout/,
    stdin: `${[WAITING, ...statements].join('\n')}\n`,
  });
  // A connection that has ended by itself is no error: the program goes on with the next one.
  const kill = (statements: readonly string[]): DatabaseCommand => sql(statements, ['--force']);

  /**
   * Ends accounts, and then the connections that they list at their end. A connection may have made another account meanwhile,
   * so both are repeated until no further connection is listed.
   * @param next what comes afterwards, with what is wrong with the connections
   */
  function untilEnded(
    statements: readonly string[],
    next: (wrong: string[]) => DatabaseCommand | null,
    killed: ReadonlySet<string> = new Set(),
    rounds = MOST_ROUNDS,
  ): DatabaseCommand {
    return {
      ...sql(statements),
      followUp(stdout) {
        const { signedIn, connecting } = openConnections(stdout);
        // One that was told to end runs no further statement, but may need time to undo its last one.
        const others = signedIn.filter((id) => !killed.has(id));
        if (others.length + connecting.length === 0) return next([]);
        const after = () => {
          if (others.length === 0) return next([]);
          if (rounds <= 1) return next(['Accounts that the platform does not know connect again and again.']);
          return untilEnded(statements, next, new Set([...killed, ...others]), rounds - 1);
        };
        return { ...kill([...others, ...connecting].map((id) => `KILL ${id};`)), followUp: after };
      },
    };
  }

  /** @param wrong what keeps the rules from being complete */
  function endAdministrators({ login }: DatabaseFacts, wrong: readonly string[]): DatabaseCommand {
    return {
      ...sql(listAdministrators()),
      followUp(stdout) {
        const statements = takeFromAdministrator(stdout, words.accounts, account(login.username));
        const rest = [...wrong, ...leftOut(stdout)];
        if (statements.length === 0 && rest.length === 0) return null;
        const said = rest.map((text) => `SELECT ${mysqlLiteral(text)};`);
        return { ...sql(["SET SESSION sql_mode = '';", ...said, ...statements]), isGood: () => rest.length === 0 };
      },
    };
  }

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
        `--max-connections=${CONNECTIONS}`,
        `--ssl-cert=${DATABASE_FILES.tlsCertificate}`,
        `--ssl-key=${DATABASE_FILES.tlsKey}`,
        ...words.options,
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
      sql([`CREATE DATABASE IF NOT EXISTS ${mysqlIdentifier(databaseOf(facts))};`, ...rules(facts, words)]),
    renewRules(facts) {
      const statements = [
        "SET SESSION sql_mode = '';",
        ...findOutdated(facts, loginsOf(facts), words.accounts),
        ...rules(facts, words),
        ...endAccounts(facts, loginsOf(facts), words.accounts),
      ];
      return untilEnded(statements, (wrong) => endAdministrators(facts, wrong));
    },
    ...(hasOther !== undefined && {
      hasPasswords: (facts: DatabaseFacts) => ({
        ...sql([`SELECT ${loginsOf(facts).map(hasOther).join(' OR ')};`]),
        isGood: (stdout: string) => !/^1$/m.test(stdout),
      }),
    }),
    addLogin: (facts, login) => sql([ROOM, ...loginStatements(facts, login)]),
    logIn: (facts, login) => ({
      command: [words.client, '--defaults-extra-file=/dev/stdin', '--batch', '--execute=SELECT 1', databaseOf(facts)],
      user: 'mysql',
      stdin: clientFile(login),
    }),
    // What it made, such as views, runs in its name: it is kept, and nobody gets in with it.
    endLogin: (_facts, { username }) =>
      untilEnded([`ALTER USER IF EXISTS ${account(username)} ACCOUNT LOCK;`, listConnectionsOf(username)], () => null),
    endLogins: (facts) => untilEnded(endAccounts(facts, [], words.accounts), () => null),
    addExtensions: () => null,
    hasExtensions: false,
    hasPointInTime: false,
    hasConfigCommand: false,
    defaultUser: null,
    reserved: {
      users: /^(root|mysql|mysql\..*|mariadb\..*|davit_.*)$/i,
      databases: /^(mysql|sys|information_schema|performance_schema)$/i,
    },
  };
}

export const mysql = dialect('mysql', {
  client: 'mysql',
  variables: 'MYSQL',
  accounts: MYSQL_ACCOUNTS,
  // It has tables outside of its data in folders that it was told of alone, and there are none.
  options: [],
  routines: `GRANT SHOW_ROUTINE ON *.* TO ${reader()};`,
});
export const mariadb = dialect('mariadb', {
  client: 'mariadb',
  variables: 'MARIADB',
  accounts: MARIADB_ACCOUNTS,
  // A login could have its tables written outside of the volume, where no backup and no quota finds them.
  options: ['--skip-symbolic-links'],
  routines: `GRANT SELECT ON mysql.proc TO ${reader()};`,
});

/** A file of options: “#” begins a comment and “\\” an escape outside of quotes, and quotes are in no password of ours. */
export function clientFile({ username, password }: Login): string {
  return `[client]\nuser="${username}"\npassword="${password}"\nhost=127.0.0.1\nprotocol=tcp\n`;
}

/** What holds for the accounts of a server, whatever an earlier version gave them. */
function rules(facts: DatabaseFacts, words: Words): string[] {
  const { password } = mysqlReaderLogin(facts.adminPassword);
  return [
    ROOM,
    ...loginsOf(facts).flatMap((login) => endingSessions(words, login, loginStatements(facts, login))),
    `CREATE USER IF NOT EXISTS ${reader()} IDENTIFIED BY ${mysqlLiteral(password)};`,
    `ALTER USER ${reader()} IDENTIFIED BY ${mysqlLiteral(password)};`,
    `REVOKE ALL PRIVILEGES ON *.* FROM ${reader()};`,
    `GRANT SELECT, SHOW VIEW, TRIGGER, EVENT ON ${pattern(databaseOf(facts))}.* TO ${reader()};`,
    words.routines,
  ];
}

/**
 * A session that was opened with another password must not outlive it. The same password is no change. The sessions end at once:
 * if a later statement fails, the next rules find the right password.
 */
function endingSessions({ accounts }: Words, login: Login, statements: readonly string[]): string[] {
  if (accounts.hasOther === undefined) return [...statements];
  const ended = mysqlLiteral(`KILL HARD CONNECTION USER ${mysqlLiteral(login.username)};`);
  return [
    `SET @changed = ${accounts.hasOther(login)};`,
    ...statements,
    `EXECUTE IMMEDIATE IF(@changed, ${ended}, 'DO 0');`,
  ];
}

function loginStatements(facts: DatabaseFacts, { username, password }: Login): string[] {
  const who = account(username);
  return [
    `CREATE USER IF NOT EXISTS ${who} IDENTIFIED BY ${mysqlLiteral(password)};`,
    `ALTER USER ${who} IDENTIFIED BY ${mysqlLiteral(password)} WITH MAX_USER_CONNECTIONS ${PER_LOGIN} ACCOUNT UNLOCK;`,
    `GRANT ALL PRIVILEGES ON ${pattern(databaseOf(facts))}.* TO ${who};`,
    // None on the server, and none to pass on. Those on its database are not taken away for a moment: it may be in use.
    `REVOKE ALL PRIVILEGES ON *.* FROM ${who};`,
    `REVOKE GRANT OPTION ON *.* FROM ${who};`,
    `REVOKE GRANT OPTION ON ${pattern(databaseOf(facts))}.* FROM ${who};`,
  ];
}

function loginsOf({ login, otherLogins }: DatabaseFacts): Login[] {
  return [login, ...otherLogins];
}

function databaseOf({ database }: DatabaseFacts): string {
  return database ?? '';
}

/** A name in a grant is a pattern. */
function pattern(database: string): string {
  return mysqlIdentifier(database).replaceAll('_', '\\_');
}

function reader(): string {
  return `${mysqlLiteral(READER.username)}@${mysqlLiteral(READER.host)}`;
}

function account(username: string): string {
  return `${mysqlLiteral(username)}@'%'`;
}
