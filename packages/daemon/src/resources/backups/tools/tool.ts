import type { Login } from '../../databases/dialects/dialect.ts';
import type { ServerOptions } from '../../databases/options.ts';
import type { ContainerTarget } from './program.ts';

/** Running database, with the credentials for its dump tools. */
export interface DumpedDatabase extends ContainerTarget {
  /** Password of Davit's own login, which has all permissions. */
  adminPassword: string;
  /**
   * User name and password with which apps sign in. A restore also uses this login if the database server has no
   * special user for restores.
   */
  login: Login;
  /** Name of the database, or `null` if the database engine has no named databases. */
  database: string | null;
  /**
   * Unix socket of a second PostgreSQL server in the container, which runs a point-in-time recovery. Absent for all
   * other connections.
   */
  socket?: { folder: string; port: number };
}

/**
 * Number of rows, keys or documents by table, key space or collection. A range contains the counts before and after the
 * dump.
 */
export type Counts = Record<string, number | [least: number, most: number]>;

/**
 * Roles that a dump needs: they own objects in the dump or have permissions for them. Maps each role to the roles that
 * it belongs to.
 */
export type Roles = Record<string, string[]>;

/**
 * View that is not in the dump, because the dump tool cannot read the view. A restore first restores the dump, and then
 * tries to create the view.
 */
export interface LeftOutView {
  name: string;
  /** SQL statement that creates the view again after a restore. */
  create: string;
  /** Collation of the session that created the view. Strings in the view have this collation. */
  collation: string;
}

/** Properties of a dump that a restore needs before it reads the dump. */
export interface DumpHead {
  /**
   * Roles that own objects in a PostgreSQL dump or have permissions for them. Ignored in MySQL backups of earlier Davit
   * versions.
   */
  roles?: Roles;
  /** Settings of the whole PostgreSQL database, as `name=value`. */
  settings?: string[];
  /** Text that a user has stored with `COMMENT ON DATABASE` for the PostgreSQL database. */
  comment?: string;
  /** Default character set and collation of a MySQL or MariaDB database. */
  collation?: [charset: string, collation: string];
  /** MySQL or MariaDB views that the dump does not contain. */
  views?: LeftOutView[];
  /** Whether the superuser owns objects in a PostgreSQL dump. Absent in backups of earlier Davit versions. */
  ofAdmin?: boolean;
  /** Whether a PostgreSQL dump contains too many objects, such as tables, to restore all of them in one transaction. */
  isMany?: boolean;
}

/** Properties of a database dump, for example its row counts. Davit stores them in addition to the dump itself. */
export interface DumpFacts extends DumpHead {
  counts: Counts;
  /** Names of other databases on the same server, which the dump does not contain. */
  besides?: string[];
}

export interface Dump {
  head: DumpHead;
  /** Output of the dump tool as a stream. The stream throws an error if the tool fails. */
  bytes: AsyncIterable<Uint8Array>;
  /**
   * Returns data that Davit stores in addition to the dump, for example row counts. Call this function only after all
   * bytes of the dump were read.
   */
  facts: () => Promise<DumpFacts>;
  /** Function that removes the temporary files of the dump. `undefined` if the dump has no temporary files. */
  end?: () => Promise<void>;
}

/** Functions for backup and restore of one database engine. They run the dump tools of this engine. */
export interface DumpTool {
  /** Whether the output of the dump tool is already compressed. */
  isPacked: boolean;
  /**
   * Dumps a database while apps use it. All data in the dump is from the same moment. The dump stops if `of.signal` is
   * aborted.
   */
  dump(of: DumpedDatabase): Promise<Dump>;
  /**
   * Removes all data from a database that was created for a restore. The function may also remove logins that Davit
   * created in this database.
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
   * Returns server arguments that make the database of a verification faster, because its data need not survive a
   * crash.
   * @param memoryBytes `null` for no limit
   */
  trial?(memoryBytes: number | null): ServerOptions;
  /**
   * Returns the names of the other databases on the server of the given database. `undefined` for engines whose servers
   * have only one database.
   */
  besides?(of: DumpedDatabase): Promise<string[]>;
  /** Returns the current number of rows, keys or documents in each table, key space or collection of the database. */
  count(of: DumpedDatabase): Promise<Record<string, number>>;
}
