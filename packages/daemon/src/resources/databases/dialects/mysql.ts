/**
 * Commands for MySQL and MariaDB. Code of views, routines and triggers can run with the permissions of the current
 * user. So Davit must not use these objects as `root`.
 */
import { createHash } from 'node:crypto';
import { DATABASE_FILES } from '../../../adapters/engine/made-images.ts';
import { replaceCertificateFile } from './certificate-file.ts';
import {
  type DatabaseCommand,
  type DatabaseFacts,
  type Dialect,
  type Login,
  type NetworkAccess,
  secretFile,
} from './dialect.ts';
import { GRANTED, refusePlain } from './mariadb-tls.ts';
import { listConnectionsOf, openConnections } from './mysql-connections.ts';
import {
  type AccountTable,
  dropLeftover,
  endAccounts,
  findOutdated,
  type Leftover,
  leftOut,
  leftoverName,
  leftoversIn,
  listAdministrators,
  MARIADB_ACCOUNTS,
  MYSQL_ACCOUNTS,
  takeFromAdministrator,
} from './mysql-leftovers.ts';
import { mysqlIdentifier, mysqlLiteral } from './mysql-text.ts';

const UID = 999;
/**
 * Option file that contains the user name and password for the MySQL client. With this file, the password is not
 * visible in the arguments of the process.
 */
export const CLIENT_FILE = '/etc/davit/client.cnf';

/**
 * Environment variables of MySQL clients. The home folder does not exist. Otherwise, a client could run SQL statements
 * from the file `.my.cnf`, which an app may have written.
 */
export const CLIENT_ENV = { HOME: '/nonexistent' };

/**
 * MySQL user that reads data for backups. The user can connect only from inside the container, cannot change data and
 * cannot run routines.
 */
const READER = { username: 'davit_reader', host: '127.0.0.1' } as const;

/**
 * Returns the login `davit_reader`. Its password is derived from the administrator's password, so Davit does not store
 * it in SQLite.
 */
export function mysqlReaderLogin(adminPassword: string): Login {
  const password = createHash('sha256').update(`${READER.username} ${adminPassword}`).digest('base64url');
  return { username: READER.username, password: password.replaceAll(/[-_]/g, 'x') };
}

/**
 * Maximum number of connections of one login. A password rotation needs two logins, and Davit itself needs 10
 * connections.
 */
const PER_LOGIN = 145;
// Allow at most 302 connections. With more connections, MySQL uses another size for its performance schema.
const CONNECTIONS = 2 * PER_LOGIN + 10;
/**
 * SQL statement that increases the connection limit of a running server. An earlier Davit version may have started the
 * server with a lower limit.
 */
const ROOM = `SET GLOBAL max_connections = ${CONNECTIONS};`;

/**
 * Maximum number of attempts to close all connections of unknown users. If connections still exist after the last
 * attempt, the command fails.
 */
const MOST_ROUNDS = 10;

/** Wait at most 5 seconds for a lock, because an app may lock a table forever. */
const WAITING = 'SET SESSION lock_wait_timeout = 5;';

interface Words {
  client: string;
  variables: string;
  accounts: AccountTable;
  /**
   * Additional arguments of the database server. With these arguments, the server does not start a replication of
   * another server.
   */
  options: string[];
  /** SQL statement after which `davit_reader` can read the source code of stored routines. */
  routines: string;
  /** SQL statement after which the server reads its certificate file again. */
  loadCertificate: string;
  /**
   * Returns arguments with which the server of an exposed database rejects connections without TLS from outside the
   * environment. The function is absent if the server cannot distinguish these connections.
   */
  exposed?: (access: NetworkAccess) => string[];
  /** Permissions of each login outside its own database, in the format of a `GRANT` statement. */
  granted: readonly string[];
}

