/**
 * A dialect creates the commands for one database engine. Secrets are passed on standard input or in files, and never
 * as arguments. Only the shell of a user gets the password in an environment variable (`ShellLogin`).
 */
import type { DatabaseEngine } from '@davit/api';
import type { Program } from '../../../adapters/engine/execution.ts';
import type { GroupFile } from '../../../adapters/engine/group.ts';

export interface Login {
  username: string;
  password: string;
  /**
   * Time when another login replaced this login, in milliseconds since the epoch. The field is absent for the current
   * login, and for a new login that is not used yet.
   */
  replacedAt?: number;
  /**
   * Time when Davit started to disable this login, in milliseconds since the epoch. Davit never enables the login again
   * after this time.
   */
  endedAt?: number;
}

/** Private key and certificate for TLS in PEM format. */
export interface TlsPair {
  key: string;
  certificate: string;
}

/** Data about one database that is necessary to create commands for the database server. */
export interface DatabaseFacts {
  login: Login;
  /**
   * Additional valid logins during a password rotation. These are new logins that apps do not use yet, or old logins
   * that are not removed yet.
   */
  otherLogins: readonly Login[];
  /**
   * Logins that the database server accepts. The server rejects all other logins. If the field is absent, the server
   * accepts all logins.
   */
  admitted?: readonly Login[];
  /** Password of `davit_admin`, the login that Davit itself uses in the database server. */
  adminPassword: string;
  /** Whether the data folder is initialized and contains the database with its logins and extensions. */
  isFilled: boolean;
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
  /** SQL names of the PostgreSQL extensions, for `CREATE EXTENSION`. */
  extensions: readonly string[];
  tls: TlsPair;
  /**
   * Whether apps may use the command `CONFIG` to read and change the configuration of the server. Only Redis supports
   * this permission.
   */
  allowConfig: boolean;
}

/** Environment variables, arguments and files of a database container. */
export interface ServerSetup {
  env: Record<string, string>;
  args: string[] | null;
  files: GroupFile[];
}

/** Client program that runs inside a database container, with its standard input. */
export interface DatabaseCommand {
  command: string[];
  /** Container user that runs the client program. */
  user: string;
  /**
   * Environment variables for the program, in addition to the environment variables of the container. The values must
   * not contain secrets.
   */
  env?: Record<string, string>;
  stdin: string;
  /**
   * Returns whether the program succeeded, based on its output. If this function is absent, exit code 0 means success.
   */
  isGood?: (stdout: string) => boolean;
  /**
   * Pattern for the output of a command that failed because an open session of an app blocked it. A timeout also means
   * that a session blocked the command.
   */
  held?: RegExp;
  /**
   * Returns the next command to run, based on the output of this command. Returns `null` if no other command must run.
   */
  followUp?: (stdout: string) => DatabaseCommand | null;
}

/** Network addresses with which a database server distinguishes apps of the environment from other clients. */
export interface NetworkAccess {
  /** IPv4 subnet of the environment's Docker network in CIDR notation. Apps connect from this subnet. */
  subnet: string;
  /**
   * IP address of the Docker host in the environment's subnet. Some connections from outside the environment have this
   * address.
   */
  gateway: string;
  /** Whether a port of the server is published for clients outside the environment. */
  isExposed: boolean;
}

