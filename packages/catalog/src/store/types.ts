import type { Diagnostic } from '@davit/template';
import type { KnownRepository, SourceRelease, SourceRepository } from '../source/source.ts';

export type Sort = 'recent' | 'stars';

/** Last position of a page: the sort key (seconds of the release, or stars) and the id of the repository. */
export interface Position {
  key: number;
  id: number;
}

export interface ListQuery {
  /** Part of the name or the description, folded and trimmed (see fold.ts), or `null` for all templates. */
  q: string | null;
  /** One topic, exactly as written. */
  tag: string | null;
  sort: Sort;
  /** Maximum number of templates on the page, from 1 to 48. */
  limit: number;
  after: Position | null;
}

/** One row of a listing. The caller derives `verified`, `title`, `icon_url` and the visible tags from this row. */
export interface ListedTemplate {
  id: number;
  owner: string;
  ownerId: number | null;
  name: string;
  description: string;
  url: string;
  avatarUrl: string;
  stars: number;
  /** All topics, sorted, with the listing topics included. */
  topics: string[];
  /** Name in the manifest. If `null`, the title is derived from the name of the repository. */
  manifestName: string | null;
  release: SourceRelease;
}

export interface ListPage {
  templates: ListedTemplate[];
  /** Start of the next page, or `null` on the last page. */
  next: Position | null;
}

export interface TemplateDetail extends ListedTemplate {
  readme: string;
  /** Text of `template.yaml`, unchanged. */
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
  /** Start of the pass as an RFC 3339 timestamp. */
  startedAt: string;
  finishedAt: string;
  repositories: number;
  accepted: number;
  rejected: number;
  hidden: number;
  /** Number of releases that the pass could not read. */
  failed: number;
  /** Reason why the pass ended early, or `null` if the pass was complete. */
  error: string | null;
}

/**
 * Reads the published index. Each method uses one complete index, never parts of two.
 * @throws StoreUnavailable if no index exists yet or if the file cannot be read
 */
export interface CatalogReader extends Disposable {
  /**
   * Returns the number of the index, or `null` if no index exists. The number grows with each publication that changes
   * the index. This call is cheap.
   */
  index(): number | null;
  list(query: ListQuery): ListPage;
  /** Returns a listed template, or `null` if the template is not listed. The case of letters does not matter. */
  template(owner: string, name: string): TemplateDetail | null;
  /** Returns a manifest as JSON text: of the listed release, or of the accepted release with this tag. */
  manifest(owner: string, name: string, release: string | null): string | null;
  /** Returns the releases, newest first, or `null` if the template is unknown or hidden. */
  releases(owner: string, name: string): ReleaseRecord[] | null;
  /** Returns every topic of the listed templates, sorted by code point, with the listing topics included. */
  topics(): string[];
  icon(repository: number, commit: string): Uint8Array | null;
  /** Returns the number of listed templates. */
  count(): number;
  /** Returns the report of the last pass that ended, or `null` if no pass has ended. */
  lastPass(): PassReport | null;
}

export type Hidden = 'blocked' | 'gone' | 'untagged';

/** Result of the validator and of the other checks of a release. */
export type Judgement =
  | {
      status: 'accepted';
      problems: Diagnostic[];
      /** Manifest as JSON text. */
      manifest: string;
      manifestName: string | null;
      source: string;
      readme: string;
      /** SHA-256 of the published icon in hexadecimal. {@link CrawlRecords.saveIcon} uses this hash as its key. */
      icon: string;
    }
  | { status: 'rejected'; problems: Diagnostic[] };

export interface RecordedRelease {
  tag: string;
  commit: string;
  status: 'accepted' | 'rejected';
  /** Version of the validator that checked the release. */
  validator: number;
  /** Codes of the problems of the release. */
  codes: string[];
}

/**
 * Records of the indexer. Each change is written to disk immediately, so that a killed pass can be continued. Readers
 * see the changes only after {@link publish}.
 */
export interface CrawlRecords extends Disposable {
  /**
   * Runs `work` in one transaction, so that either all its changes are saved or none. One transaction is much faster
   * for many changes.
   */
  together<T>(work: () => T): T;
  known(): KnownRepository[];
  /** Returns the blocked subjects, as lower-case `owner` or `owner/name`. */
  blocked(): Set<string>;
  block(subject: string, reason: string): void;
  unblock(subject: string): void;
  /** Saves a repository as its host describes it, and the reason why the repository is hidden, if any. */
  saveRepository(repository: SourceRepository, hidden: Hidden | null): void;
  /** Hides a repository that its host no longer lists. */
  hide(id: number, hidden: Hidden): void;
  recorded(repository: number): RecordedRelease[];
  /** Saves a judgement. An earlier judgement of the same repository, tag and commit is replaced. */
  saveRelease(repository: number, release: SourceRelease, judgement: Judgement, validator: number): void;
  /** Returns the parts of an accepted release that need not be read again. */
  accepted(repository: number, tag: string, commit: string): { source: string; readme: string; icon: string } | null;
  hasIcon(hash: string): boolean;
  saveIcon(hash: string, png: Uint8Array): void;
  /**
   * Publishes all saved changes at once, or none of them if this fails.
   * @returns the number of the index
   */
  publish(report: PassReport): number;
  /** Saves the report of a pass that ended early, without a publication. */
  notePass(report: PassReport): void;
}
