import { type Chunk, lineAt, lineStarts } from './chunk.ts';
import { type Followed, FollowerTooSlow, type KeptLine } from './logs.ts';
import type { Sieve } from './search.ts';

/** What may wait for a reader before it is cut. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** A reader gets at most so many lines at once. */
const PAGE_LINES = 500;

/** Some lines of a chunk. */
interface Part {
  chunk: Chunk;
  /** Their places in it. */
  lines: readonly number[];
}

/** Its lines are made when they are asked for, and not held: a page waits for slow readers, the objects need not. */
class Page {
  readonly kind = 'lines';
  readonly last: number;
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[], last: number) {
    this.#parts = parts;
    this.last = last;
  }

  get lines(): KeptLine[] {
    return this.#parts.flatMap(({ chunk, lines }) => {
      const starts = lineStarts(chunk.text, chunk.count);
      return lines.map((line) => lineAt(chunk, starts, line));
    });
  }
}

/** Lines that were written together. Every follower gets the same one: what it costs to show them is paid once. */
export class Batch {
  readonly chunks: readonly Chunk[];
  readonly last: number;
  readonly bytes: number;
  /** All of its lines. */
  #pages: Page[] | null = null;

  constructor(chunks: readonly Chunk[]) {
    this.chunks = chunks;
    const newest = chunks.at(-1);
    this.last = newest === undefined ? 0 : newest.first + newest.count - 1;
    this.bytes = chunks.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Those of its lines after a number that pass, a page at a time. */
  pages(after: number, sieve: Sieve): Iterable<Followed> {
    const first = this.chunks[0]?.first ?? 0;
    if (!sieve.isOpen || after >= first) return this.#cut(after, sieve);
    this.#pages ??= this.#cut(after, sieve);
    return this.#pages;
  }

  #cut(after: number, sieve: Sieve): Page[] {
    const pages: Page[] = [];
    let parts: Part[] = [];
    let count = 0;
    for (const chunk of this.chunks) {
      const passing = [...sieve.linesOf(chunk)].filter((line) => chunk.first + line > after);
      for (let from = 0; from < passing.length; ) {
        const lines = passing.slice(from, from + PAGE_LINES - count);
        parts.push({ chunk, lines });
        count += lines.length;
        from += lines.length;
        if (count < PAGE_LINES) continue;
        pages.push(new Page(parts, chunk.first + (lines.at(-1) ?? 0)));
        [parts, count] = [[], 0];
      }
    }
    if (count > 0) pages.push(new Page(parts, this.last));
    return pages;
  }
}

/** One reader's place in the stream of what is written. */
class Follower {
  #waiting: Batch[] = [];
  #bytes = 0;
  #isTooSlow = false;
  #isOver = false;
  #wake: () => void = () => undefined;

  push(batch: Batch): void {
    // One batch is never too much, however large: nobody could have been quicker.
    if (this.#waiting.length > 0 && this.#bytes + batch.bytes > WAITING_BYTES) {
      this.#isTooSlow = true;
      this.#waiting = [];
    } else if (!this.#isTooSlow) {
      this.#waiting.push(batch);
      this.#bytes += batch.bytes;
    }
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The next batch; null: it is over. @throws FollowerTooSlow */
  async next(signal: AbortSignal): Promise<Batch | null> {
    for (;;) {
      if (this.#isTooSlow) throw new FollowerTooSlow('Lines come faster than they are read.');
      const batch = this.#waiting.shift();
      if (batch !== undefined) {
        this.#bytes -= batch.bytes;
        return batch;
      }
      if (this.#isOver || signal.aborted) return null;
      await this.#woken(signal);
    }
  }

  async #woken(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
    signal.removeEventListener('abort', onAbort);
  }
}

/** Those who follow one app. */
export class Followers {
  readonly #followers = new Set<Follower>();
  #isOver = false;

  get size(): number {
    return this.#followers.size;
  }

  publish(chunks: readonly Chunk[]): void {
    if (this.#followers.size === 0) return;
    const batch = new Batch(chunks);
    for (const follower of this.#followers) follower.push(batch);
  }

  /** What is published from this call on, until the signal aborts or it is over. */
  listen(signal: AbortSignal): AsyncGenerator<Batch> {
    const follower = new Follower();
    if (this.#isOver) follower.end();
    this.#followers.add(follower);
    return this.#batches(follower, signal);
  }

  /** Ends every reader, and those that come later. */
  end(): void {
    this.#isOver = true;
    for (const follower of this.#followers) follower.end();
  }

  async *#batches(follower: Follower, signal: AbortSignal): AsyncGenerator<Batch> {
    try {
      for (let batch = await follower.next(signal); batch !== null; batch = await follower.next(signal)) yield batch;
    } finally {
      this.#followers.delete(follower);
    }
  }
}
