/**
 * A dialect describes one database engine: how to configure its container and which commands its server accepts.
 *
 * Dialects only build commands. The function `runCommand` runs them inside the database container. Arguments and
 * environment variables never contain secrets. A client program reads its secrets from standard input, or from files
 * that only one container user can read.
 */
import type { DatabaseEngine } from '@davit/api';
import type { GroupFile } from '../../../adapters/engine/group.ts';

export interface Login {
  username: string;
  password: string;
  /**
   * Time when another login replaced this login, in milliseconds since the epoch. Absent for the current login and
   * for a new login that apps do not use yet.
   */
  replacedAt?: number;
  /**
   * Time when Davit began to disable this login, in milliseconds since the epoch. After this time, Davit never enables
   * the login again.
   */
  endedAt?: number;
}

/** Private key and certificate for TLS in PEM format. */
export interface TlsPair {
  key: string;
  certificate: string;
}

/** Data about one database. Davit uses it to build commands for the database server. */
export interface DatabaseFacts {
  login: Login;
  /**
   * Logins that are valid in addition to the current login, during a password rotation. Such a login is new and not in
   * use yet, or old and not removed yet.
   */
  otherLogins: readonly Login[];
  /**
   * Logins that the database server accepts while it rejects all other logins. Absent if the database server accepts
   * all logins.
   */
  admitted?: readonly Login[];
  /** Password of `davit_admin`, the login that Davit itself uses in the database server. */
  adminPassword: string;
  /** Whether the data folder is initialized and the database with its logins and extensions is set up. */
  isFilled: boolean;
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
  /** SQL names of the PostgreSQL extensions to create with `CREATE EXTENSION`. */
  extensions: readonly string[];
  tls: TlsPair;
  /**
   * Whether apps may use `CONFIG` to read and change the server configuration. Only Redis supports this permission.
   */
  allowConfig: boolean;
}

/** Environment variables, arguments and files of a database container. */
export interface ServerSetup {
  env: Record<string, string>;
  args: string[] | null;
  files: GroupFile[];
}

/** Client program to run inside a database container, with its standard input. */
export interface DatabaseCommand {
  command: string[];
  /** Container user that runs the client program. */
  user: string;
  /** Environment variables for the program, in addition to the container's variables. They contain no secrets. */
  env?: Record<string, string>;
  stdin: string;
  /** Returns whether the program's output shows success. If this function is absent, exit code 0 means success. */
  isGood?: (stdout: string) => boolean;
  /**
   * Regular expression for the output of a failed command. If the output matches, open sessions of apps blocked the
   * command. If a command exceeds its time limit, Davit also assumes that such sessions blocked the command.
   */
  held?: RegExp;
  /**
   * Returns the next command to run, based on the output of this command. Returns `null` if this command is the last
   * one.
   */
  followUp?: (stdout: string) => DatabaseCommand | null;
}

export interface Dialect {
  engine: DatabaseEngine;
  /** Mount path of the data volume in the container. */
  dataPath: string;
  port: number;
  /** Container port for clients outside the server. The database server supports TLS on this port. */
  exposedPort: number;
  /** Whether the database server rejects external connections without TLS. If `false`, TLS is optional. */
  demandsTls: boolean;
  /** Linux user id and group id of the database server in its Docker images. */
  uid: number;
  user: string;
  stop: { signal: string; graceS: number };
  /**
   * Returns the environment variables, arguments and files of the database container.
   * @param gateway address of the host on the Docker network of the environment
   */
  serve(facts: DatabaseFacts, gateway: string): ServerSetup;
  /**
   * Returns a command that checks whether the database server is ready. The command fails while the server
   * initializes an empty data folder at its first start.
   */
  ready(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that creates the login, the database and the extensions if they are missing. The command is
   * idempotent.
   */
  setUp(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that sets the permissions of all logins as this Davit version requires. It also removes logins
   * that apps may have created. It can run several times.
   *
   * The command closes connections that used an old password, if the database server can compare passwords. All other
   * connections stay open.
   */
  renewRules(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that checks whether Davit can sign in to the database server. If a script of an app blocks the
   * server, the command tries to stop the script. If the check fails, Davit must replace the container.
   *
   * This function is absent if apps cannot block Davit's sign-in.
   */
  letsIn?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that compares the passwords of the apps' logins with the passwords that Davit has stored. The
   * command succeeds if they are equal.
   *
   * This function is absent if apps cannot change their passwords, or if the server cannot compare passwords.
   */
  hasPasswords?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that makes the database server accept only the given logins. The change stays in effect after a
   * restart and in a new container.
   *
   * This function is absent if the database engine has no access rules. For such an engine, Davit disables logins in
   * another way.
   */
  admit?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that adds a login with the same permissions as the current login. If a login with this user name
   * exists, the command replaces its password. On a database engine with a single user, the command adds the new
   * password to this user. The old password stays valid too.
   */
  addLogin(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns a command that disables an old login and closes its connections. The command succeeds even if this login
   * does not exist. If the old and the new login have the same user name, the command disables only the old password.
   *
   * `facts` must not contain the old login.
   * @param addresses IP addresses of the app containers that use the new login
   */
  endLogin(facts: DatabaseFacts, login: Login, addresses: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that disables all logins of apps and closes their connections. Davit's own logins stay enabled.
   * The command of `renewRules` can enable the logins of apps again.
   *
   * This function is absent for database engines with the function `admit`. For such an engine, Davit disables the
   * logins of apps with the function `renewRules` and an empty list `admitted`.
   */
  endLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that deletes disabled logins from the database server. The command ignores missing logins. It can
   * fail, for example if an app holds a lock.
   *
   * This function is absent if `endLogin` already deletes the login, or if a disabled login must stay in the server.
   */
  removeLogins?(facts: DatabaseFacts, usernames: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that signs in with a login over the network, as an app does. The command fails if the login
   * does not work.
   */
  logIn(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns a command that writes the logins to the configuration file that the database server reads at its next
   * start.
   *
   * This function is absent if the database server stores its logins in its data folder.
   */
  noteLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that creates extensions in the database, or `null` if the database engine has no extensions.
   */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): DatabaseCommand | null;
  /**
   * Takes the names of extensions. Returns the libraries that the database server must load at its start for these
   * extensions.
   *
   * This function is absent if the database engine has no such libraries.
   */
  loaded?(extensions: readonly string[]): string[];
  /**
   * Returns a command that lists the extensions in the container image, with the names that `CREATE EXTENSION` uses.
   *
   * This function is absent if the database engine has no extensions.
   */
  available?(): DatabaseCommand;
  hasExtensions: boolean;
  /** Whether Davit can archive the transaction log of the server for point-in-time recovery. */
  hasPointInTime: boolean;
  /**
   * Whether the option `DatabaseFacts.allowConfig` exists for this engine. The option lets apps change the server
   * configuration.
   */
  hasConfigCommand: boolean;
  /**
   * Default user name for the login of a new database. `null` means that Davit derives the user name from the name of
   * the database.
   */
  defaultUser: string | null;
  /** User names and database names that the database engine or Davit reserves. */
  reserved: { users: RegExp; databases: RegExp };
}

export function admittedBy({ admitted, login, otherLogins }: DatabaseFacts): readonly Login[] {
  return admitted ?? [login, ...otherLogins];
}

/** User name with which Davit itself signs in to database servers. Apps never get this login. */
export const ADMIN = 'davit_admin';

/** Returns a file for a container. Only the Linux user with the id `uid` can read the file. */
export function secretFile(path: string, text: string, uid: number): GroupFile {
  return { path, bytes: Buffer.from(text), mode: 0o400, uid, gid: uid };
}
