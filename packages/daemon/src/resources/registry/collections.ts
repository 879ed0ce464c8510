import type { Collected, CollectionRequest } from '../../adapters/registry/registry.ts';

/** Result of a garbage collection of the registry, or of a preview of the garbage collection. */
export interface Collection extends Collected, Pick<CollectionRequest, 'tags' | 'repositories'> {
  /** Repositories that the garbage collection skipped, because a push to them may be in progress. */
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
  /** Whether a garbage collection must run now because the disk is nearly full. The schedule is then ignored. */
  isWanted: boolean;
  /**
   * Time of the next scheduled garbage collection in milliseconds since the epoch, or `null` if the time is unknown.
   * The reconciler for garbage collections sets this field.
   */
  nextAt: number | null;
  /** Size of the registry on disk in bytes, or `null` if it was not measured yet. */
  bytes: number | null;
  /** Returns the result of the last garbage collection, or `null` if there was none. */
  last(): CollectionRecord | null;
  /**
   * Returns the tags and repositories that a garbage collection would remove now.
   * @throws RegistryUnavailable
   */
  preview(): Promise<Collection>;
  /**
   * Runs a garbage collection of the registry.
   * @throws DavitError conflict if one is already running; RegistryUnavailable
   */
  collect(): Promise<Collection>;
}
