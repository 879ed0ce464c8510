/**
 * Differences between the engines of databases: how each container is set up, and which commands its server accepts.
 * Dialects only build commands: `resources/databases/ask.ts` runs each {@link DatabaseCommand} inside the
 * container.
 * Secrets are in files that only one user of the container can read, or on the standard input of a program. Arguments
 * and environment variables never contain secrets.
 */
import type { DatabaseEngine } from '@davit/api';
import type { GroupFile } from '../../../adapters/engine/group.ts';

export interface Login {
  username: string;
  password: string;
  /**
   * Time in milliseconds since the epoch when another login replaced this login. Absent for the current login and for a
   * future login.
   */
  replacedAt?: number;
  /**
   * Time in milliseconds since the epoch when the end of this login began. After that, no {@link DatabaseFacts} contain
   * the login, so that the server never accepts it again.
   */
  endedAt?: number;
}

/** Key and certificate in PEM. */
export interface TlsPair {
  key: string;
  certificate: string;
}

/** Facts about a database that its engine needs. */
export interface DatabaseFacts {
  /** Login that apps use now. */
  login: Login;
  /** Further valid logins: logins that a rotation will remove, or a login that a rotation has just made. */
  otherLogins: readonly Login[];
  /** Only logins that the server accepts. Absent if the server accepts all logins. See {@link Dialect.admit}. */
  admitted?: readonly Login[];
  /** Password of {@link ADMIN}, the login of the instance. */
  adminPassword: string;
  /** Whether the server has initialized its data folder and the setup is complete. */
  isFilled: boolean;
  /** Name of the database, or `null` if the engine has no named databases. */
  database: string | null;
  /** Names of extensions for `CREATE EXTENSION`. */
  extensions: readonly string[];
  tls: TlsPair;
  /** Whether the login of apps may read and change the configuration of the server. Only Redis supports this right. */
  allowConfig: boolean;
}

/** Setup of a database's container. */
export interface ServerSetup {
  env: Record<string, string>;
  args: string[] | null;
  files: GroupFile[];
}

/** Program to run inside the container of a database, with its standard input. */
export interface DatabaseCommand {
  command: string[];
  /** User of the container that runs the program. */
  user: string;
  /** Environment variables in addition to the container's variables. These variables contain no secrets. */
  env?: Record<string, string>;
  stdin: string;
  /** Returns whether the output means success. If absent, exit code 0 is enough. */
  isGood?: (stdout: string) => boolean;
  /** Pattern of output that means that sessions of apps block the server. A timeout always has this meaning. */
  held?: RegExp;
  /** Returns the next command for the output of this command, or `null` if there is no next command. */
  followUp?: (stdout: string) => DatabaseCommand | null;
}

export interface Dialect {
  engine: DatabaseEngine;
  /** Path of the volume in the container. */
  dataPath: string;
  port: number;
  /** Port of the container that a published port leads to. The server speaks TLS on this port. */
  exposedPort: number;
  /** Whether the server refuses external connections without TLS. Otherwise TLS is optional. */
  demandsTls: boolean;
  /** User id and group id of the server's user in its images. */
  uid: number;
  user: string;
  stop: { signal: string; graceS: number };
  /** Returns the container's setup. @param gateway address of the host on the network of the environment */
  serve(facts: DatabaseFacts, gateway: string): ServerSetup;
  /** Returns a check that the server is ready. The check fails while the first start initializes an empty folder. */
  ready(facts: DatabaseFacts): DatabaseCommand;
  /** Returns a command that creates the missing parts of login, database and extensions. The command is idempotent. */
  setUp(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Gives all logins exactly the rights of this Davit version, in a server that an earlier version may have set up.
   * Also removes logins that apps could have created outside the platform.
   * The command is idempotent, and connections with the password of these facts are not interrupted.
   * Sessions of a login with another password end if the engine can compare passwords.
   */
  renewRules(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Checks whether the server accepts the instance's login, and ends what blocks this login if possible. A server that
   * still loads its data also counts as accepting.
   * Absent if no app can ever block the instance. If an app did, a new container accepts the instance again, because
   * its files contain the logins.
   */
  letsIn?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Succeeds if the logins of apps have the passwords of these facts. Absent if an app cannot change its password, or
   * if the engine cannot compare it.
   */
  hasPasswords?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Accepts only the logins of these facts, now and after a restart of the same container.
   * A new server accepts these logins from its start.
   * Absent if the engine has no such rules, and needs none to end a login.
   */
  admit?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Adds a login with the same rights on the same data.
   * If the login exists, the command replaces its password. An engine with a single user keeps the old password as
   * well.
   */
  addLogin(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Ends a login that these facts do not contain, and its connections. The server then rejects the login. A missing
   * login is not an error.
   * If `facts.login` has the same name, only the password of `login` becomes invalid.
   * @param addresses addresses of the containers that got the current login
   */
  endLogin(facts: DatabaseFacts, login: Login, addresses: readonly string[]): DatabaseCommand;
  /**
   * Ends every login that is not a platform login, with its connections. This includes logins that these facts do not have.
   * The rules admit the logins of the facts again. Absent if {@link admit} does the same.
   */
  endLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Removes the remains of ended logins from the server. Missing logins are not an error.
   * Objects or locks of apps may block the removal, but the logins have ended anyway.
   * Absent if an ended login leaves nothing, or if the remains stay.
   */
  removeLogins?(facts: DatabaseFacts, usernames: readonly string[]): DatabaseCommand;
  /** Proves that a login can sign in over the network, as an app does. */
  logIn(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /** Writes the logins where a restarted container reads them. Absent if the data of the server contains the logins. */
  noteLogins?(facts: DatabaseFacts): DatabaseCommand;
  /** Returns a command that adds extensions, or `null` if the engine has no extensions. */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): DatabaseCommand | null;
  /** Returns the libraries that the server must load at start for these SQL names. Absent if there are none. */
  loaded?(extensions: readonly string[]): string[];
  /** Lists the SQL names of the extensions in the image. Absent if the engine has no extensions. */
  available?(): DatabaseCommand;
  /** Whether the engine has extensions. */
  hasExtensions: boolean;
  /** Whether Davit can archive the log of the server for point-in-time recovery. */
  hasPointInTime: boolean;
  /** Whether apps can get access to the configuration of the server. See {@link DatabaseFacts.allowConfig}. */
  hasConfigCommand: boolean;
  /** Default name of the login of apps, or `null` if the name of the database determines the name. */
  defaultUser: string | null;
  /** Names that belong to the engine or to the instance. */
  reserved: { users: RegExp; databases: RegExp };
}

/** Returns the logins that the server accepts. */
export function admittedBy({ admitted, login, otherLogins }: DatabaseFacts): readonly Login[] {
  return admitted ?? [login, ...otherLogins];
}

/** Name of the instance's own login. Apps never get this login. */
export const ADMIN = 'davit_admin';

/** Returns a file that only one user can read. */
export function secretFile(path: string, text: string, uid: number): GroupFile {
  return { path, bytes: Buffer.from(text), mode: 0o400, uid, gid: uid };
}
