/**
 * A dialect describes one database engine: the setup of its container, and the commands that its server accepts.
 * Dialects only build commands. The function `ask` runs each command inside the database container. Secrets are in
 * files that only one container user can read, or on the standard input of a program. Arguments and environment
 * variables never contain secrets.
 */
import type { DatabaseEngine } from '@davit/api';
import type { GroupFile } from '../../../adapters/engine/group.ts';

export interface Login {
  username: string;
  password: string;
  /**
   * Time in milliseconds since the epoch when another login replaced this login. Absent for the current login and for a
   * login that is not in use yet.
   */
  replacedAt?: number;
  /**
   * Time in milliseconds since the epoch when the end of this login began. From then on, the server never accepts the
   * login again, because `DatabaseFacts` no longer contain it.
   */
  endedAt?: number;
}

/** TLS key and certificate in PEM format. */
export interface TlsPair {
  key: string;
  certificate: string;
}

/** Facts about one database, from which a dialect builds its commands. */
export interface DatabaseFacts {
  login: Login;
  /** Further valid logins: logins that a rotation will remove, or a login that a rotation has just made. */
  otherLogins: readonly Login[];
  /** Only logins that the server accepts. Absent if the server accepts all logins. */
  admitted?: readonly Login[];
  /** Password of `davit_admin`, the login of Davit itself. */
  adminPassword: string;
  /** Whether the server has initialized its data folder and the setup of the database is complete. */
  isFilled: boolean;
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
  /** Names of PostgreSQL extensions for `CREATE EXTENSION`. */
  extensions: readonly string[];
  tls: TlsPair;
  /** Whether apps may read and change the server configuration. Only Redis supports this right. */
  allowConfig: boolean;
}

/** Environment variables, arguments and files of a database container. */
export interface ServerSetup {
  env: Record<string, string>;
  args: string[] | null;
  files: GroupFile[];
}

/** Program to run inside a database container, with its standard input. */
export interface DatabaseCommand {
  command: string[];
  /** Container user that runs the program. */
  user: string;
  /** Environment variables in addition to the container's variables. They contain no secrets. */
  env?: Record<string, string>;
  stdin: string;
  /** Returns whether the output means success. If this function is absent, exit code 0 is enough. */
  isGood?: (stdout: string) => boolean;
  /** Pattern of output that means that sessions of apps block the server. A timeout always has this meaning. */
  held?: RegExp;
  /** Returns the next command, depending on the output of this command, or `null` if there is no next command. */
  followUp?: (stdout: string) => DatabaseCommand | null;
}

export interface Dialect {
  engine: DatabaseEngine;
  /** Mount path of the data volume in the container. */
  dataPath: string;
  port: number;
  /** Container port for clients outside the server. The database server speaks TLS on this port. */
  exposedPort: number;
  /** Whether the database server rejects external connections without TLS. Otherwise TLS is optional. */
  demandsTls: boolean;
  /** User id and group id of the database server in its images. */
  uid: number;
  user: string;
  stop: { signal: string; graceS: number };
  /** Returns the container setup. @param gateway address of the host on the Docker network of the environment */
  serve(facts: DatabaseFacts, gateway: string): ServerSetup;
  /**
   * Returns a readiness check. The check fails while the first start of the server initializes an empty data folder.
   */
  ready(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that creates the login, the database and the extensions where they are missing. The command is
   * idempotent.
   */
  setUp(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Returns a command that gives all logins exactly the rights of this Davit version. An earlier version may have set
   * up the server. The command also removes logins that apps could have created. It is idempotent. Connections that use
   * the current password are not interrupted. Connections with another password end if the server can compare
   * passwords.
   */
  renewRules(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Checks whether the database server accepts Davit's own login, and ends scripts that block this login if possible. A
   * server that still loads its data also counts as accepting. Absent if no app can ever block Davit. A new container
   * accepts Davit in any case, because its files contain the logins.
   */
  letsIn?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Succeeds if the logins of apps have the passwords in `facts`. Absent if an app cannot change its password, or if
   * the server cannot compare passwords.
   */
  hasPasswords?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Accepts only the logins in `facts`, now and after a restart of the same container. A new server accepts these
   * logins from its start. Absent if the database engine has no such access rules and needs none to end a login.
   */
  admit?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Adds a login with the same rights on the same data. If the login exists, the command replaces its password. An
   * engine with a single user keeps the old password as well.
   */
  addLogin(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Ends a login that is not in `facts`, and closes its connections. The server then rejects the login. A missing login
   * is not an error. If `facts.login` has the same name, only the password of `login` becomes invalid.
   * @param addresses addresses of the app containers that got the current login
   */
  endLogin(facts: DatabaseFacts, login: Login, addresses: readonly string[]): DatabaseCommand;
  /**
   * Ends every login that is not Davit's own, and closes its connections. `renewRules` admits the logins in `facts`
   * again. Absent if the dialect has `admit`, which rejects logins itself.
   */
  endLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Removes ended logins from the database server. Missing logins are not an error. Objects or locks of apps may block
   * the removal. Absent if an ended login leaves nothing behind, or if its account must stay.
   */
  removeLogins?(facts: DatabaseFacts, usernames: readonly string[]): DatabaseCommand;
  /** Proves that a login can sign in over the network, as an app does. */
  logIn(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Writes the logins to the file that a restarted container reads. Absent if the server stores its logins in its data.
   */
  noteLogins?(facts: DatabaseFacts): DatabaseCommand;
  /** Returns a command that adds extensions, or `null` if the database engine has no extensions. */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): DatabaseCommand | null;
  /** Returns the libraries that the server must load at start for these extensions. Absent if there are none. */
  loaded?(extensions: readonly string[]): string[];
  /** Lists the SQL names of the extensions in the container image. Absent if the database engine has no extensions. */
  available?(): DatabaseCommand;
  hasExtensions: boolean;
  /** Whether Davit can archive the transaction log of the server for point-in-time recovery. */
  hasPointInTime: boolean;
  /** Whether apps can get access to the server configuration, which `DatabaseFacts.allowConfig` grants. */
  hasConfigCommand: boolean;
  /** Default user name of apps, or `null` if the user name is derived from the name of the database. */
  defaultUser: string | null;
  /** Names that the database engine or Davit reserves. */
  reserved: { users: RegExp; databases: RegExp };
}

export function admittedBy({ admitted, login, otherLogins }: DatabaseFacts): readonly Login[] {
  return admitted ?? [login, ...otherLogins];
}

/** User name of Davit's own login. Apps never get this login. */
export const ADMIN = 'davit_admin';

/** Returns a container file that only one user can read. */
export function secretFile(path: string, text: string, uid: number): GroupFile {
  return { path, bytes: Buffer.from(text), mode: 0o400, uid, gid: uid };
}
