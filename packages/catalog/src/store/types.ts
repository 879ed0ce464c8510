import type { Diagnostic } from '@davit/template';
import type { KnownRepository, SourceRelease, SourceRepository } from '../source/source.ts';

export type Sort = 'recent' | 'stars';

/** Where a page ended: the key of its order (seconds of the release, or stars) and the repository's id. */
export interface Position {
  key: number;
  id: number;
}

export interface ListQuery {
  /** A part of the name or the description, already folded and trimmed (fold.ts); null: everything. */
  q: string | null;
  /** One topic, as it is written. */
  tag: string | null;
  sort: Sort;
  /** 1 to 48. */
  limit: number;
  after: Position | null;
}

/** One row of a listing. Verified, title, icon_url and the tags that are shown are made of it by who answers. */
export interface ListedTemplate {
  id: number;
  owner: string;
  ownerId: number | null;
  name: string;
  description: string;
  url: string;
  avatarUrl: string;
  stars: number;
  /** All of them, the listing topics too, sorted. */
  topics: string[];
  /** The name of its manifest; null: the title is made of the repository's name. */
  manifestName: string | null;
  release: SourceRelease;
}

export interface ListPage {
  templates: ListedTemplate[];
  /** Null: nothing follows. */
  next: Position | null;
}

export interface TemplateDetail extends ListedTemplate {
  readme: string;
  /** `template.yaml` as written. */
  source: string;
  /** JSON text. */
  manifest: string;
  problems: Diagnostic[];
}

export interface ReleaseRecord extends SourceRelease {
  status: 'accepted' | 'rejected';
  problems: Diagnostic[];
}

export interface PassReport {
  /** RFC 3339. */
  startedAt: string;
  finishedAt: string;
  repositories: number;
  accepted: number;
  rejected: number;
  hidden: number;
  /** Releases that could not be read this time. */
  failed: number;
  /** Why the pass ended early; null: it did not. */
  error: string | null;
}

/**
 * What readers see: always one published index as a whole. Each method answers from a single moment.
 * @throws StoreUnavailable when there is no index yet or the file cannot be read
 */
export interface CatalogReader extends Disposable {
  /** The number of the index, which grows with each publication that changed something; null: there is none yet. Cheap. */
  index(): number | null;
  list(query: ListQuery): ListPage;
  /** Whatever the case of the letters; null: not listed. */
  template(owner: string, name: string): TemplateDetail | null;
  /** The manifest of the listed release, or of an accepted one by tag, as JSON text. */
  manifest(owner: string, name: string, release: string | null): string | null;
  /** Newest first; null: unknown or hidden. */
  releases(owner: string, name: string): ReleaseRecord[] | null;
  /** Every topic of a listed template, sorted by code point, the listing topics too. */
  topics(): string[];
  icon(repository: number, commit: string): Uint8Array | null;
  /** How many are listed. */
  count(): number;
  /** The last pass that ended; null: none did. */
  lastPass(): PassReport | null;
}

export type Hidden = 'blocked' | 'gone' | 'untagged';

/** What the validator and the other checks of a release say. */
export type Judgement =
  | {
      status: 'accepted';
      problems: Diagnostic[];
      /** JSON text. */
      manifest: string;
      manifestName: string | null;
      source: string;
      readme: string;
      /** SHA-256 of the icon as it was published, in hex: the key of {@link CrawlRecords.saveIcon}. */
      icon: string;
    }
  | { status: 'rejected'; problems: Diagnostic[] };

export interface RecordedRelease {
  tag: string;
  commit: string;
  status: 'accepted' | 'rejected';
  /** The version of the validator that judged it. */
  validator: number;
  /** The codes of its problems. */
  codes: string[];
}

/**
 * What the indexer keeps. Everything is on disk at once, so that a pass that is killed goes on where it was, but readers
 * see none of it before {@link publish}.
 */
export interface CrawlRecords extends Disposable {
  /** Notes everything that `work` notes in one go, or none of it: much quicker for many. */
  together<T>(work: () => T): T;
  known(): KnownRepository[];
  /** Lower-cased `owner` or `owner/name`. */
  blocked(): Set<string>;
  block(subject: string, reason: string): void;
  unblock(subject: string): void;
  /** Notes a repository as its host tells of it, and whether it is hidden. */
  saveRepository(repository: SourceRepository, hidden: Hidden | null): void;
  /** Hides one that the host no longer tells of. */
  hide(id: number, hidden: Hidden): void;
  recorded(repository: number): RecordedRelease[];
  /** Replaces the judgement of the same repository, tag and commit. */
  saveRelease(repository: number, release: SourceRelease, judgement: Judgement, validator: number): void;
  /** The parts of an accepted release that need not be read again. */
  accepted(repository: number, tag: string, commit: string): { source: string; readme: string; icon: string } | null;
  hasIcon(hash: string): boolean;
  saveIcon(hash: string, png: Uint8Array): void;
  /** Makes everything noted so far visible, at once or not at all. @returns the number of the index */
  publish(report: PassReport): number;
  /** Notes a pass that ended early, without making anything visible. */
  notePass(report: PassReport): void;
}
