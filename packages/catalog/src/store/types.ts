import type { Diagnostic } from '@davit/template';
import type { KnownRepository, SourceRelease, SourceRepository } from '../source/source.ts';

export type Sort = 'recent' | 'stars';

/**
 * Position of the last template on a page. `key` is the sort key: the release time in seconds, or the number of stars.
 * `id` is the id of the template.
 */
export interface Position {
  key: number;
  id: number;
}

export interface ListQuery {
  /** Normalized and trimmed search text (see `fold.ts`). `null` means all templates. */
  q: string | null;
  /** Topic that the templates must have. Case is significant. `null` means any topic. */
  tag: string | null;
  sort: Sort;
  /** Maximum number of templates on the page, from 1 to 48. */
  limit: number;
  after: Position | null;
}

/** Template in a list. The API handlers derive `verified`, `title`, `icon_url` and the visible tags from this data. */
export interface ListedTemplate {
  id: number;
  owner: string;
  ownerId: number | null;
  name: string;
  description: string;
  url: string;
  avatarUrl: string;
  stars: number;
  /** All GitHub topics of the Git repository, sorted. The topics that mark template repositories are included. */
  topics: string[];
  /**
   * Name of the template from its manifest. If `null`, the catalog derives a name from the name of the Git repository.
   */
  manifestName: string | null;
  release: SourceRelease;
}

export interface ListPage {
  templates: ListedTemplate[];
  /** Position of the last template on this page. The next page starts after this position. `null` on the last page. */
  next: Position | null;
}

export interface TemplateDetail extends ListedTemplate {
  readme: string;
  /** Content of `template.yaml`, unchanged. */
  source: string;
  /** Manifest as JSON text. */
  manifest: string;
  problems: Diagnostic[];
}

export interface ReleaseRecord extends SourceRelease {
  status: 'accepted' | 'rejected';
  problems: Diagnostic[];
}

export interface PassReport {
  /** Start of the indexing run as an RFC 3339 timestamp. */
  startedAt: string;
  finishedAt: string;
  repositories: number;
  accepted: number;
  rejected: number;
  hidden: number;
  /** Number of releases that the indexing run could not read or check. */
  failed: number;
  /** Reason why the indexing run failed. `null` if the run succeeded. */
  error: string | null;
}

/**
 * Reads the published template index. Each call reads one consistent index, even while a new index is being published.
 * @throws StoreUnavailable if there is no readable index
 */
export interface CatalogReader extends Disposable {
  /**
   * Returns the number of the published index, or `null` if no index is published. Each new index has a higher number.
   * The call is fast.
   */
  index(): number | null;
  list(query: ListQuery): ListPage;
  /** Returns a template by owner and name, ignoring case. Returns `null` if the catalog does not list the template. */
  template(owner: string, name: string): TemplateDetail | null;
  /**
   * Returns the manifest of an accepted release as JSON text. Returns `null` if there is no such release.
   * @param release tag. `null` means the newest accepted release
   */
  manifest(owner: string, name: string, release: string | null): string | null;
  /** Returns the releases of a template, newest first. Returns `null` if the template is unknown or hidden. */
  releases(owner: string, name: string): ReleaseRecord[] | null;
  /**
   * Returns all topics of listed templates, sorted by code point. The topics that mark template repositories are
   * included.
   */
  topics(): string[];
  icon(repository: number, commit: string): Uint8Array | null;
  count(): number;
  /** Returns the report of the last finished indexing run. Returns `null` if no run has finished yet. */
  lastPass(): PassReport | null;
}

export type Hidden = 'blocked' | 'gone' | 'untagged';

/** Result of checking a template release. It contains the template, the README and the icon. */
export type Judgement =
  | {
      status: 'accepted';
      problems: Diagnostic[];
      /** Manifest as JSON text. */
      manifest: string;
      manifestName: string | null;
      source: string;
      readme: string;
      /** SHA-256 of the icon file in hexadecimal. The database stores the icon under this key. */
      icon: string;
    }
  | { status: 'rejected'; problems: Diagnostic[] };

export interface RecordedRelease {
  tag: string;
  commit: string;
  status: 'accepted' | 'rejected';
  /** Version of the validator that checked the release. */
  validator: number;
  codes: string[];
}

/**
 * Database tables of the indexer. Each change is saved to disk immediately. Readers see the changes after `publish`.
 */
export interface CrawlRecords extends Disposable {
  /**
   * Runs `work` in one SQLite transaction, so either all its changes are saved or no change is saved. One transaction
   * is much faster than many single writes.
   */
  together<T>(work: () => T): T;
  known(): KnownRepository[];
  /** Returns the blocked owners and Git repositories as `owner` or `owner/name`, in lower case. */
  blocked(): Set<string>;
  block(subject: string, reason: string): void;
  unblock(subject: string): void;
  /**
   * Saves a Git repository. `hidden` is the reason why the catalog does not list the repository. `null` means that the
   * catalog lists the repository.
   */
  saveRepository(repository: SourceRepository, hidden: Hidden | null): void;
  /**
   * Hides a Git repository in the catalog, because the template source (such as GitHub) no longer lists the repository.
   */
  hide(id: number, hidden: Hidden): void;
  recorded(repository: number): RecordedRelease[];
  /** Saves a release and its check result. Replaces an earlier result for the same Git repository, tag and commit. */
  saveRelease(repository: number, release: SourceRelease, judgement: Judgement, validator: number): void;
  /**
   * Returns the stored files of an accepted release, so that a new check needs no download. Returns `null` if the
   * release was not accepted.
   */
  accepted(repository: number, tag: string, commit: string): { source: string; readme: string; icon: string } | null;
  hasIcon(hash: string): boolean;
  saveIcon(hash: string, png: Uint8Array): void;
  /**
   * Publishes all saved changes in one transaction.
   * @returns the number of the published index. The number increases with each change
   */
  publish(report: PassReport): number;
  /** Saves the report of a failed indexing run, without publishing anything. */
  notePass(report: PassReport): void;
}
