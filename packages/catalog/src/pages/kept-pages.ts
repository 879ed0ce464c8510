import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../http/answer.ts';
import type { CatalogReader } from '../store/types.ts';
import { send } from './respond.ts';

/**
 * Maximum memory in bytes of all cached web pages, and maximum age of a page in milliseconds. In older pages, relative
 * times such as "2 minutes ago" would be wrong.
 */
const KEPT = { bytes: 32 * 1024 * 1024, ms: 60_000 };

/** Cache of web pages. A cached page becomes invalid after a minute, or when a new index is published. */
export class KeptPages {
  readonly #reader: CatalogReader;
  readonly #pages = new LRUCache<string, Answer>({
    maxSize: KEPT.bytes,
    ttl: KEPT.ms,
    sizeCalculation: ({ size }) => size,
  });

  constructor(reader: CatalogReader) {
    this.#reader = reader;
  }

  /**
   * Sends the cached web page for the URL. If the cache contains no such page, calls `make` and caches the result. A
   * `Response` from `make` is not cached.
   */
  async send(c: Context, make: () => Promise<Answer | Response>): Promise<Response> {
    const { pathname, search } = new URL(c.req.url);
    const key = `${this.#reader.index()} ${pathname}${search}`;
    const known = this.#pages.get(key);
    if (known) return send(c, known);
    const made = await make();
    if (made instanceof Response) return made;
    this.#pages.set(key, made);
    return send(c, made);
  }
}
