import { type Chunk, lineAt, lineStarts, withoutBefore } from './chunk.ts';
import { type Followed, FollowerTooSlow, type KeptLine } from './logs.ts';
import type { Sieve } from './search.ts';

/** What may wait for a reader before it is cut. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** A reader gets at most so many lines at once. */
const PAGE_LINES = 500;

interface Numbered {
  lines: KeptLine[];
  /** The number of the line at a place among them. */
  numberOf: (place: number) => number;
}

/** Lines that were written together. Every follower gets the same one: what it costs to show them is paid once. */
export class Batch {
  readonly chunks: readonly Chunk[];
  readonly last: number;
  readonly bytes: number;
  /** All of its lines. */
  #pages: Followed[] | null = null;

  constructor(chunks: readonly Chunk[]) {
    this.chunks = chunks;
    const newest = chunks.at(-1);
    this.last = newest === undefined ? 0 : newest.first + newest.count - 1;
    this.bytes = chunks.reduce((sum, { text }) => sum + text.length, 0);
  }

  /** Those of its lines after a number that pass, a page at a time. */
  pages(after: number, sieve: Sieve): Iterable<Followed> {
    const first = this.chunks[0]?.first ?? 0;
    if (!sieve.isOpen || after >= first) return this.#cut(this.#passing(after, sieve));
    this.#pages ??= this.#cut({ lines: this.#lines(), numberOf: (place) => first + place });
    return this.#pages;
  }

  #cut({ lines, numberOf }: Numbered): Followed[] {
    const pages: Followed[] = [];
    for (let from = 0; from < lines.length; from += PAGE_LINES) {
      const to = from + PAGE_LINES;
      const last = to >= lines.length ? this.last : numberOf(to - 1);
      pages.push({ kind: 'lines', last, lines: lines.slice(from, to) });
    }
    return pages;
  }

  #lines(): KeptLine[] {
    return this.chunks.flatMap((chunk) => {
      const starts = lineStarts(chunk.text, chunk.count);
      return Array.from({ length: chunk.count }, (_, line) => lineAt(chunk, starts, line));
    });
  }

  #passing(after: number, sieve: Sieve): Numbered {
    const lines: KeptLine[] = [];
    const numbers: number[] = [];
    for (const whole of this.chunks) {
      if (whole.first + whole.count - 1 <= after) continue;
      const chunk = withoutBefore(whole, after + 1);
      const passing = [...sieve.linesOf(chunk)];
      const starts = passing.length === 0 ? new Uint32Array() : lineStarts(chunk.text, chunk.count);
      for (const line of passing) {
        lines.push(lineAt(chunk, starts, line));
        numbers.push(chunk.first + line);
      }
    }
    return { lines, numberOf: (place) => numbers[place] ?? this.last };
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
