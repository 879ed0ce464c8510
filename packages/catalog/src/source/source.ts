/** A release as its host tells of it. */
export interface SourceRelease {
  tag: string;
  /** Its title; the tag where it has none. */
  name: string;
  /** Its page. */
  url: string;
  /** The whole commit id, lower case. */
  commit: string;
  /** RFC 3339, UTC, whole seconds: `2026-01-02T03:04:05Z`. */
  publishedAt: string;
}

/** A repository with its latest releases, newest first. */
export interface SourceRepository {
  /** The number that stays through renames and transfers: a repository is known by it and by nothing else. */
  id: number;
  /** What the host wants to be asked by; null where that is the id. */
  nodeId: string | null;
  owner: string;
  /** Null: the host does not tell. */
  ownerId: number | null;
  name: string;
  description: string;
  url: string;
  avatarUrl: string;
  stars: number;
  topics: string[];
  private: boolean;
  releases: SourceRelease[];
}

/** A repository that the catalog has met before. */
export interface KnownRepository {
  id: number;
  nodeId: string | null;
  owner: string;
  name: string;
}

export type FileAnswer =
  | { kind: 'found'; bytes: Uint8Array }
  /** There is none at that commit, or it is a folder. */
  | { kind: 'missing' }
  | { kind: 'too-large' };

/** The files of a release that are ever asked for. */
export type SourcePath = 'template.yaml' | 'template.yml' | 'README.md' | 'icon.png';

/**
 * The host could not be asked, or its answer is none: nothing is known, and it is asked again at the next pass. What the
 * host does say (a file is missing, a repository is gone) is an answer, never this.
 */
export class SourceUnavailable extends Error {
  override name = 'SourceUnavailable';
}

/**
 * The releases of a repository that are recorded. Whoever makes a pass answers it from his records, so that a source that
 * is told only the latest releases of each repository looks for older ones where some are not recorded yet, and nowhere
 * else. A source that always sees them all has no use for it.
 */
export type Recorded = (repository: number) => readonly { tag: string; commit: string }[];

/** Where templates come from. Every method may throw SourceUnavailable, and ends when the signal is aborted. */
export interface TemplateSource {
  /** Only what carries one of the listing topics is listed. */
  readonly listsByTopic: boolean;
  /** Everything there is to list, a batch at a time as the host gives it; nothing twice. */
  repositories(signal: AbortSignal, recorded?: Recorded): AsyncIterable<SourceRepository[]>;
  /**
   * What became of known repositories that the listing did not show; null: gone. One answer each, but none for one that
   * the host does not tell of without denying it: that one stays as it is known.
   */
  lookUp(
    known: readonly KnownRepository[],
    signal: AbortSignal,
    recorded?: Recorded,
  ): AsyncIterable<{ id: number; repository: SourceRepository | null }>;
  /** One file at a commit, at most `maxBytes` of it. */
  readFile(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer>;
}
