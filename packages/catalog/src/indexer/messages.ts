import type { CatalogConfig } from '../config/config.ts';
import type { PassReport } from '../store/types.ts';

/**
 * Message from the catalog server to the indexer process. The configuration is not sent as process arguments, because
 * all users of the machine can read them.
 */
export type IndexerCommand =
  | {
      kind: 'start';
      config: CatalogConfig;
      /** Path of the catalog's SQLite file. */
      database: string;
    }
  /** Stops the indexer within five seconds. A closed IPC channel has the same effect. */
  | { kind: 'stop' };

/** Message from the indexer process to the catalog server. */
export type IndexerMessage =
  /** An indexer pass has ended. `index` is the number of the published index, or `null` if the pass published none. */
  | { kind: 'pass'; report: PassReport; index: number | null }
  /**
   * The indexer cannot run with this data directory and ends. A restart does not help until an operator follows the
   * message.
   */
  | { kind: 'refused'; reason: string };
