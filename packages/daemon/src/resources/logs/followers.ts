import { BoundedQueue, FollowerTooSlow } from '../../streams/bounded-queue.ts';
import { type Chunk, freeChunks, lineAt, lineStarts } from './chunk.ts';
import type { Followed, KeptLine } from './logs.ts';
import type { Sieve } from './search.ts';

/**
 * Maximum size in bytes of log lines that wait for a slow client. Above this size, Davit ends the client's log stream.
 */
const WAITING_BYTES = 4 * 1024 * 1024;
const PAGE_LINES = 500;

interface Part {
  chunk: Chunk;
  lines: readonly number[];
}

/**
 * Group of log lines. To save memory, each read of `lines` creates new objects for the lines. A line must not be used
 * after the next group is requested.
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
 * Log lines that were written to disk together. All readers of an app's log use the same batch, so that the lines are
 * in memory only once.
 */
export class Batch {
  readonly chunks: readonly Chunk[];
  readonly last: number;
  readonly bytes: number;
  /**
   * All log lines of the batch as pages. The pages are created only once, because all log streams without a filter send
   * the same pages.
   */
  #pages: Page[] | null = null;
  #readers: number;

  /** @param readers number of readers. Each reader must call {@link release} once. */
  constructor(chunks: readonly Chunk[], readers = 1) {
    this.chunks = chunks;
    this.#readers = readers;
    const newest = chunks.at(-1);
    this.last = newest === undefined ? 0 : newest.first + newest.count - 1;
    this.bytes = chunks.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Returns pages of log lines. Includes only lines that match the filter and have a higher number than `after`. */
  pages(after: number, sieve: Sieve): Iterable<Followed> {
    const first = this.chunks[0]?.first ?? 0;
    if (!sieve.isOpen || after >= first) return this.#cut(after, sieve);
    this.#pages ??= this.#cut(after, sieve);
    return this.#pages;
  }

  /**
   * Releases the batch for one log stream. Each log stream must call this method once. The last call frees the memory
   * of the batch.
   */
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
    // A single batch may have any size. Apply the memory limit only if two or more batches of log lines wait.
    if (this.#waiting.size > 1 && this.#waiting.weight > WAITING_BYTES)
      this.#waiting.fail(new FollowerTooSlow('The client reads log lines too slowly, so the log stream ends.'));
  }

  end(): void {
    this.#waiting.end();
  }

  /** Discards the waiting batches of log lines. Call this method when the client no longer reads the log stream. */
  leave(): void {
    this.#waiting.close();
  }

  /**
   * Returns the next batch of log lines, or `undefined` at the end of the stream.
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
   * Passes log lines to all readers, and frees the memory after the last reader.
   * @returns `false` if there are no readers. The caller must then free the memory.
   */
  publish(chunks: readonly Chunk[]): boolean {
    if (this.#followers.size === 0) return false;
    const batch = new Batch(chunks, this.#followers.size);
    for (const follower of this.#followers) follower.push(batch);
    return true;
  }

  /**
   * Returns all later batches of log lines, until the signal aborts or `end` is called. A batch must not be used after
   * the next batch is requested.
   */
  listen(signal: AbortSignal): AsyncGenerator<Batch> {
    const follower = new Follower();
    if (this.#isOver) follower.end();
    this.#followers.add(follower);
    return this.#batches(follower, signal);
  }

  /** Ends the log streams of all current and future readers. */
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
