import { BoundedQueue, FollowerTooSlow } from '../../streams/bounded-queue.ts';
import { type Chunk, freeChunks, lineAt, lineStarts } from './chunk.ts';
import type { Followed, KeptLine } from './logs.ts';
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

/**
 * The line objects are created on access and not held, since a page may wait for slow readers. They are valid until the
 * reader goes on to the next page.
 */
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
  /** Number of readers that have not read it yet. */
  #readers: number;

  /** @param readers each of whom calls {@link release} once */
  constructor(chunks: readonly Chunk[], readers = 1) {
    this.chunks = chunks;
    this.#readers = readers;
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

  /** A reader is done with it; the last one frees its memory. */
  release(): void {
    this.#readers -= 1;
    if (this.#readers === 0) freeChunks(this.chunks);
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
  readonly #waiting = new BoundedQueue<Batch>({
    weightOf: ({ bytes }) => bytes,
    onDiscard: (batch) => batch.release(),
  });

  push(batch: Batch): void {
    void this.#waiting.push(batch);
    // One batch is never too much, however large: nobody could have been quicker.
    if (this.#waiting.size > 1 && this.#waiting.weight > WAITING_BYTES)
      this.#waiting.fail(new FollowerTooSlow('Lines come faster than they are read.'));
  }

  end(): void {
    this.#waiting.end();
  }

  /** It reads no further. */
  leave(): void {
    this.#waiting.close();
  }

  /** The next batch; undefined: it is over. @throws FollowerTooSlow */
  next(signal: AbortSignal): Promise<Batch | undefined> {
    return this.#waiting.next(signal);
  }
}

/** Those who follow one app. */
export class Followers {
  readonly #followers = new Set<Follower>();
  #isOver = false;

  get size(): number {
    return this.#followers.size;
  }

  /** @returns whether there is a reader; the last reader frees the memory */
  publish(chunks: readonly Chunk[]): boolean {
    if (this.#followers.size === 0) return false;
    const batch = new Batch(chunks, this.#followers.size);
    for (const follower of this.#followers) follower.push(batch);
    return true;
  }

  /** What is published from this call on, until the signal aborts or it is over: each is there until the next one. */
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
      for (let batch = await follower.next(signal); batch !== undefined; batch = await follower.next(signal)) {
        try {
          yield batch;
        } finally {
          batch.release();
        }
      }
    } finally {
      this.#followers.delete(follower);
      follower.leave();
    }
  }
}
