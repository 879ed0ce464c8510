/**
 * Search for lines that a followed log did not contain. Docker before version 23 may skip lines at the end of a log
 * file when it rotates the file, every ten megabytes. The log files still contain these lines. The followed lines are
 * therefore compared with the files every few megabytes.
 */
import { handBack } from '../../hand-back.ts';
import { LogColumns } from '../../log-columns.ts';
import type { LogBatch } from '../../logs.ts';

/**
 * Number of followed bytes after which a comparison is due. This number, together with what the engine adds to each
 * line, must be smaller than a log file.
 */
const WINDOW_BYTES = 6 * 1024 * 1024;
const ADDED_BYTES = 75;
/** Minimum number of followed bytes for a comparison at the end of a follow or after a pause. */
const LEAST_BYTES = 64 * 1024;
/** Maximum number of followed bytes during a comparison, which limits the memory for the keys of the lines. */
const MOST_WINDOW_BYTES = 4 * WINDOW_BYTES;
/** Maximum size of a gap, larger than one log file. A larger gap shows that the compared data is unrelated. */
const MOST_MISSING_BYTES = 16 * 1024 * 1024;
/** Maximum time in seconds by which lines of stdout and stderr can be out of order. */
const OVERLAP_S = 1;
const OVERLAP_KEYS = OVERLAP_S * 2e9;
/** Size in bytes of each buffer for missing lines. The size is large enough that freed memory returns to the system. */
const PIECE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

export class Recount {
  /** Keys of all followed lines in order. A key contains the time and the stream. */
  #keys = new Float64Array(256);
  #count = 0;
  #bytes = 0;
  /** Start of the part that was not compared yet. The end is `#to`. */
  #from: string | null;
  #to: string | null;
  /** Latest second of all lines. */
  #latest = 0;

  constructor(from: string | null) {
    this.#from = from;
    this.#to = from;
  }

  get isDue(): boolean {
    return this.#bytes >= WINDOW_BYTES;
  }

  /** `true` if the comparison must end before more lines are followed. */
  get isFull(): boolean {
    return this.#bytes >= MOST_WINDOW_BYTES;
  }

  get isWorthIt(): boolean {
    return this.#bytes >= LEAST_BYTES;
  }

  add(batch: LogBatch): void {
    if (this.#count + batch.count > this.#keys.length) {
      const larger = new Float64Array(Math.max(this.#keys.length * 2, this.#count + batch.count));
      larger.set(this.#keys.subarray(0, this.#count));
      this.#keys = larger;
    }
    for (let line = 0; line < batch.count; line += 1) {
      this.#keys[this.#count + line] = keyOf(batch, line);
      this.#latest = Math.max(this.#latest, batch.seconds[line] ?? 0);
    }
    this.#count += batch.count;
    this.#bytes += batch.text.length + batch.count * ADDED_BYTES;
    this.#to = batch.position;
  }

  /**
   * Yields the lines that the files contain and the follow did not. A group of missing lines is yielded when the next
   * followed line is found after the group. Each batch has the newest position. Lines after the last followed line are
   * omitted. Lines without a later followed line are omitted too, because such lines cannot be compared.
   * @param read yields all lines that the engine has after a position
   */
  async *missing(read: (after: string | null) => AsyncIterable<LogBatch>): AsyncGenerator<LogBatch> {
    const [count, bytes, to] = [this.#count, this.#bytes, this.#to];
    const end = this.#latest + OVERLAP_S;
    using gap = new Gap();
    let next = 0;
    let isDone = false;
    try {
      for await (const batch of read(this.#from)) {
        const lines: number[] = [];
        let before = -1;
        for (let line = 0; line < batch.count && next < count; line += 1) {
          const key = keyOf(batch, line);
          if (next === 0) next = this.#firstOf(key, count);
          if (this.#keys[next] === key) {
            next += 1;
            before = lines.length;
          } else lines.push(line);
        }
        if (before >= 0) {
          gap.add(batch, lines.splice(0, before));
          for (const missing of gap.take()) {
            isDone = true;
            yield { ...missing, position: this.#to ?? '' };
          }
        }
        gap.add(batch, lines);
        const last = batch.seconds.at(-1) ?? 0;
        handBack([batch.text, batch.seconds, batch.nanos, batch.stderr]);
        if (next >= count || gap.bytes > MOST_MISSING_BYTES || last > end) break;
      }
      isDone = true;
    } finally {
      // The next comparison must not yield the same lines again.
      if (isDone) this.#forget(count, bytes, to);
    }
  }

  #forget(count: number, bytes: number, to: string | null): void {
    this.#keys = this.#keys.slice(count, Math.max(this.#count, count + 256));
    this.#count -= count;
    this.#bytes -= bytes;
    this.#from = to;
  }

  /**
   * Returns the index of the first followed line that the files still contain. The files may no longer contain the
   * beginning.
   */
  #firstOf(key: number, count: number): number {
    // Many lines can be older than all followed lines, and a search for each of them would be slow.
    if (key < (this.#keys[0] ?? 0) - OVERLAP_KEYS) return 0;
    return Math.max(this.#keys.subarray(0, count).indexOf(key), 0);
  }
}

/** Returns the key of a line. Keys are unique for eleven days, and comparisons never cover such a long time. */
function keyOf({ seconds, nanos, stderr }: LogBatch, line: number): number {
  return (((seconds[line] ?? 0) % 1_000_000) * 1e9 + (nanos[line] ?? 0)) * 2 + (stderr[line] ?? 0);
}

/**
 * Consecutive lines that the follow did not contain. The lines are copies, because a few lines must not keep a whole
 * batch in memory.
 */
class Gap implements Disposable {
  #batches: Omit<LogBatch, 'position'>[] = [];
  readonly #open = new LogColumns();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes + this.#open.bytes;
  }

  /** @param lines indexes of the lines in the batch, ascending */
  add({ seconds, nanos, stderr, text }: LogBatch, lines: readonly number[]): void {
    let [start, at] = [0, 0];
    for (const line of lines) {
      for (; at < line; at += 1) start = text.indexOf(LINE_FEED, start) + 1;
      this.#open.add(
        seconds[line] ?? 0,
        nanos[line] ?? 0,
        stderr[line] ?? 0,
        text,
        start,
        text.indexOf(LINE_FEED, start),
      );
      if (this.#open.bytes >= PIECE_BYTES) this.#close();
    }
  }

  /** Returns all lines and empties the gap. */
  take(): Omit<LogBatch, 'position'>[] {
    this.#close();
    const batches = this.#batches;
    this.#batches = [];
    this.#bytes = 0;
    return batches;
  }

  [Symbol.dispose](): void {
    for (const { text, seconds, nanos, stderr } of this.take()) handBack([text, seconds, nanos, stderr]);
    this.#open.end();
  }

  #close(): void {
    if (this.#open.count === 0) return;
    this.#bytes += this.#open.bytes;
    this.#batches.push(this.#open.take());
  }
}
