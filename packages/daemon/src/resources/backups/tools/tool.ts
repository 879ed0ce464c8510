import type { Login } from '../../databases/dialects/dialect.ts';
import type { ServerOptions } from '../../databases/options.ts';
import type { ContainerTarget } from './program.ts';

/** Running database, with the credentials that its dump tools need. */
export interface DumpedDatabase extends ContainerTarget {
  /** Password of Davit's own database user, which has all permissions. */
  adminPassword: string;
  /**
   * User name and password with which apps sign in to the database. A restore also uses this database user if the
   * server has no special user for restores.
   */
  login: Login;
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
  /**
   * Unix socket of a second PostgreSQL server in the container, which runs a point-in-time recovery. The field is
   * absent for all other connections.
   */
  socket?: { folder: string; port: number };
}

/**
 * Number of rows, keys or documents in each table, key space or collection. If the value is a range, it contains the
 * numbers before and after the dump.
 */
export type Counts = Record<string, number | [least: number, most: number]>;

/**
 * Roles that own objects in the dump or have permissions for objects in the dump. The map contains, for each role, the
 * roles of which it is a member.
 */
export type Roles = Record<string, string[]>;

/**
 * View that is not in the dump, because the dump tool cannot read the view. A restore creates the view after it has
 * restored the dump.
 */
export interface LeftOutView {
  name: string;
  /** SQL statement that creates the view again after a restore. */
  create: string;
  /** Collation of the session that created the view. Strings in the view use this collation. */
  collation: string;
}

/** Properties of a dump that Davit needs for a restore before it reads the dump. */
export interface DumpHead {
  /**
   * Roles that own objects in a PostgreSQL dump or have permissions for objects in the dump. Davit ignores this value
   * in MySQL backups of earlier Davit versions.
   */
  roles?: Roles;
  /** Settings of the PostgreSQL database, in the form `name=value`. */
  settings?: string[];
  /** Comment that a user has saved with `COMMENT ON DATABASE` for the PostgreSQL database. */
  comment?: string;
  /** Default character set and collation of a MySQL or MariaDB database. */
  collation?: [charset: string, collation: string];
  /** MySQL or MariaDB views that the dump does not contain. */
  views?: LeftOutView[];
  /**
   * Whether the superuser owns objects in a PostgreSQL dump. Backups of earlier Davit versions do not contain this
   * value.
   */
  ofAdmin?: boolean;
  /**
   * Whether a PostgreSQL dump contains so many objects, such as tables, that one transaction cannot restore all of
   * them.
   */
  isMany?: boolean;
}

/** Properties of a database dump, for example its row counts. Davit saves these properties together with the dump. */
export interface DumpFacts extends DumpHead {
  counts: Counts;
  /** Names of other databases on the same server. The dump does not contain these databases. */
  besides?: string[];
}

export interface Dump {
  head: DumpHead;
  /** Output of the dump tool as a stream. If the tool fails, the stream throws an error. */
  bytes: AsyncIterable<Uint8Array>;
  /**
   * Returns data that Davit saves together with the dump, for example row counts. Call this function only after all
   * bytes of the dump were read.
   */
  facts: () => Promise<DumpFacts>;
  /** Function that removes the temporary files of the dump. `undefined` if the dump has no temporary files. */
  end?: () => Promise<void>;
}

/** Functions for backup and restore of one database engine. The functions run the dump tools of this engine. */
export interface DumpTool {
  /** Whether the output of the dump tool is already compressed. */
  isPacked: boolean;
  /**
   * Dumps a database while apps use the database. All data in the dump is from the same moment. If `of.signal` is
   * aborted, the dump stops.
   */
  dump(of: DumpedDatabase): Promise<Dump>;
  /**
   * Removes all data from a database that Davit created for a restore. The function may also remove database users that
   * Davit created.
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
   * Returns server arguments that make the temporary database of a backup verification faster. The arguments can cause
   * data loss after a crash, but the data is not needed.
   * @param memoryBytes memory limit in bytes, or `null` for no limit
   */
  trial?(memoryBytes: number | null): ServerOptions;
  /**
   * Returns the names of the other databases on the server of a database. Returns `undefined` if a server of this
   * engine has only one database.
   */
  besides?(of: DumpedDatabase): Promise<string[]>;
  /**
   * Returns the current number of rows, keys or documents in each table, key space or collection of a database.
   * @param isTrial whether the database is temporary, so that no app can connect to it
   */
  count(of: DumpedDatabase, isTrial?: boolean): Promise<Record<string, number>>;
}