export interface Dialect {
  engine: DatabaseEngine;
  /** Mount path of the data volume in the container. */
  dataPath: string;
  port: number;
  /** Container port for clients outside the environment. The database server supports TLS on this port. */
  exposedPort: number;
  /**
   * Whether the database server rejects connections from outside the environment without TLS. If `false`, TLS is
   * optional.
   */
  demandsTls: boolean;
  /**
   * Version of the server arguments that are used only while the port of the database is exposed. If the version
   * changes, Davit replaces the containers. The field is absent if there are no such arguments.
   */
  exposedArguments?: number;
  /** Linux user id and group id of the database server in the Docker images of the engine. */
  uid: number;
  user: string;
  stop: { signal: string; graceS: number };
  /** Returns the environment variables, arguments and files of the database container. */
  serve(facts: DatabaseFacts, access: NetworkAccess): ServerSetup;
  /**
   * Returns a command that checks whether the database server is ready. The command fails while the server initializes
   * an empty data folder.
   */
  ready(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that creates the login, the database and the extensions if they do not exist. The command is
   * idempotent.
   */
  setUp(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns an idempotent command that writes the certificate of `facts` into the container. The server then uses this
   * certificate for new connections. Existing connections stay open. The private key does not change.
   */
  loadCertificate(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns an idempotent command that sets the permissions of logins and removes unknown logins. If the server can
   * compare passwords, the command closes only the connections with an old password.
   */
  renewRules(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that checks whether Davit can sign in, and stops scripts that block the server. If the command
   * fails, Davit replaces the container. The function is absent for engines where apps cannot block sign-ins.
   */
  letsIn?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that succeeds if the logins of apps have the stored passwords. The function is absent if apps
   * cannot change their password, or if the server cannot compare passwords.
   */
  hasPasswords?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command after which the server accepts only the given logins. This is also the case after a restart or in
   * a new container. The function is absent if the database engine has no access rules.
   */
  admit?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that adds a login with the permissions of the current login, or replaces the password of a login.
   * If the database engine has only one user, the user gets a second valid password.
   */
  addLogin(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns an idempotent command that disables an old login and closes its connections. If another login uses the same
   * user name, the command disables only the old password.
   * @param addresses IP addresses of apps with the new login
   */
  endLogin(facts: DatabaseFacts, login: Login, addresses: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that disables all logins of apps and closes their connections. `renewRules` enables the logins
   * again. The function is absent for engines with `admit`.
   */
  endLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that deletes disabled logins if they exist. A lock can cause an error of the command. The
   * function is absent if `endLogin` deletes logins, or if disabled logins must not be deleted.
   */
  removeLogins?(facts: DatabaseFacts, usernames: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that signs in over the network, as an app does. If the login does not work, the command fails.
   */
  logIn(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns a command that writes the logins to the configuration file for the next start of the server. The function
   * is absent if the server stores logins in its data folder.
   */
  noteLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns the command of the database client for a user's shell. The client signs in over the network, as an app
   * does. Without a terminal, the client runs the commands on its standard input.
   */
  shell(login: ShellLogin): UserProgram;
  /**
   * Returns a command that creates extensions in the database. Returns `null` if the database engine has no extensions.
   */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): DatabaseCommand | null;
  /**
   * Returns the libraries that the server must load at its start for the given extensions. The function is absent if
   * the database engine has no such libraries.
   */
  loaded?(extensions: readonly string[]): string[];
  /**
   * Returns a command that lists the extensions in the image by their names for `CREATE EXTENSION`. The function is
   * absent if the database engine has no extensions.
   */
  available?(): DatabaseCommand;
  hasExtensions: boolean;
  /** Whether Davit can archive the write-ahead log of the server for point-in-time recovery. */
  hasPointInTime: boolean;
  /**
   * Whether this database engine supports the option `allowConfig`. With this option, apps can change the configuration
   * of the server.
   */
  hasConfigCommand: boolean;
  /**
   * Default user name for the login of a new database. With `null`, Davit derives the user name from the name of the
   * database.
   */
  defaultUser: string | null;
  /** User names and database names that the database engine or Davit reserves. */
  reserved: { users: RegExp; databases: RegExp };
}

/** Login of apps, for a user's shell. Users never get Davit's own login. */
export interface ShellLogin extends Pick<Login, 'username' | 'password'> {
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
}

/**
 * Command and environment variables of the database client for a user's shell. Only an environment variable contains
 * the password.
 */
export type UserProgram = Required<Pick<Program, 'command' | 'env'>>;

/**
 * Container user and group for the shells of users. This user has no name and owns no files or other processes in the
 * container. This is necessary, because clients can run other programs, for example with `\!` in `psql`. If such a
 * program ran as the user of the server, it could read the files of the server. With the user ID 65534, it could sign
 * in as administrator.
 */
export const SHELL_USER = '65500:65500';

/**
 * Returns the command that runs a user's shell. The shell saves no history, because files in the container are kept
 * after the shell ends.
 */
export function userProgram({ command, env }: UserProgram): Program {
  return { command, env: { HOME: '/nonexistent', LANG: 'C.UTF-8', ...env }, user: SHELL_USER };
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
