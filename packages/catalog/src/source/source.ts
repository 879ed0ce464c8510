/** Release of a template on GitHub or in another template source. */
export interface SourceRelease {
  tag: string;
  /** Title of the release, or the tag if the release has no title. */
  name: string;
  url: string;
  /** Full SHA of the commit in lower case. */
  commit: string;
  /** Publication time as an RFC 3339 timestamp in UTC without fractions of a second, such as `2026-01-02T03:04:05Z`. */
  publishedAt: string;
}

/** Git repository with its latest releases, newest first. */
export interface SourceRepository {
  /**
   * Numeric id of the Git repository. The catalog identifies repositories by id, because a rename or transfer does not
   * change the id.
   */
  id: number;
  /** GitHub's node id of the Git repository. `null` if the source is not GitHub. */
  nodeId: string | null;
  owner: string;
  /** Numeric id of the owner. `null` if the source provides no id. */
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
 * Error for a template source that cannot be reached or sends an invalid response. A missing file or a deleted Git
 * repository does not cause this error.
 */
export class SourceUnavailable extends Error {
  override name = 'SourceUnavailable';
}

/**
 * Returns the recorded releases of a Git repository. With these releases, a source can find older releases that are
 * missing in the catalog. GitHub lists only the latest releases.
 */
export type Recorded = (repository: number) => readonly { tag: string; commit: string }[];

/**
 * Source of templates, such as GitHub or a local folder. Every method can throw `SourceUnavailable`. Every method ends
 * when its signal is aborted.
 */
export interface TemplateSource {
  /**
   * Whether the template source lists only repositories with a configured topic. `true` for GitHub, `false` for a local
   * folder.
   */
  readonly listsByTopic: boolean;
  /** Lists all Git repositories in batches. Each Git repository is listed only once. */
  repositories(signal: AbortSignal, recorded?: Recorded): AsyncIterable<SourceRepository[]>;
  /**
   * Checks Git repositories that the source no longer lists. `repository` is `null` if the Git repository no longer
   * exists. Yields no result if the state of a repository is unknown.
   */
  lookUp(
    known: readonly KnownRepository[],
    signal: AbortSignal,
    recorded?: Recorded,
  ): AsyncIterable<{ id: number; repository: SourceRepository | null }>;
  /** Reads one file of a commit. If the file is larger than `maxBytes`, its content is not returned. */
  readFile(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer>;
}
