import type { Login } from '../../databases/dialects/dialect.ts';
import type { ServerOptions } from '../../databases/options.ts';
import type { ContainerTarget } from './program.ts';

/** Running database with the credentials for its dump tools. */
export interface DumpedDatabase extends ContainerTarget {
  /** Password of Davit's own login, which has all rights. */
  adminPassword: string;
  /** Login of apps. It restores a dump if the database server has no user with fewer rights. */
  login: Login;
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
  /** Socket of a second server in the same container. Only PostgreSQL uses this field. */
  socket?: { folder: string; port: number };
}

/**
 * Number of rows, keys or documents of each object: an exact number, or the range between the counts before and after a
 * dump.
 */
export type Counts = Record<string, number | [least: number, most: number]>;

/** Roles that own objects of a dump or have rights on them, with the roles that each is a member of. */
export type Roles = Record<string, string[]>;

/** Facts about a dump that a restore needs before it reads the dump. */
export interface DumpHead {
  /** Owners of the objects in a PostgreSQL dump. Earlier Davit versions also recorded the owners of MySQL objects. */
  roles?: Roles;
  /** Settings of the whole PostgreSQL database, as `name=value`. */
  settings?: string[];
  /** Comment on the whole PostgreSQL database. */
  comment?: string;
  /** Default character set and collation of a MySQL or MariaDB database. */
  collation?: [charset: string, collation: string];
  /** Whether the superuser owns objects in a PostgreSQL dump. Absent in dumps of earlier Davit versions. */
  ofAdmin?: boolean;
  /** Whether a PostgreSQL dump has more objects than one transaction can create. */
  isMany?: boolean;
}

/** Facts about a dump in addition to its bytes. */
export interface DumpFacts extends DumpHead {
  counts: Counts;
  /** Names of other databases on the same server, which the dump does not contain. */
  besides?: string[];
}

export interface Dump {
  head: DumpHead;
  /** Output of the dump tool. The stream throws an error if the tool fails. */
  bytes: AsyncIterable<Uint8Array>;
  /** Returns the facts about the dump. Call this function after all bytes were read. */
  facts: () => Promise<DumpFacts>;
  /** Removes temporary files of the dump. Absent if there is nothing to remove. */
  end?: () => Promise<void>;
}

/** Backup and restore of one database engine with its own tools. */
export interface DumpTool {
  /** Whether the output of the dump tool is already compressed. */
  isPacked: boolean;
  /** Dumps the data of one moment while apps use the database. All programs of the dump end when `of.signal` aborts. */
  dump(of: DumpedDatabase): Promise<Dump>;
  /**
   * Removes all data from a database that was created for a restore. Parts of its setup, such as the logins, may be
   * removed too.
   */
  empty(of: DumpedDatabase): Promise<void>;
  /**
   * Restores a dump into a new database.
   * @param warn called with a sentence for each object whose content could not be restored
   * @throws ToolFailed
   */
  restore(
    into: DumpedDatabase,
    dump: AsyncIterable<Uint8Array>,
    head?: DumpHead,
    warn?: (line: string) => void,
  ): Promise<void>;
  /**
   * Returns server options for a temporary database of a verification, whose data need not be durable.
   * @param memoryBytes memory limit in bytes, or `null` if there is no limit
   */
  trial?(memoryBytes: number | null): ServerOptions;
  /** Lists other databases on the same server. Absent if the database engine has none. */
  besides?(of: DumpedDatabase): Promise<string[]>;
  /** Returns the current number of rows, keys or documents of each object. */
  count(of: DumpedDatabase): Promise<Record<string, number>>;
}
