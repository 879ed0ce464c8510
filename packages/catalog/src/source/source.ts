/** Release of a template, with the data from GitHub or another template source. */
export interface SourceRelease {
  tag: string;
  /** Title of the release, or the tag if the release has no title. */
  name: string;
  url: string;
  /** Full commit SHA in lower case. */
  commit: string;
  /** RFC 3339 timestamp in UTC without fractions of a second, such as `2026-01-02T03:04:05Z`. */
  publishedAt: string;
}

/** Git repository with its latest releases, newest first. */
export interface SourceRepository {
  /**
   * Numeric id of the Git repository. A rename or transfer does not change the id, so the catalog identifies
   * repositories by it.
   */
  id: number;
  /** GitHub's node id of the Git repository. `null` if the source is not GitHub. */
  nodeId: string | null;
  owner: string;
  /** Numeric id of the owner. `null` if the source does not provide one. */
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

/** Git repository that an earlier indexing run recorded in the catalog database. */
export interface KnownRepository {
  id: number;
  nodeId: string | null;
  owner: string;
  name: string;
}

export type FileAnswer =
  | { kind: 'found'; bytes: Uint8Array }
  /** Result for a file that the commit does not contain, or for a path that is a folder. */
  | { kind: 'missing' }
  | { kind: 'too-large' };

/** Paths of the files that the catalog reads from a release. The catalog reads no other files. */
export type SourcePath = 'template.yaml' | 'template.yml' | 'README.md' | 'icon.png';

/**
 * Error of a source that cannot be reached or sends an invalid response. A missing file or a deleted Git repository is
 * not an error.
 */
export class SourceUnavailable extends Error {
  override name = 'SourceUnavailable';
}

/**
 * Returns the releases of a Git repository in the catalog. GitHub lists only the latest releases, so the indexer checks
 * for missing older ones.
 */
export type Recorded = (repository: number) => readonly { tag: string; commit: string }[];

/**
 * Source of templates, such as GitHub or a local folder. Every method can throw SourceUnavailable, and ends if its
 * signal is aborted.
 */
export interface TemplateSource {
  /**
   * Whether the source lists only repositories that have a configured topic. True for GitHub, false for a local folder.
   */
  readonly listsByTopic: boolean;
  /** Lists all Git repositories in batches. Each Git repository is listed only once. */
  repositories(signal: AbortSignal, recorded?: Recorded): AsyncIterable<SourceRepository[]>;
  /**
   * Checks Git repositories that the source no longer lists. `repository` is `null` if the Git repository no longer
   * exists. Yields nothing for a Git repository whose state is unknown.
   */
  lookUp(
    known: readonly KnownRepository[],
    signal: AbortSignal,
    recorded?: Recorded,
  ): AsyncIterable<{ id: number; repository: SourceRepository | null }>;
  /** Reads one file of a commit. The content of a file that is larger than `maxBytes` is not returned. */
  readFile(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer>;
}
