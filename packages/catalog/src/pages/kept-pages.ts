import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../http/answer.ts';
import type { CatalogReader } from '../store/types.ts';
import { send } from './respond.ts';

/**
 * Maximum size of all cached pages in bytes, and the time in milliseconds for which a page may show the same "2 minutes
 * ago".
 */
const KEPT = { bytes: 32 * 1024 * 1024, ms: 60_000 };

/** Caches pages until the index changes or a minute has passed. */
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

  /** Sends the page of this URL. A result that is a `Response` is not cached. */
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
