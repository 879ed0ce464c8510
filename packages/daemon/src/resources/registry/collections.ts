import type { Collected, CollectionRequest } from '../../adapters/registry/registry.ts';

/** Result of a garbage collection of the registry, or of its preview. */
export interface Collection extends Collected, Pick<CollectionRequest, 'tags' | 'repositories'> {
  /** Repositories that were skipped, because a push to them may be in progress. */
  spared: string[];
}

export interface CollectionRecord {
  /** End of the garbage collection, in milliseconds since the epoch. */
  at: number;
  freedBytes: number;
  error: string | null;
}

export interface Collections {
  readonly running: boolean;
  /** Whether a garbage collection must run now, regardless of the schedule, because the disk is nearly full. */
  isWanted: boolean;
  /**
   * Time of the next scheduled garbage collection in milliseconds since the epoch, or `null` if unknown. The reconciler
   * that starts the collections sets this field.
   */
  nextAt: number | null;
  /** Size of the registry on disk in bytes at the last measurement, or `null` before the first measurement. */
  bytes: number | null;
  /** Returns the outcome of the last garbage collection, or `null` if there was none. */
  last(): CollectionRecord | null;
  /**
   * Returns what a garbage collection would remove now.
   * @throws RegistryUnavailable
   */
  preview(): Promise<Collection>;
  /**
   * Runs a garbage collection.
   * @throws DavitError conflict while a garbage collection is running; RegistryUnavailable
   */
  collect(): Promise<Collection>;
}
