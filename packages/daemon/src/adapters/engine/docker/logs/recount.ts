/**
 * Docker before version 23 may leave out what stands at the end of a container's file when a follow goes on to the next
 * one, every ten megabytes. The files still have it: every few megabytes what was followed is held against them.
 */
import { handBack } from '../../hand-back.ts';
import { LogColumns } from '../../log-columns.ts';
import type { LogBatch } from '../../logs.ts';

/** Less than the engine writes into a file, with what it adds to a line. */
const WINDOW_BYTES = 6 * 1024 * 1024;
const ADDED_BYTES = 75;
/** After the end of a follow a smaller part is looked at too. */
const LEAST_BYTES = 64 * 1024;
/** Maximum of followed bytes during a comparison: a number is held for each of their lines. */
const MOST_WINDOW_BYTES = 4 * WINDOW_BYTES;
/** More than the size of one file: a comparison that finds a larger gap compares unrelated data. */
const MOST_MISSING_BYTES = 16 * 1024 * 1024;
/** The two streams are not in order with each other. */
const OVERLAP_S = 1;
const OVERLAP_KEYS = OVERLAP_S * 2e9;
/** What is held is held in pieces of this size: large enough to go back to the system when they are freed. */
const PIECE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

export class Recount {
  /** Of each line that was followed, in order: its moment and its stream. */
  #keys = new Float64Array(256);
  #count = 0;
  #bytes = 0;
  /** Where the part that was not held against the files begins, and where it ends. */
  #from: string | null;
  #to: string | null;
  /** The latest second of any line. */
  #latest = 0;

  constructor(from: string | null) {
    this.#from = from;
    this.#to = from;
  }

  get isDue(): boolean {
    return this.#bytes >= WINDOW_BYTES;
  }

  /** Whether the next comparison has to end before more is followed. */
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
   * The lines that the files have and the follow did not, each group of them as soon as the follow's next line is found
   * behind it; each batch has the newest position. What is read beyond the last line of the follow is left out, and so is
   * what no line of the follow comes behind: then the two cannot be compared.
   * @param read everything that the engine has after a position
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
      // What was given is not to be given again by the next comparison.
      if (isDone) this.#forget(count, bytes, to);
    }
  }

  #forget(count: number, bytes: number, to: string | null): void {
    this.#keys = this.#keys.slice(count, Math.max(this.#count, count + 256));
    this.#count -= count;
    this.#bytes -= bytes;
    this.#from = to;
  }

  /** Where the part begins that the files still have: its beginning may be in no file any more. */
  #firstOf(key: number, count: number): number {
    // Lines from before all of it are many, and looking for each in all of it takes long.
    if (key < (this.#keys[0] ?? 0) - OVERLAP_KEYS) return 0;
    return Math.max(this.#keys.subarray(0, count).indexOf(key), 0);
  }
}

/** Exact for eleven days, at the end of which no line of the beginning is still compared. */
function keyOf({ seconds, nanos, stderr }: LogBatch, line: number): number {
  return (((seconds[line] ?? 0) % 1_000_000) * 1e9 + (nanos[line] ?? 0)) * 2 + (stderr[line] ?? 0);
}

/** Lines in a row that the follow did not have. Copies: what was read is not held for some of its lines. */
class Gap implements Disposable {
  #batches: Omit<LogBatch, 'position'>[] = [];
  readonly #open = new LogColumns();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes + this.#open.bytes;
  }

  /** @param lines their places in the batch, ascending */
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

  /** Everything in it; it is empty then. */
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
