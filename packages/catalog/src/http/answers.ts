import { CatalogError } from '@davit/api/catalog/errors.ts';
import { LRUCache } from 'lru-cache';
import type { CatalogReader } from '../store/types.ts';
import type { Answer } from './answer.ts';

/** Maximum memory of the HTTP response cache, in bytes. */
const ROOM = 64 * 1024 ** 2;
/**
 * `Retry-After` values in seconds for responses with status 503. `beforeFirst` applies before the first index exists.
 * `failing` applies while the database cannot be read and needs a repair.
 */
const RETRY_S = { beforeFirst: 5, failing: 30 };

/**
 * Runs a function that reads the catalog database. If reading fails, HTTP clients get an error that does not contain
 * the cause.
 */
export type Read = <T>(work: (reader: CatalogReader) => T) => T;

/**
 * Cache of HTTP responses for the current template index. If the cache is full, it drops the least recently used
 * responses.
 */
export class Answers {
  readonly #reader: CatalogReader;
  readonly #kept = new LRUCache<string, Answer>({
    maxSize: ROOM,
    sizeCalculation: (answer, key) => answer.size + 2 * key.length,
  });
  #index: number | null = null;
  #isFresh = false;
  hits = 0;
  misses = 0;

  constructor(reader: CatalogReader) {
    this.#reader = reader;
  }

  /**
   * Returns the HTTP response for a key from the cache, or creates and caches it.
   * @throws CatalogError unavailable
   * @throws the errors of `make`
   */
  get(key: string, make: (read: Read) => Answer): Answer {
    this.#follow();
    const known = this.#kept.get(key);
    if (known) {
      this.hits += 1;
      return known;
    }
    this.misses += 1;
    const made = make(this.read);
    this.#kept.set(key, made);
    return made;
  }

  /**
   * Reads the catalog database.
   * @throws CatalogError unavailable if the database cannot be read or has no index yet
   */
  readonly read: Read = (work) => {
    try {
      return work(this.#reader);
    } catch (cause) {
      throw new CatalogError('unavailable', undefined, { cause, retryAfterS: RETRY_S.failing });
    }
  };

  /**
   * Clears the response cache if the indexer has published a new index. For better speed, the check runs at most once
   * in each turn of the event loop.
   */
  #follow(): void {
    if (this.#isFresh) return;
    const index = this.read((reader) => reader.index());
    if (index === null) {
      const message = 'The catalog is reading its templates for the first time. Try again later.';
      throw new CatalogError('unavailable', message, { retryAfterS: RETRY_S.beforeFirst });
    }
    if (index !== this.#index) this.#kept.clear();
    this.#index = index;
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
  }
}
