/** Release of a template, as its source describes it. */
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
   * Number of the Git repository. Renames and transfers do not change it, so the catalog identifies a repository by
   * this number.
   */
  id: number;
  /** GitHub's node id of the Git repository, or `null` if the source uses `id` in requests. */
  nodeId: string | null;
  owner: string;
  /** Number of the owner, or `null` if the source does not provide one. */
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

/** Git repository that the catalog database contains from an earlier pass. */
export interface KnownRepository {
  id: number;
  nodeId: string | null;
  owner: string;
  name: string;
}

export type FileAnswer =
  | { kind: 'found'; bytes: Uint8Array }
  /** The commit does not contain the file, or the path is a folder. */
  | { kind: 'missing' }
  | { kind: 'too-large' };

/** Paths of the files of a release. The catalog reads no other files. */
export type SourcePath = 'template.yaml' | 'template.yml' | 'README.md' | 'icon.png';

/**
 * Error of a source that cannot be reached or sends an invalid response. The next indexer pass tries again. A definite
 * answer, such as a missing file or a deleted Git repository, is not an error.
 */
export class SourceUnavailable extends Error {
  override name = 'SourceUnavailable';
}

/**
 * Returns the releases of a Git repository that the catalog database contains. A source that lists only the latest
 * releases uses this function to find out whether older releases are missing.
 */
export type Recorded = (repository: number) => readonly { tag: string; commit: string }[];

/**
 * Source of templates, such as GitHub or a directory. Every method can throw SourceUnavailable, and ends when the
 * signal is aborted.
 */
export interface TemplateSource {
  /** Whether the source lists only Git repositories with a listing topic. */
  readonly listsByTopic: boolean;
  /** Lists all Git repositories in batches. Each Git repository is listed only once. */
  repositories(signal: AbortSignal, recorded?: Recorded): AsyncIterable<SourceRepository[]>;
  /**
   * Looks up known Git repositories that the source did not list. `repository` is `null` if the repository no longer
   * exists. There is no result for a repository if its state is unknown, and it then keeps its data.
   */
  lookUp(
    known: readonly KnownRepository[],
    signal: AbortSignal,
    recorded?: Recorded,
  ): AsyncIterable<{ id: number; repository: SourceRepository | null }>;
  /** Reads one file of a commit. A file of more than `maxBytes` is not returned. */
  readFile(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer>;
}
