import type { Collected, CollectionAsk } from '../../adapters/registry/registry.ts';

/** Result of a collection or of its preview. */
export interface Collection extends Collected, Pick<CollectionAsk, 'tags' | 'repositories'> {
  /** Repositories that were skipped because a push may be in progress. */
  spared: string[];
}

export interface CollectionRecord {
  /** Time of its end, in milliseconds since the epoch. */
  at: number;
  freedBytes: number;
  error: string | null;
}

/** Interface of the registry collector. */
export interface Collections {
  readonly running: boolean;
  /** Whether a collection must run now independent of the schedule, because the disk fills up. */
  isWanted: boolean;
  /** Time of the next collection, or `null` if unknown. The reconciler that starts collections sets this field. */
  nextAt: number | null;
  /** Last measured size of the registry on disk in bytes, or `null` before the first measurement. */
  bytes: number | null;
  /** Returns the result of the last collection, or `null` if there was none. */
  last(): CollectionRecord | null;
  /**
   * Returns what a collection would remove now.
   * @throws RegistryUnavailable
   */
  preview(): Promise<Collection>;
  /**
   * Runs a collection.
   * @throws DavitError conflict while one is running; RegistryUnavailable
   */
  collect(): Promise<Collection>;
}
