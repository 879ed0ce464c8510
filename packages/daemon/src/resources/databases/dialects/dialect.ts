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
   * Time when Davit began to disable this login, in milliseconds since the epoch. From then on, `DatabaseFacts` do
   * not contain the login. Therefore the database server never accepts the login again.
   */
  endedAt?: number;
}

/** Private key and certificate for TLS in PEM format. */
export interface TlsPair {
  key: string;
  certificate: string;
}

/** Data of one database from which a dialect builds its commands. */
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
   * Regular expression that matches the command's output if sessions of apps block the database server. If the command
   * times out, Davit also assumes that sessions block the server.
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
   * Returns a command that gives all logins exactly the permissions of this Davit version. The command is idempotent.
   * It also removes logins that apps may have created.
   *
   * Connections with the current password stay open. Connections with another password are closed if the server can
   * compare passwords.
   */
  renewRules(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that checks whether the database server accepts Davit's own login. If a script of an app blocks
   * this login, the command tries to stop the script. The check also succeeds while the server loads its data.
   *
   * Absent if apps cannot block Davit's login in this database engine. A new container always accepts Davit's login,
   * because its files contain the logins.
   */
  letsIn?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that succeeds if the database server has the passwords in `facts` for the logins of apps.
   * Absent if an app cannot change its password, or if the server cannot compare passwords.
   */
  hasPasswords?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command after which the database server accepts only the logins in `facts`. The change also survives a
   * restart of the container. A new container accepts only these logins from its start.
   *
   * Absent if the database engine has no such access rules. Such an engine can disable a login without them.
   */
  admit?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that adds a login with the same permissions as the current login. If the login exists, the
   * command replaces its password. On a database engine with a single user, the old password stays valid too.
   */
  addLogin(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns a command that disables a login that is not in `facts`, and closes its connections. The command succeeds
   * if the login does not exist. If `facts.login` has the same name, only the password of `login` becomes invalid.
   * @param addresses IP addresses of the app containers that got the current login
   */
  endLogin(facts: DatabaseFacts, login: Login, addresses: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that disables all logins except Davit's own, and closes their connections. `renewRules` enables
   * the logins in `facts` again. Absent if the dialect has `admit`, because `admit` also rejects logins.
   */
  endLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that deletes disabled logins from the database server. The command succeeds if a login does not
   * exist. It may fail because of objects or locks of apps.
   *
   * Absent if a disabled login leaves no account behind, or if its account must stay.
   */
  removeLogins?(facts: DatabaseFacts, usernames: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that signs in with a login over the network, as an app does. The command fails if the login
   * does not work.
   */
  logIn(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns a command that writes the logins to the file that the database server reads at its next start. Absent if
   * the database server stores its logins in its data folder.
   */
  noteLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that creates extensions in the database, or `null` if the database engine has no extensions.
   */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): DatabaseCommand | null;
  /**
   * Returns the libraries that the database server must load at its start for these extensions. Absent if the
   * database engine has no such libraries.
   */
  loaded?(extensions: readonly string[]): string[];
  /**
   * Returns a command that lists the SQL names of the extensions in the container image. Absent if the database
   * engine has no extensions.
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
  /** Default user name of apps, or `null` if the user name is derived from the name of the database. */
  defaultUser: string | null;
  /** User names and database names that the database engine or Davit reserves. */
  reserved: { users: RegExp; databases: RegExp };
}

export function admittedBy({ admitted, login, otherLogins }: DatabaseFacts): readonly Login[] {
  return admitted ?? [login, ...otherLogins];
}

/** User name of Davit's own login. Apps never get this login. */
export const ADMIN = 'davit_admin';

/** Returns a file for a container that only one container user can read. */
export function secretFile(path: string, text: string, uid: number): GroupFile {
  return { path, bytes: Buffer.from(text), mode: 0o400, uid, gid: uid };
}
