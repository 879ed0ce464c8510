import type { Context } from 'hono';
import { LRUCache } from 'lru-cache';
import type { Answer } from '../http/answer.ts';
import type { CatalogReader } from '../store/types.ts';
import { send } from './respond.ts';

/** Bytes that pages may take in all, and for how long a page says the same «2 minutes ago». */
const KEPT = { bytes: 32 * 1024 * 1024, ms: 60_000 };

/** What was asked for lately, until the index changes or a minute has gone. */
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

  /** Sends the page of this address; what is made as a response of its own is not kept. */
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
