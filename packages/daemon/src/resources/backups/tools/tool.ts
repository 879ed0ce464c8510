import type { Login } from '../../databases/dialects/dialect.ts';
import type { ServerOptions } from '../../databases/options.ts';
import type { ContainerTarget } from './program.ts';

/** A database that answers, and what its tools are let in with. */
export interface DumpedDatabase extends ContainerTarget {
  /** Of the instance's own login, which may do everything. */
  adminPassword: string;
  /** The login of apps. A dump is restored with its rights if the server has no user with fewer rights. */
  login: Login;
  /** Null: the engine has none with names. */
  database: string | null;
  /** PostgreSQL: another server in the same container than its own. */
  socket?: { folder: string; port: number };
}

/** How many rows, keys or documents there were of each thing: exactly, or within what was counted before and after. */
export type Counts = Record<string, number | [least: number, most: number]>;

/** Roles that own what is in a dump or may use it, with the roles that each is a member of. */
export type Roles = Record<string, string[]>;

/** What is known of a dump before it is read in. */
export interface DumpHead {
  /** PostgreSQL: owners of the objects in the dump. Earlier versions also recorded those of MySQL. */
  roles?: Roles;
  /** PostgreSQL: what is set for the database as a whole, `name=value`. */
  settings?: string[];
  /** PostgreSQL: what somebody has noted about the database as a whole. */
  comment?: string;
  /** MySQL: the character set and the collation of what is made without one. */
  collation?: [charset: string, collation: string];
  /** PostgreSQL: whether the superuser owns objects in the dump. Absent in dumps of earlier versions. */
  ofAdmin?: boolean;
  /** PostgreSQL: it has more things than one transaction could make. */
  isMany?: boolean;
}

/** What is known of a dump beside its bytes. */
export interface DumpFacts extends DumpHead {
  counts: Counts;
  /** Further databases of the same server, which no dump of this one has. */
  besides?: string[];
}

export interface Dump {
  head: DumpHead;
  /** What the tool writes. It throws instead of ending where the tool failed. */
  bytes: AsyncIterable<Uint8Array>;
  /** To be asked when all the bytes were taken. */
  facts: () => Promise<DumpFacts>;
  /** Removes what the dump needed besides the data. Absent if there is nothing to remove. */
  end?: () => Promise<void>;
}

/** How one engine is written out and read in again, with its own tools. */
export interface DumpTool {
  /** Whether what it writes is compressed already. */
  isPacked: boolean;
  /** Writes out what a database has at one moment, while it goes on serving. What it has begun ends with the signal. */
  dump(of: DumpedDatabase): Promise<Dump>;
  /** Takes everything out of a database that was made to be filled; what it was set up with may go along. */
  empty(of: DumpedDatabase): Promise<void>;
  /** Reads a dump into a database that is new. @throws ToolFailed */
  restore(into: DumpedDatabase, dump: AsyncIterable<Uint8Array>, head?: DumpHead): Promise<void>;
  /** For a server that is made for a trial alone: nothing that it has must outlive it. @param memoryBytes null: no limit */
  trial?(memoryBytes: number | null): ServerOptions;
  /** The further databases that somebody has made on the same server; absent: it has none. */
  besides?(of: DumpedDatabase): Promise<string[]>;
  /** What is in there now. */
  count(of: DumpedDatabase): Promise<Record<string, number>>;
}
