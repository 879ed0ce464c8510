/**
 * Dialects build commands for database engines. Secrets are in standard input or in files of one user, never in
 * arguments. Only the shells of users get a password in a variable (`ShellLogin`).
 */
import type { DatabaseEngine } from '@davit/api';
import type { Program } from '../../../adapters/engine/execution.ts';
import type { GroupFile } from '../../../adapters/engine/group.ts';

export interface Login {
  username: string;
  password: string;
  /**
   * Time when another login replaced this login, in milliseconds since the epoch. Absent for the current login and an
   * unused new login.
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
   * Additional valid logins during a password rotation: new logins that are not in use yet, or old logins that are not
   * removed yet.
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
   * Pattern for the output of a failed command that open sessions of apps blocked. A timeout also counts as blocked by
   * sessions.
   */
  held?: RegExp;
  /**
   * Returns the next command to run, based on the output of this command. Returns `null` if this command is the last
   * one.
   */
  followUp?: (stdout: string) => DatabaseCommand | null;
}

/** Connections that a database server must distinguish: those of apps, and those from outside the environment. */
export interface NetworkAccess {
  /** IPv4 subnet of the environment's Docker network in CIDR form. Apps connect from this subnet. */
  subnet: string;
  /** Address of the Docker host in the environment's subnet. Some external connections have this address. */
  gateway: string;
  /** Whether a port of the server is published for clients outside the environment. */
  isExposed: boolean;
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
  /**
   * Version of the arguments that a server gets only while its port is published. If the version changes, Davit
   * replaces the containers. Absent if there are no such arguments.
   */
  exposedArguments?: number;
  /** Linux user id and group id of the database server in its Docker images. */
  uid: number;
  user: string;
  stop: { signal: string; graceS: number };
  /** Returns the variables, arguments and files of the container. */
  serve(facts: DatabaseFacts, access: NetworkAccess): ServerSetup;
  /**
   * Returns a command that checks whether the server is ready. It fails while the server initializes an empty data
   * folder.
   */
  ready(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that creates the login, the database and the extensions if they are missing. The command is
   * idempotent.
   */
  setUp(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a repeatable command that writes the certificate of `facts` into the container, and makes the server use it
   * for new connections. Open connections stay open. The private key does not change.
   */
  loadCertificate(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a repeatable command that resets permissions and removes unknown logins. It closes only connections with an
   * old password, if the server can compare passwords.
   */
  renewRules(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that checks Davit's sign-in and stops blocking scripts. After a failure, Davit replaces the
   * container. Absent if apps cannot block sign-ins.
   */
  letsIn?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that succeeds if the apps' logins have the stored passwords. Absent if apps cannot change
   * passwords, or if servers cannot compare passwords.
   */
  hasPasswords?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that makes the server accept only the given logins, also after a restart or in a new container.
   * Absent if the engine has no access rules.
   */
  admit?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that adds a login with the permissions of the current one, or replaces a login's password. An
   * engine with one user gets a second valid password.
   */
  addLogin(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns a repeatable command that disables an old login and closes its connections. If its user name is still in
   * use, only the old password is disabled.
   * @param addresses IPs of apps with the new login
   */
  endLogin(facts: DatabaseFacts, login: Login, addresses: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that disables all logins of apps and closes their connections. `renewRules` enables the logins
   * again. Absent for engines with `admit`.
   */
  endLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that deletes disabled logins if they exist. The command can fail because of locks. Absent if
   * `endLogin` deletes logins, or if logins must stay.
   */
  removeLogins?(facts: DatabaseFacts, usernames: readonly string[]): DatabaseCommand;
  /**
   * Returns a command that signs in with a login over the network, as an app does. The command fails if the login
   * does not work.
   */
  logIn(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Returns a command that writes the logins to the configuration for the next start. Absent if the server stores
   * logins in its data folder.
   */
  noteLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns the database client for a user's shell. Outside a terminal, the client runs its standard input. The client
   * signs in over the network, as an app does.
   */
  shell(login: ShellLogin): UserProgram;
  /**
   * Returns a command that creates extensions in the database, or `null` if the database engine has no extensions.
   */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): DatabaseCommand | null;
  /**
   * Returns the libraries that the server must load at its start for the extensions. Absent if the engine has no such
   * libraries.
   */
  loaded?(extensions: readonly string[]): string[];
  /**
   * Returns a command that lists the extensions in the image by `CREATE EXTENSION` name. Absent if the engine has no
   * extensions.
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

/**
 * Login of the apps, for a user's shell. Excludes the login of Davit itself, because users must never get this login.
 */
export interface ShellLogin extends Pick<Login, 'username' | 'password'> {
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
}

/**
 * Command and environment variables of the database client for a user's shell. Only a variable contains the password.
 */
export type UserProgram = Required<Pick<Program, 'command' | 'env'>>;

/**
 * Container user and group of the shells of users. They have no name, and own no file and no other process in the
 * container. Clients can run other programs, for example with `\!` in `psql`. As the user of the server, such a program
 * could read the files of the server. With the user ID 65534, it could sign in as administrator.
 */
export const SHELL_USER = '65500:65500';

/** Returns the program that runs a shell of a user. It writes no history, because the container keeps its files. */
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
