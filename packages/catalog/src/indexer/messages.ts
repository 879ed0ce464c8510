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
  /** Stops the indexer within five seconds. Closing the IPC channel has the same effect. */
  | { kind: 'stop' };

/** Message from the indexer process to the catalog server. */
export type IndexerMessage =
  /**
   * An indexing run has finished. `index` is the number of the published index. `null` means that the run published
   * none.
   */
  | { kind: 'pass'; report: PassReport; index: number | null }
  /**
   * The indexer cannot use this data directory and exits. `reason` tells the operator what to do. Before the operator
   * does this, each restart of the indexer fails.
   */
  | { kind: 'refused'; reason: string };
