import { LRUCache } from 'lru-cache';
import type { ReadmeLocation } from './location.ts';
import { ReadmeThread } from './thread.ts';

/** README for a web page: sanitized HTML, or the Markdown source as plain text if the README cannot be rendered. */
export type Rendered = { kind: 'html'; html: string } | { kind: 'text'; text: string };

/**
 * Limits for rendering READMEs. `deadlineMs` is the maximum time for one README, ten times the usual time for 500 kB.
 * `waiting` is the maximum number of queued READMEs. `html` is the maximum length of the HTML in characters.
 */
const LIMITS = { deadlineMs: 1_000, waiting: 4, html: 2 * 1024 * 1024 };
/**
 * Cache of rendered READMEs. `maxSize` is the cache size in characters. After a failed rendering, the README is not
 * rendered again for `slowMs` milliseconds.
 */
const CACHE = { maxSize: 64 * 1024 * 1024, slowMs: 10 * 60_000 };

/** Renders READMEs in a worker thread and caches the results. */
export class Readmes implements AsyncDisposable {
  readonly #limits: typeof LIMITS;
  readonly #thread: ReadmeThread;
  readonly #known = new LRUCache<string, Rendered>({ maxSize: CACHE.maxSize, sizeCalculation: size });
  readonly #rendering = new Map<string, Promise<Rendered>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: Partial<typeof LIMITS> = {}) {
    this.#limits = { ...LIMITS, ...limits };
    this.#thread = new ReadmeThread(this.#limits.deadlineMs);
  }

  /**
   * Renders a README to HTML. Never throws. Returns plain text if rendering is too slow, if the result is too large, or
   * if too many READMEs are queued.
   */
  async render(markdown: string, location: ReadmeLocation): Promise<Rendered> {
    const key = `${location.url} ${location.owner}/${location.name} ${location.commit}`;
    const known = this.#known.get(key) ?? this.#rendering.get(key);
    if (known) return known;
    if (this.#rendering.size >= this.#limits.waiting) return { kind: 'text', text: markdown };
    const rendering = this.#last.then(() => this.#render(key, markdown, location));
    this.#last = rendering;
    this.#rendering.set(key, rendering);
    return rendering.finally(() => this.#rendering.delete(key));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#thread[Symbol.asyncDispose]();
  }

  async #render(key: string, markdown: string, location: ReadmeLocation): Promise<Rendered> {
    const html = await this.#thread.render({ markdown, place: location });
    const isShown = html !== null && html.length <= this.#limits.html;
    const rendered: Rendered = isShown ? { kind: 'html', html } : { kind: 'text', text: markdown };
    this.#known.set(key, rendered, isShown ? {} : { ttl: CACHE.slowMs });
    return rendered;
  }
}

function size(rendered: Rendered): number {
  return 1 + (rendered.kind === 'html' ? rendered.html.length : rendered.text.length);
}
