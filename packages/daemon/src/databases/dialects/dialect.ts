/**
 * What differs between the engines of databases: how their container is set up, and what is said to them. Nothing here talks
 * to anybody: an {@link Ask} is run inside the container by `databases/ask.ts`. What is secret is in files that the server's
 * user alone reads, or on the standard input of a program, and never in its arguments or its variables.
 */
import type { DatabaseEngine } from '@davit/api';
import type { GroupFile } from '../../engine/group.ts';

export interface Login {
  username: string;
  password: string;
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
  /** Of the login that the instance itself uses, {@link ADMIN}. */
  adminPassword: string;
  /** Null: the engine has none with names. */
  database: string | null;
  /** What `CREATE EXTENSION` calls them. */
  extensions: readonly string[];
  tls: TlsPair;
}

/** How a database's container is set up. */
export interface Serving {
  env: Record<string, string>;
  args: string[] | null;
  files: GroupFile[];
}

/** A program that is run inside the database's container, with what it reads. */
export interface Ask {
  command: string[];
  /** Whom it runs as. */
  user: string;
  stdin: string;
  /** Absent: an exit code of 0 is enough. */
  isGood?: (stdout: string) => boolean;
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
  serve(facts: DatabaseFacts, gateway: string): Serving;
  /** Whether it answers; not while it fills an empty folder at its first start. */
  ready(facts: DatabaseFacts): Ask;
  /** Makes the login, the database and the extensions, where they are not there yet; may be asked again. */
  setUp(facts: DatabaseFacts): Ask;
  /**
   * Makes a further login with the same rights on the same data; one of that name gets this password, in place of the one that
   * it has or, with an engine of one user, beside it.
   */
  addLogin(facts: DatabaseFacts, login: Login): Ask;
  /**
   * Takes a login away, with its connections; one that is gone is fine. Where `facts.login` has the same name, the password of
   * this one stops to work, and the name goes on.
   */
  dropLogin(facts: DatabaseFacts, login: Login): Ask;
  /** Proves that a login gets in, over the network as an app does. */
  logIn(facts: DatabaseFacts, login: Login): Ask;
  /** Writes the logins of these facts where the same container reads them when it starts again; absent: they are in its data. */
  noteLogins?(facts: DatabaseFacts): Ask;
  /** Null: the engine has no extensions. */
  addExtensions(facts: DatabaseFacts, extensions: readonly string[]): Ask | null;
  /** What the server loads when it starts for extensions of these SQL names; absent: nothing. */
  loaded?(extensions: readonly string[]): string[];
  /** Lists the SQL names of the extensions that its image has; absent: the engine has none. */
  available?(): Ask;
  /** Names that belong to the engine or to the instance. */
  reserved: { users: RegExp; databases: RegExp };
}

/** The login of the instance itself; apps never get it. */
export const ADMIN = 'davit_admin';

/** A file that the server's user alone reads. */
export function secretFile(path: string, text: string, uid: number): GroupFile {
  return { path, bytes: Buffer.from(text), mode: 0o400, uid, gid: uid };
}
