import type { Diagnostic } from '@davit/template';
import type { KnownRepository, SourceRelease, SourceRepository } from '../source/source.ts';

export type Sort = 'recent' | 'stars';

/**
 * Position of the last template on a page. `key` is the sort key: the time of the release in seconds, or the stars.
 * `id` is the id of the template.
 */
export interface Position {
  key: number;
  id: number;
}

export interface ListQuery {
  /** Search text, normalized (see `fold.ts`) and trimmed. `null` means all templates. */
  q: string | null;
  /** Topic that the templates must have. Case matters. `null` means any topic. */
  tag: string | null;
  sort: Sort;
  /** Maximum number of templates on the page, from 1 to 48. */
  limit: number;
  after: Position | null;
}

/**
 * Template in a listing. The API handlers derive `verified`, `title`, `icon_url` and the visible tags from this data.
 */
export interface ListedTemplate {
  id: number;
  owner: string;
  ownerId: number | null;
  name: string;
  description: string;
  url: string;
  avatarUrl: string;
  stars: number;
  /** All GitHub topics of the Git repository, sorted. They include the topics that mark template repositories. */
  topics: string[];
  /**
   * Template name from the manifest. If `null`, the catalog shows a name that comes from the name of the Git
   * repository.
   */
  manifestName: string | null;
  release: SourceRelease;
}

export interface ListPage {
  templates: ListedTemplate[];
  /** Position of the last template on this page. The next page starts after it. `null` on the last page. */
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
  /** Reason why the indexing run failed. `null` if the run was complete. */
  error: string | null;
}

/**
 * Reads the published index. Each call reads one consistent index, even during a publication.
 * @throws StoreUnavailable if there is no readable index
 */
export interface CatalogReader extends Disposable {
  /**
   * Returns the number of the published index, or `null` if no index is published. Each changed index has a higher
   * number. The call is fast.
   */
  index(): number | null;
  list(query: ListQuery): ListPage;
  /**
   * Returns a template that the catalog lists. Returns `null` if the catalog does not list it. Upper and lower case do
   * not matter.
   */
  template(owner: string, name: string): TemplateDetail | null;
  /**
   * Returns the manifest of an accepted release as JSON text, or `null` if there is none.
   * @param release tag. `null` means the newest accepted release
   */
  manifest(owner: string, name: string, release: string | null): string | null;
  /** Returns the releases of a template, newest first. Returns `null` if the template is unknown or hidden. */
  releases(owner: string, name: string): ReleaseRecord[] | null;
  /**
   * Returns all topics of listed templates, sorted by code point. They include the topics that mark template
   * repositories.
   */
  topics(): string[];
  icon(repository: number, commit: string): Uint8Array | null;
  count(): number;
  /** Returns the report of the last finished indexing run. `null` if no run has finished yet. */
  lastPass(): PassReport | null;
}

export type Hidden = 'blocked' | 'gone' | 'untagged';

/** Result of checking a release: its template, README and icon. */
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

/** Database records of the indexer. Each change is on disk immediately, and visible to readers after `publish`. */
export interface CrawlRecords extends Disposable {
  /**
   * Runs `work` in one SQLite transaction. Either all its changes are saved or none. One transaction is much faster
   * than many single writes.
   */
  together<T>(work: () => T): T;
  known(): KnownRepository[];
  /** Returns the blocked owners and Git repositories, in lower case, as `owner` or `owner/name`. */
  blocked(): Set<string>;
  block(subject: string, reason: string): void;
  unblock(subject: string): void;
  /**
   * Saves a Git repository. `hidden` is the reason why the catalog does not list the repository, or `null` if it does.
   */
  saveRepository(repository: SourceRepository, hidden: Hidden | null): void;
  /** Hides a Git repository in the catalog, because GitHub (or another source) no longer lists the repository. */
  hide(id: number, hidden: Hidden): void;
  recorded(repository: number): RecordedRelease[];
  /**
   * Saves a release and the result of its check. An earlier result for the same Git repository, tag and commit is
   * replaced.
   */
  saveRelease(repository: number, release: SourceRelease, judgement: Judgement, validator: number): void;
  /**
   * Returns the stored files of an accepted release, so that a new check needs no download. `null` if the release was
   * not accepted.
   */
  accepted(repository: number, tag: string, commit: string): { source: string; readme: string; icon: string } | null;
  hasIcon(hash: string): boolean;
  saveIcon(hash: string, png: Uint8Array): void;
  /**
   * Publishes all saved changes in one transaction.
   * @returns the number of the published index, which increases with each change
   */
  publish(report: PassReport): number;
  /** Saves the report of a failed indexing run. Publishes nothing. */
  notePass(report: PassReport): void;
}
