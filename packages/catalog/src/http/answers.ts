import { CatalogError } from '@davit/api/catalog/errors.ts';
import { LRUCache } from 'lru-cache';
import type { CatalogReader } from '../store/types.ts';
import type { Answer } from './answer.ts';

/** Room for finished answers, in bytes. What is asked for most often stays. */
const ROOM = 64 * 1024 ** 2;
/** Seconds after which to ask again: a first pass ends soon, a store that fails is looked after by a person. */
const RETRY_S = { beforeFirst: 5, failing: 30 };

/** Reads of the store; the sentence for who asks never says why one failed. */
export type Read = <T>(work: (reader: CatalogReader) => T) => T;

/**
 * Finished answers of one index, by what was asked for. Nothing else is kept: what nobody asks for again goes, and all of
 * it goes when there is a new index.
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
   * The answer to what a key stands for, made unless it is there.
   * @throws CatalogError unavailable; what `make` throws
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

  /** @throws CatalogError unavailable */
  readonly read: Read = (work) => {
    try {
      return work(this.#reader);
    } catch (cause) {
      throw new CatalogError('unavailable', undefined, { cause, retryAfterS: RETRY_S.failing });
    }
  };

  /** Lets go of the answers of an older index. Requests that come in together look once. */
  #follow(): void {
    if (this.#isFresh) return;
    const index = this.read((reader) => reader.index());
    if (index === null) {
      const message = 'The catalog is reading its templates for the first time: try again shortly.';
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
