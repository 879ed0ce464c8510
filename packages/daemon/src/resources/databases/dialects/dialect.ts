/**
 * What differs between the engines of databases: how their container is set up, and what is said to them. Nothing here talks
 * to anybody: an {@link DatabaseCommand} is run inside the container by `resources/databases/ask.ts`. What is secret is in files that one user of the
 * container alone reads, or on the standard input of a program, and never in its arguments or its variables.
 */
import type { DatabaseEngine } from '@davit/api';
import type { GroupFile } from '../../../adapters/engine/group.ts';

export interface Login {
  username: string;
  password: string;
  /** When another one took its place, in milliseconds since the epoch; absent: it is the one of now, or is about to be. */
  replacedAt?: number;
  /** When its end began, likewise. From then on no {@link DatabaseFacts} have it, so that nothing lets it in again. */
  endedAt?: number;
}

/** Key and certificate in PEM. */
export interface TlsPair {
  key: string;
  certificate: string;
}

/** A database as its engine is told of it. */
export interface DatabaseFacts {
  /** The login that apps use now. */
  login: Login;
  /** Further ones that work: those that a rotation is about to take away, or has just made. */
  otherLogins: readonly Login[];
  /** Those of all of them that are let in, while nobody else is to be; absent: each is. See {@link Dialect.admit}. */
  admitted?: readonly Login[];
  /** Of the login that the instance itself uses, {@link ADMIN}. */
  adminPassword: string;
  /** Whether its server has filled the folder of its data and was set up. */
  isFilled: boolean;
  /** Null: the engine has none with names. */
  database: string | null;
  /** What `CREATE EXTENSION` calls them. */
  extensions: readonly string[];
  tls: TlsPair;
  /** Redis: whether the login of apps may read and change the configuration of the server. */
  allowConfig: boolean;
}

/** How a database's container is set up. */
export interface ServerSetup {
  env: Record<string, string>;
  args: string[] | null;
  files: GroupFile[];
}

/** A program that is run inside the database's container, with what it reads. */
export interface DatabaseCommand {
  command: string[];
  /** Whom it runs as. */
  user: string;
  /** Added to the container's own; nothing in it is secret. */
  env?: Record<string, string>;
  stdin: string;
  /** Absent: an exit code of 0 is enough. */
  isGood?: (stdout: string) => boolean;
  /** What is said where sessions of apps keep the server from doing it. Not in time is always taken for that. */
  held?: RegExp;
  /** The next question, made from the answer to this one; `null` or absent if there is none. */
  followUp?: (stdout: string) => DatabaseCommand | null;
}

export interface Dialect {
  engine: DatabaseEngine;
  /** Where the volume goes. */
  dataPath: string;
  port: number;
  /** What a port of the machine leads to: where it speaks TLS. */
  exposedPort: number;
  /** Whether it refuses who comes from outside without TLS; otherwise it offers it. */
  demandsTls: boolean;
  /** The user that the server runs as in its images; its group has the same number. */
  uid: number;
  user: string;
  stop: { signal: string; graceS: number };
  /** @param gateway the address that the machine itself has on the environment's network */
  serve(facts: DatabaseFacts, gateway: string): ServerSetup;
  /** Whether it answers; not while it fills an empty folder at its first start. */
  ready(facts: DatabaseFacts): DatabaseCommand;
  /** Makes the login, the database and the extensions, where they are not there yet; may be asked again. */
  setUp(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Gives the logins of these facts, and those of the platform, exactly the rights that this version gives them, in a server
   * that an earlier version may have set up; logins that nobody made through the platform end where an app could have made
   * them. May be repeated; nobody who is connected with the password of these facts notices. Sessions of a login that had another
   * password end, where the engine can compare them.
   */
  renewRules(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Whether the instance is let in, also by a server that still reads its data; ends what keeps it out, where that can be ended.
   * Absent: no app could ever shut it out. Where one did, a new container lets the instance in again, because its files have
   * the logins.
   */
  letsIn?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Succeeds if the logins of apps have the passwords of these facts. Absent: an app cannot change the password of its login.
   */
  hasPasswords?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Lets in the logins of these facts and nobody else, from now on and when the same container starts again. A new server
   * lets in the same ones from its start. Absent: the engine has no such rules, and needs none to end a login.
   */
  admit?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Makes a further login with the same rights on the same data; one of that name gets this password, in place of the one that
   * it has or, with an engine of one user, beside it.
   */
  addLogin(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /**
   * Ends a login that these facts do not have, with its connections: nobody gets in with it any more. One that is gone is fine.
   * Where `facts.login` has the same name, the password of this one stops to work, and the name goes on.
   * @param addresses of the containers that were given the login of now
   */
  endLogin(facts: DatabaseFacts, login: Login, addresses: readonly string[]): DatabaseCommand;
  /**
   * Ends every login that is not one of the platform, with its connections, also those that these facts do not have. The rules let
   * the logins of the facts in again. Absent: {@link admit} does the same.
   */
  endLogins?(facts: DatabaseFacts): DatabaseCommand;
  /**
   * Removes what the server still has of a login that has ended. What apps own or hold may keep it from doing so; the login has
   * ended all the same. Absent: nothing is left of it, or what is left is kept.
   */
  removeLogin?(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /** Proves that a login gets in, over the network as an app does. */
  logIn(facts: DatabaseFacts, login: Login): DatabaseCommand;
  /** Writes the logins of these facts where the same container reads them when it starts again; absent: they are in its data. */
  noteLogins?(facts: DatabaseFacts): DatabaseCommand;
  /** Null: the engine has no extensions. */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): DatabaseCommand | null;
  /** What the server loads when it starts for extensions of these SQL names; absent: nothing. */
  loaded?(extensions: readonly string[]): string[];
  /** Lists the SQL names of the extensions that its image has; absent: the engine has none. */
  available?(): DatabaseCommand;
  /** Whether it has extensions. */
  hasExtensions: boolean;
  /** Whether its log can be kept, so that a database can be restored to any moment. */
  hasPointInTime: boolean;
  /** Whether its apps can be let at the configuration of the server: {@link DatabaseFacts.allowConfig}. */
  hasConfigCommand: boolean;
  /** Name of the login of apps if none is given; `null` if it is made from the name of the database. */
  defaultUser: string | null;
  /** Names that belong to the engine or to the instance. */
  reserved: { users: RegExp; databases: RegExp };
}

/** The logins that a server lets in. */
export function admittedBy({ admitted, login, otherLogins }: DatabaseFacts): readonly Login[] {
  return admitted ?? [login, ...otherLogins];
}

/** The login of the instance itself; apps never get it. */
export const ADMIN = 'davit_admin';

/** A file that one user alone reads. */
export function secretFile(path: string, text: string, uid: number): GroupFile {
  return { path, bytes: Buffer.from(text), mode: 0o400, uid, gid: uid };
}