function dialect(engine: 'mysql' | 'mariadb', words: Words): Dialect {
  const { hasOther } = words.accounts;
  /*
   * Connect over the network. While the server initializes its data folder, it accepts only connections on its Unix
   * socket.
   */
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
    env: CLIENT_ENV,
    held: /Lock wait timeout/,
    stdin: `${[WAITING, ...statements].join('\n')}\n`,
  });
  /*
   * A `KILL` statement fails if its connection is already closed. With `--force`, the client continues with the next
   * statement.
   */
  const kill = (statements: readonly string[]): DatabaseCommand => sql(statements, ['--force']);

  /**
   * Lists connections and closes them. An open connection could create another account in the meantime. So the command
   * repeats this until there are no new connections.
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
        /*
         * Ignore connections that were already killed. The list contains such a connection until the server has rolled
         * back its last statement.
         */
        const others = signedIn.filter((id) => !killed.has(id));
        // Call `next` with an empty list if no connections remain. Otherwise, close the remaining connections first.
        if (others.length + connecting.length === 0) return next([]);
        const after = () => {
          if (others.length === 0) return next([]);
          if (rounds <= 1)
            return next([
              'Davit could not close all connections to the database server. Users that were not created by Davit open new connections again and again.',
            ]);
          return untilEnded(statements, next, new Set([...killed, ...others]), rounds - 1);
        };
        return { ...kill([...others, ...connecting].map((id) => `KILL ${id};`)), followUp: after };
      },
    };
  }

  /** @param wrong reasons why some passwords and permissions could not be set */
  function reported(wrong: readonly string[]): DatabaseCommand | null {
    const said = wrong.map((text) => `SELECT ${mysqlLiteral(text)};`);
    return wrong.length === 0 ? null : { ...sql(["SET SESSION sql_mode = '';", ...said]), isGood: () => false };
  }

  /**
   * Removes unknown accounts. Then removes the administrator permissions of triggers and other objects. A trigger can
   * create accounts, so the command repeats both parts until it finds no more accounts and objects.
   */
  function withoutLeftovers(facts: DatabaseFacts, dropped: string[] = [], rounds = MOST_ROUNDS): DatabaseCommand {
    const statements = [
      "SET SESSION sql_mode = '';",
      ...findOutdated(facts, loginsOf(facts), words.accounts),
      ...rules(facts, words),
      ...endAccounts(facts, loginsOf(facts), words.accounts),
    ];
    return untilEnded(statements, (wrong) =>
      listed((stdout, found) => {
        const rest = [...dropped, ...wrong, ...leftOut(stdout)];
        if (found.length === 0) return reported(rest);
        if (rounds <= 1)
          return reported([
            ...rest,
            `These objects still run with administrator permissions: ${found.map(leftoverName).join(', ')}.`,
          ]);
        return taken(facts, found, (held, lost) => {
          if (held.length > 0) return reported([...rest, ...held]);
          return withoutLeftovers(facts, [...dropped, ...lost.map(droppedText)], rounds - 1);
        });
      }),
    );
  }

  function listed(next: (stdout: string, found: Leftover[]) => DatabaseCommand | null): DatabaseCommand {
    return {
      ...sql(listAdministrators(words.accounts)),
      followUp: (stdout) => next(stdout, leftoversIn(stdout, words.accounts)),
    };
  }

  /**
   * Changes objects so that they run with the permissions of the login of apps. If this fails for an object, the object
   * is dropped.
   * @param next receives the warnings about locks and the dropped objects
   */
  function taken(
    { login }: DatabaseFacts,
    found: readonly Leftover[],
    next: (held: string[], lost: Leftover[]) => DatabaseCommand | null,
  ): DatabaseCommand {
    const statements = takeFromAdministrator(found, words.accounts, login.username);
    const names = new Set(found.map(leftoverName));
    return {
      // With `--force`, the client continues with the next object after an error.
      ...sql(["SET SESSION sql_mode = '';", ...statements], ['--force']),
      followUp: (said) =>
        listed((_, kept) => {
          const held = leftOut(said);
          if (held.length > 0) return next(held, []);
          const lost = kept.filter((one) => one.schema !== '' && names.has(leftoverName(one)));
          return { ...sql(lost.map(dropLeftover)), followUp: () => next([], lost) };
        }),
    };
  }

  return {
    engine,
    dataPath: '/var/lib/mysql',
    port: 3306,
    exposedPort: 3306,
    demandsTls: words.exposed !== undefined,
    ...(words.exposed !== undefined && { exposedArguments: 2 }),
    uid: UID,
    user: 'mysql',
    stop: { signal: 'SIGTERM', graceS: 60 },
    serve: ({ adminPassword, tls }, access) => ({
      env: {
        [`${words.variables}_ROOT_PASSWORD_FILE`]: DATABASE_FILES.password,
        // `root` can connect only from inside the container.
        [`${words.variables}_ROOT_HOST`]: '127.0.0.1',
      },
      args: [
        '--character-set-server=utf8mb4',
        `--max-connections=${CONNECTIONS}`,
        `--ssl-cert=${DATABASE_FILES.tlsCertificate}`,
        `--ssl-key=${DATABASE_FILES.tlsKey}`,
        ...words.options,
        ...(access.isExposed ? (words.exposed?.(access) ?? []) : []),
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
    loadCertificate: (facts) => replaceCertificateFile(facts, () => sql([words.loadCertificate])),
    renewRules: (facts) => withoutLeftovers(facts),
    ...(hasOther !== undefined && {
      hasPasswords: (facts: DatabaseFacts) => ({
        ...sql([`SELECT ${loginsOf(facts).map(hasOther).join(' OR ')};`]),
        isGood: (stdout: string) => !/^1$/m.test(stdout),
      }),
    }),
    addLogin: (facts, login) => sql([ROOM, ...loginStatements(facts, login, words)]),
    logIn: (facts, login) => ({
      command: [words.client, '--defaults-extra-file=/dev/stdin', '--batch', '--execute=SELECT 1', databaseOf(facts)],
      user: 'mysql',
      env: CLIENT_ENV,
      stdin: clientFile(login),
    }),
    shell: ({ username, password, database }) => ({
      command: [
        ...[words.client, '--host=127.0.0.1', '--protocol=tcp', '--default-character-set=utf8mb4'],
        ...[`--user=${username}`, `--database=${database ?? ''}`],
      ],
      env: { MYSQL_PWD: password, MYSQL_HISTFILE: '/dev/null', MARIADB_HISTFILE: '/dev/null' },
    }),
    // Lock the account and do not drop it. Views and routines of the app run with the permissions of this account.
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
  /*
   * Set both names of the option. Early versions of MySQL 8.0 support only the first name, and later versions may
   * remove this name.
   */
  options: ['--loose-skip-slave-start', '--loose-skip-replica-start'],
  routines: `GRANT SHOW_ROUTINE ON *.* TO ${reader()};`,
  loadCertificate: 'ALTER INSTANCE RELOAD TLS;',
  granted: [],
});
export const mariadb = dialect('mariadb', {
  client: 'mariadb',
  variables: 'MARIADB',
  accounts: MARIADB_ACCOUNTS,
  /*
   * Disable symbolic links. With symbolic links, an app could create tables outside the data volume. MySQL itself
   * writes only to its data folder and to configured folders.
   */
  options: ['--skip-symbolic-links', '--skip-slave-start'],
  routines: `GRANT SELECT ON mysql.proc TO ${reader()};`,
  loadCertificate: 'FLUSH SSL;',
  exposed: refusePlain,
  granted: [GRANTED],
});

/**
 * Returns a MySQL option file. The values are quoted, because `#` and `\` have a special meaning in unquoted values.
 */
export function clientFile({ username, password }: Login): string {
  return `[client]\nuser="${username}"\npassword="${password}"\nhost=127.0.0.1\nprotocol=tcp\n`;
}

/**
 * Returns SQL statements that set the passwords and permissions of all logins to the values that this Davit version
 * requires.
 */
function rules(facts: DatabaseFacts, words: Words): string[] {
  const { password } = mysqlReaderLogin(facts.adminPassword);
  return [
    ROOM,
    ...loginsOf(facts).flatMap((login) => endingSessions(words, login, loginStatements(facts, login, words))),
    `CREATE USER IF NOT EXISTS ${reader()} IDENTIFIED BY ${mysqlLiteral(password)};`,
    `ALTER USER ${reader()} IDENTIFIED BY ${mysqlLiteral(password)};`,
    `REVOKE ALL PRIVILEGES ON *.* FROM ${reader()};`,
    `GRANT SELECT, SHOW VIEW, TRIGGER, EVENT ON ${pattern(databaseOf(facts))}.* TO ${reader()};`,
    words.routines,
  ];
}

/**
 * Returns SQL statements that set a password and close the sessions with the old password. Both must run together. If
 * the command is repeated, the server has only the new password and cannot find these sessions any more.
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

function loginStatements(facts: DatabaseFacts, { username, password }: Login, { granted }: Words): string[] {
  const who = account(username);
  return [
    `CREATE USER IF NOT EXISTS ${who} IDENTIFIED BY ${mysqlLiteral(password)};`,
    `ALTER USER ${who} IDENTIFIED BY ${mysqlLiteral(password)} WITH MAX_USER_CONNECTIONS ${PER_LOGIN} ACCOUNT UNLOCK;`,
    `GRANT ALL PRIVILEGES ON ${pattern(databaseOf(facts))}.* TO ${who};`,
    // Revoke only global permissions and `GRANT OPTION`. The login must always have access to its own database.
    `REVOKE ALL PRIVILEGES ON *.* FROM ${who};`,
    `REVOKE GRANT OPTION ON *.* FROM ${who};`,
    `REVOKE GRANT OPTION ON ${pattern(databaseOf(facts))}.* FROM ${who};`,
    ...granted.map((permission) => `GRANT ${permission} TO ${who};`),
  ];
}

function loginsOf({ login, otherLogins }: DatabaseFacts): Login[] {
  return [login, ...otherLogins];
}

function databaseOf({ database }: DatabaseFacts): string {
  return database ?? '';
}

/**
 * Returns a quoted database name for a `GRANT` statement. The function escapes `_`, because `_` is a wildcard in
 * `GRANT` statements.
 */
function pattern(database: string): string {
  return mysqlIdentifier(database).replaceAll('_', '\\_');
}

function reader(): string {
  return `${mysqlLiteral(READER.username)}@${mysqlLiteral(READER.host)}`;
}

function account(username: string): string {
  return `${mysqlLiteral(username)}@'%'`;
}

function droppedText(lost: Leftover): string {
  return `Davit dropped the ${leftoverName(lost)}, because it ran with administrator permissions. Create it again.`;
}
