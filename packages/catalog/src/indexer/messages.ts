import type { CatalogConfig } from '../config/config.ts';
import type { PassReport } from '../store/types.ts';

/**
 * Messages from the server to the indexer. The settings are sent as a message, because every user of the machine can
 * read process arguments.
 */
export type IndexerCommand =
  | {
      kind: 'start';
      config: CatalogConfig;
      /** Path of the file of the store. */
      database: string;
    }
  /** The indexer ends within five seconds, also when the channel closes. */
  | { kind: 'stop' };

/** Messages from the indexer to the server. */
export type IndexerMessage =
  /** A pass has ended. `index` is the number of the published index, or `null` if the pass published none. */
  | { kind: 'pass'; report: PassReport; index: number | null }
  /** The indexer cannot work here and ends. A restart does not help until an operator follows the message. */
  | { kind: 'refused'; reason: string };
