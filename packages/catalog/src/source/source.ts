/** A release as its host describes it. */
export interface SourceRelease {
  tag: string;
  /** Title of the release, or the tag if the release has no title. */
  name: string;
  /** URL of the page of the release. */
  url: string;
  /** Complete commit id in lower case. */
  commit: string;
  /** RFC 3339 timestamp in UTC with whole seconds: `2026-01-02T03:04:05Z`. */
  publishedAt: string;
}

/** A repository with its latest releases, newest first. */
export interface SourceRepository {
  /**
   * Number of the repository. Renames and transfers keep this number, and the catalog identifies a repository only by
   * it.
   */
  id: number;
  /** Id that the host requires in requests, or `null` if the host uses `id`. */
  nodeId: string | null;
  owner: string;
  /** Number of the owner, or `null` if the host does not provide one. */
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

/** A repository from an earlier pass. */
export interface KnownRepository {
  id: number;
  nodeId: string | null;
  owner: string;
  name: string;
}

export type FileAnswer =
  | { kind: 'found'; bytes: Uint8Array }
  /** The commit has no such file, or the path is a folder. */
  | { kind: 'missing' }
  | { kind: 'too-large' };

/** Paths of the only files of a release that the catalog reads. */
export type SourcePath = 'template.yaml' | 'template.yml' | 'README.md' | 'icon.png';

/**
 * The host cannot be reached or its answer is invalid. The state stays unknown until the next pass sends the request
 * again. A valid answer, such as a missing file or a deleted repository, never causes this error.
 */
export class SourceUnavailable extends Error {
  override name = 'SourceUnavailable';
}

/**
 * Returns the recorded releases of a repository. The pass implements this function with its records. A source that
 * lists only the latest releases uses the function to find repositories with unrecorded older releases. A source that
 * always lists all releases does not need it.
 */
export type Recorded = (repository: number) => readonly { tag: string; commit: string }[];

/** A source of templates. Every method can throw SourceUnavailable, and ends when the signal is aborted. */
export interface TemplateSource {
  /** Whether only repositories with one of the listing topics are listed. */
  readonly listsByTopic: boolean;
  /** Lists all repositories in the batches of the host. No repository occurs twice. */
  repositories(signal: AbortSignal, recorded?: Recorded): AsyncIterable<SourceRepository[]>;
  /**
   * Looks up known repositories that the listing did not contain. `repository` is `null` if the repository is gone.
   * Each repository gets one result. A repository gets no result, and keeps its state, if the host neither describes
   * nor denies it.
   */
  lookUp(
    known: readonly KnownRepository[],
    signal: AbortSignal,
    recorded?: Recorded,
  ): AsyncIterable<{ id: number; repository: SourceRepository | null }>;
  /** Reads at most `maxBytes` of one file at a commit. */
  readFile(
    repository: KnownRepository,
    commit: string,
    path: SourcePath,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<FileAnswer>;
}
