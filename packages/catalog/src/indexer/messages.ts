import type { CatalogConfig } from '../config/config.ts';
import type { PassReport } from '../store/types.ts';

/**
 * Message from the catalog server to the indexer process. The first message contains the configuration. Process
 * arguments are not used, because all users of the machine can read them.
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
   * Message after an indexing run. `index` is the number of the published index, or `null` if the run published no
   * index.
   */
  | { kind: 'pass'; report: PassReport; index: number | null }
  /**
   * The indexer cannot use this data directory and exits. `reason` contains the required action for the operator. Until
   * the operator acts, each restart of the indexer fails.
   */
  | { kind: 'refused'; reason: string };
