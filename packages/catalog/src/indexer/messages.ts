import type { CatalogConfig } from '../config/config.ts';
import type { PassReport } from '../store/types.ts';

/** What the server tells the indexer. Its settings come this way and not as arguments, which everybody can read. */
export type IndexerCommand =
  | {
      kind: 'start';
      config: CatalogConfig;
      /** The file of the store. */
      database: string;
    }
  /** It ends within five seconds, as it does when the channel closes. */
  | { kind: 'stop' };

/** What the indexer tells the server. */
export type IndexerMessage =
  /** A pass has ended; `index` is the number of the index that readers see now, null when it published none. */
  | { kind: 'pass'; report: PassReport; index: number | null }
  /** It cannot work here, and ends: starting it again changes nothing until somebody does what the sentence says. */
  | { kind: 'refused'; reason: string };
