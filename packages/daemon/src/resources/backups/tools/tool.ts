import type { Login } from '../../databases/dialects/dialect.ts';
import type { ServerOptions } from '../../databases/options.ts';
import type { ContainerTarget } from './program.ts';

/** Running database with the credentials for its tools. */
export interface DumpedDatabase extends ContainerTarget {
  /** Password of the instance's own login, which has all rights. */
  adminPassword: string;
  /** The login of apps. A dump is restored with its rights if the server has no user with fewer rights. */
  login: Login;
  /** Name of the database, or `null` if the engine has no named databases. */
  database: string | null;
  /** Socket of another server in the same container. Only PostgreSQL uses this field. */
  socket?: { folder: string; port: number };
}

/**
 * Number of rows, keys or documents of each object: an exact number, or the range between the counts before and after.
 */
export type Counts = Record<string, number | [least: number, most: number]>;

/** Roles that own objects of a dump or have rights on them, with the roles that each is a member of. */
export type Roles = Record<string, string[]>;

/** Facts about a dump that a restore needs first. */
export interface DumpHead {
  /** Owners of the objects in a PostgreSQL dump. Earlier versions also recorded the owners of MySQL objects. */
  roles?: Roles;
  /** Settings of the whole PostgreSQL database, as `name=value`. */
  settings?: string[];
  /** Comment on the whole PostgreSQL database. */
  comment?: string;
  /** Default character set and collation of a MySQL database. */
  collation?: [charset: string, collation: string];
  /** Whether the superuser owns objects in a PostgreSQL dump. Absent in dumps of earlier versions. */
  ofAdmin?: boolean;
  /** Whether a PostgreSQL dump has more objects than one transaction can create. */
  isMany?: boolean;
}

/** Facts about a dump in addition to its bytes. */
export interface DumpFacts extends DumpHead {
  counts: Counts;
  /** Further databases on the same server. No dump of this database contains them. */
  besides?: string[];
}

export interface Dump {
  head: DumpHead;
  /** Output of the tool. The stream throws an error if the tool fails. */
  bytes: AsyncIterable<Uint8Array>;
  /** Returns the facts. Call this function after all bytes were read. */
  facts: () => Promise<DumpFacts>;
  /** Removes temporary files or objects of the dump. Absent if there is nothing to remove. */
  end?: () => Promise<void>;
}

/** Backup and restore of one engine with its own tools. */
export interface DumpTool {
  /** Whether the output of the tool is already compressed. */
  isPacked: boolean;
  /** Dumps the data of one moment while the database serves. All programs of the dump end with the signal. */
  dump(of: DumpedDatabase): Promise<Dump>;
  /** Removes all data from a database that was made for a restore. Parts of the setup may also be removed. */
  empty(of: DumpedDatabase): Promise<void>;
  /**
   * Restores a dump into a new database.
   * @param warn is called with a sentence for each object whose content could not be restored
   * @throws ToolFailed
   */
  restore(
    into: DumpedDatabase,
    dump: AsyncIterable<Uint8Array>,
    head?: DumpHead,
    warn?: (line: string) => void,
  ): Promise<void>;
  /**
   * Returns options for a server that exists only for a verification, so that its data need not be durable.
   * @param memoryBytes memory limit in bytes, or `null` if there is no limit
   */
  trial?(memoryBytes: number | null): ServerOptions;
  /** Lists further databases on the same server. Absent if the engine has none. */
  besides?(of: DumpedDatabase): Promise<string[]>;
  /** Returns the current counts. */
  count(of: DumpedDatabase): Promise<Record<string, number>>;
}
