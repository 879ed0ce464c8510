import type { Collected, CollectionAsk } from '../../adapters/registry/registry.ts';

/** What a collection took, or would take. */
export interface Collection extends Collected, Pick<CollectionAsk, 'tags' | 'repositories'> {
  /** Repositories that were left alone because somebody may be pushing to them. */
  spared: string[];
}

export interface CollectionRecord {
  /** When it ended, in milliseconds since the epoch. */
  at: number;
  freedBytes: number;
  error: string | null;
}

/** The collector of what nothing in the registry needs, as its users see it. */
export interface Collections {
  readonly running: boolean;
  /** It is time for one, whatever the clock says: a disk fills up. */
  isWanted: boolean;
  /** When the next one is due; null: not known yet. Kept by the reconciler that begins them. */
  nextAt: number | null;
  /** What the registry takes on the disk, as it was last measured; null: not yet. */
  bytes: number | null;
  /** What became of the last one; null: there has been none. */
  last(): CollectionRecord | null;
  /** What a collection would take now. @throws RegistryUnavailable */
  preview(): Promise<Collection>;
  /** @throws DavitError conflict while one is running; RegistryUnavailable */
  collect(): Promise<Collection>;
}
