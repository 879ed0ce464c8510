/**
 * Random catalog for tests. It is stored in the database and in a list that applies the same rules without an index.
 */
import type { SourceRepository } from '../../src/source/source.ts';
import { fold, foldName, foldQuery, spaced } from '../../src/store/fold.ts';
import type { CrawlRecords, ListQuery, Position } from '../../src/store/types.ts';
import { everything, SAMPLE_PASS, sampleRelease, sampleRepository, saveTemplate } from './sample-store.ts';

const TOPICS = ['davit-template', 'web', 'chat', 'c++', 'über', '"', 'topic1'];
const WORDS = `uptime kuma Café CAFE straße the app a % ' \\ " * 🦀 東京 ıI`.split(' ');
const SEPARATORS = [' ', '-', '_', '', '.'];

/** Number of different repository IDs. Templates with these IDs are added and removed. */
const IDS = 2_000;
/** Number of different publication times. Many templates have the same time, so that the ID decides their order. */
const SECONDS = 300;
const FIRST_SECOND = 1_700_000_000;

interface Listed {
  repository: SourceRepository;
  /** Seconds since the epoch. */
  published: number;
  /** Name after normalization with `foldName`. */
  name: string;
  description: string;
}

export class NaiveCatalog {
  readonly #records: CrawlRecords;
  readonly #listed = new Map<number, Listed>();
  /**
   * Newest release of each repository, also of hidden repositories. A repository keeps its release when it is listed
   * again.
   */
  readonly #newest = new Map<number, number>();
  #state: number;

  /** @param seed seed of the random numbers; the same seed creates the same catalog */
  constructor(records: CrawlRecords, seed: number) {
    this.#records = records;
    this.#state = seed;
  }

  /**
   * Adds, changes or hides `count` templates and publishes the index.
   * @returns IDs of the affected repositories
   */
  change(count: number): Set<number> {
    const touched = new Set<number>();
    this.#records.together(() => {
      for (let i = 0; i < count; i += 1) touched.add(this.#changeOne(1 + this.#below(IDS)));
    });
    this.#records.publish(SAMPLE_PASS);
    return touched;
  }

  ids(): number[] {
    return [...this.#listed.keys()];
  }

  /** Returns the result that the reader must return for a query. */
  list({ q, tag, sort, limit, after }: ListQuery): { ids: number[]; next: Position | null } {
    const found = [...this.#listed.values()]
      .filter(({ repository }) => tag === null || repository.topics.includes(tag))
      .filter(({ name, description }) => q === null || name.includes(spaced(q)) || description.includes(q))
      .map(({ repository: { stars, id }, published }) => ({ key: sort === 'stars' ? stars : published, id }))
      .sort((a, b) => b.key - a.key || b.id - a.id)
      .filter(({ key, id }) => after === null || key < after.key || (key === after.key && id < after.id));
    const page = found.slice(0, limit);
    return { ids: page.map(({ id }) => id), next: found.length > limit ? (page.at(-1) ?? null) : null };
  }

  /** Returns a random query: with a part of an existing text, with words, or without a search text. */
  query(): ListQuery {
    const some = [...this.#listed.values()][this.#below(this.#listed.size)];
    const characters = [...((this.#below(2) === 0 ? some?.repository.name : some?.repository.description) ?? '')];
    const from = this.#below(characters.length);
    const part = characters.slice(from, from + 1 + this.#below(this.#below(3) === 0 ? 40 : 5)).join('');
    const key = this.#below(2) === 0 ? this.#below(40) : FIRST_SECOND + this.#below(SECONDS);
    return everything({
      q: this.#oneOf([null, foldQuery(part), foldQuery(this.#text(1 + this.#below(2)))]) || null,
      tag: this.#oneOf([null, this.#oneOf(TOPICS)]),
      sort: this.#oneOf(['recent', 'stars']),
      limit: 1 + this.#below(48),
      after: this.#oneOf([null, { key, id: this.#below(IDS) }]),
    });
  }

  #changeOne(id: number): number {
    const before = this.#listed.get(id);
    if (before && this.#below(6) === 0) {
      this.#records.hide(id, 'gone');
      this.#listed.delete(id);
      return id;
    }
    const stars = before && { ...before.repository, stars: before.repository.stars + 1 };
    const repository = stars && this.#below(2) === 0 ? stars : this.#repository(id);
    const published = Math.max(FIRST_SECOND + this.#below(SECONDS), this.#newest.get(id) ?? 0);
    const publishedAt = new Date(published * 1000).toISOString().replace('.000Z', 'Z');
    saveTemplate(this.#records, repository, { release: sampleRelease(publishedAt, { publishedAt }) });
    this.#newest.set(id, published);
    const { name, description } = repository;
    this.#listed.set(id, { repository, published, name: foldName(name), description: fold(description) });
    return id;
  }

  #repository(id: number): SourceRepository {
    return sampleRepository(id, {
      name: `${this.#text(1 + this.#below(3))}-${this.#below(50)}`,
      description: this.#text(this.#below(8)),
      stars: this.#below(2) * this.#below(40),
      topics: TOPICS.filter((_, i) => this.#below(i + 2) === 0),
    });
  }

  #text(words: number): string {
    return Array.from({ length: words }, (_, i) => `${i ? this.#oneOf(SEPARATORS) : ''}${this.#oneOf(WORDS)}`).join('');
  }

  #oneOf<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
}
