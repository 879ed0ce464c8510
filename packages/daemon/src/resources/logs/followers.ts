import { BoundedQueue, FollowerTooSlow } from '../../streams/bounded-queue.ts';
import { type Chunk, freeChunks, lineAt, lineStarts } from './chunk.ts';
import type { Followed, KeptLine } from './logs.ts';
import type { Sieve } from './search.ts';

/**
 * Maximum size in bytes of log lines that wait for a slow client. Above this size, Davit ends the client's connection.
 */
const WAITING_BYTES = 4 * 1024 * 1024;
const PAGE_LINES = 500;

interface Part {
  chunk: Chunk;
  lines: readonly number[];
}

/**
 * Page of log lines for a stream. Line objects are created on each access and not stored, because many pages can wait
 * for slow readers. The objects are valid until the reader requests the next page.
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

/**
 * Log lines that were written together. All readers of an app's log share one batch, so that the line objects are
 * created once.
 */
export class Batch {
  readonly chunks: readonly Chunk[];
  readonly last: number;
  readonly bytes: number;
  /** Pages with all lines of the batch, shared by all readers without a filter. */
  #pages: Page[] | null = null;
  #readers: number;

  /** @param readers number of readers, each of which must call {@link release} once */
  constructor(chunks: readonly Chunk[], readers = 1) {
    this.chunks = chunks;
    this.#readers = readers;
    const newest = chunks.at(-1);
    this.last = newest === undefined ? 0 : newest.first + newest.count - 1;
    this.bytes = chunks.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Returns pages of the lines that pass the filter and have a number higher than `after`. */
  pages(after: number, sieve: Sieve): Iterable<Followed> {
    const first = this.chunks[0]?.first ?? 0;
    if (!sieve.isOpen || after >= first) return this.#cut(after, sieve);
    this.#pages ??= this.#cut(after, sieve);
    return this.#pages;
  }

  /** Releases the batch for one reader. The last release frees the memory of the lines. */
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

class Follower {
  readonly #waiting = new BoundedQueue<Batch>({
    weightOf: ({ bytes }) => bytes,
    onDiscard: (batch) => batch.release(),
  });

  push(batch: Batch): void {
    void this.#waiting.push(batch);
    // A single batch may exceed the limit, because even a fast client gets it as a whole.
    if (this.#waiting.size > 1 && this.#waiting.weight > WAITING_BYTES)
      this.#waiting.fail(new FollowerTooSlow('The client reads log lines more slowly than the app writes them.'));
  }

  end(): void {
    this.#waiting.end();
  }

  /** Closes the queue after the reader has ended, which releases all waiting batches. */
  leave(): void {
    this.#waiting.close();
  }

  /**
   * Returns the next batch, or `undefined` at the end of the stream.
   * @throws FollowerTooSlow
   */
  next(signal: AbortSignal): Promise<Batch | undefined> {
    return this.#waiting.next(signal);
  }
}

export class Followers {
  readonly #followers = new Set<Follower>();
  #isOver = false;

  get size(): number {
    return this.#followers.size;
  }

  /**
   * Sends log lines to all readers.
   * @returns whether there is a reader; the last reader then frees the memory of the chunks
   */
  publish(chunks: readonly Chunk[]): boolean {
    if (this.#followers.size === 0) return false;
    const batch = new Batch(chunks, this.#followers.size);
    for (const follower of this.#followers) follower.push(batch);
    return true;
  }

  /**
   * Returns all batches that are published after this call, until the signal aborts or `end` is called. A batch is
   * valid until the reader requests the next one.
   */
  listen(signal: AbortSignal): AsyncGenerator<Batch> {
    const follower = new Follower();
    if (this.#isOver) follower.end();
    this.#followers.add(follower);
    return this.#batches(follower, signal);
  }

  /** Ends the streams of all current and future readers. */
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
