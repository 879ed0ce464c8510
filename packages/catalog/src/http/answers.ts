import { CatalogError } from '@davit/api/catalog/errors.ts';
import { LRUCache } from 'lru-cache';
import type { CatalogReader } from '../store/types.ts';
import type { Answer } from './answer.ts';

/** Maximum size of the cache in bytes. The most frequently requested answers stay. */
const ROOM = 64 * 1024 ** 2;
/**
 * Seconds in `Retry-After`: short while the first pass runs, longer if the store fails, because an operator must repair
 * it.
 */
const RETRY_S = { beforeFirst: 5, failing: 30 };

/** Reads the store. The error message for clients never contains the reason of a failure. */
export type Read = <T>(work: (reader: CatalogReader) => T) => T;

/**
 * Caches the finished answers of one index by request. The least recently used answers are dropped, and a new index
 * clears the cache.
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
   * Returns the cached answer of a key, or makes and caches it.
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
   * Runs a read.
   * @throws CatalogError unavailable
   */
  readonly read: Read = (work) => {
    try {
      return work(this.#reader);
    } catch (cause) {
      throw new CatalogError('unavailable', undefined, { cause, retryAfterS: RETRY_S.failing });
    }
  };

  /** Clears the cache after a new index was published. Requests of the same event loop turn share one check. */
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
