/**
 * Docker before version 23 may leave out what stands at the end of a container's file when a follow goes on to the next
 * one, every ten megabytes. The files still have it: every few megabytes what was followed is held against them.
 */
import type { LogBatch } from '../logs.ts';

/** Less than the engine writes into a file, with what it adds to a line. */
const WINDOW_BYTES = 6 * 1024 * 1024;
const ADDED_BYTES = 75;
/** After the end of a follow a smaller part is looked at too. */
const LEAST_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

export class Recount {
  /** Of each line that was followed, in order: its moment and its stream. */
  #keys = new Float64Array(256);
  #count = 0;
  #bytes = 0;
  /** Where the part that was not held against the files begins, and where it ends. */
  #from: string | null;
  #to: string | null;

  constructor(from: string | null) {
    this.#from = from;
    this.#to = from;
  }

  get isDue(): boolean {
    return this.#bytes >= WINDOW_BYTES;
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
    for (let line = 0; line < batch.count; line += 1) this.#keys[this.#count + line] = keyOf(batch, line);
    this.#count += batch.count;
    this.#bytes += batch.text.length + batch.count * ADDED_BYTES;
    this.#to = batch.position;
  }

  /**
   * The lines that the files have and the follow did not, up to the last that it had; with the newest position.
   * @param read everything that the engine has after a position
   */
  async missing(read: (after: string | null) => AsyncIterable<LogBatch>): Promise<LogBatch | null> {
    const [count, bytes, to] = [this.#count, this.#bytes, this.#to];
    const found = new Missing();
    let next = 0;
    for await (const batch of read(this.#from)) {
      for (let line = 0; line < batch.count && next < count; line += 1) {
        const key = keyOf(batch, line);
        // The beginning may be in no file any more.
        if (next === 0) next = Math.max(this.#keys.subarray(0, count).indexOf(key), 0);
        if (this.#keys[next] === key) next += 1;
        else found.add(batch, line);
      }
      if (next >= count) break;
    }
    this.#keys = this.#keys.slice(count, Math.max(this.#count, count + 256));
    this.#count -= count;
    this.#bytes -= bytes;
    this.#from = to;
    // Not all of what was followed is there: the two cannot be compared.
    return next < count ? null : found.batch(this.#to ?? '');
  }
}

/** Exact for eleven days, at the end of which no line of the beginning is still compared. */
function keyOf({ seconds, nanos, stderr }: LogBatch, line: number): number {
  return (((seconds[line] ?? 0) % 1_000_000) * 1e9 + (nanos[line] ?? 0)) * 2 + (stderr[line] ?? 0);
}

class Missing {
  readonly #seconds: number[] = [];
  readonly #nanos: number[] = [];
  readonly #stderr: number[] = [];
  readonly #texts: Buffer[] = [];

  add({ seconds, nanos, stderr, text }: LogBatch, line: number): void {
    this.#seconds.push(seconds[line] ?? 0);
    this.#nanos.push(nanos[line] ?? 0);
    this.#stderr.push(stderr[line] ?? 0);
    let start = 0;
    for (let before = 0; before < line; before += 1) start = text.indexOf(LINE_FEED, start) + 1;
    this.#texts.push(text.subarray(start, text.indexOf(LINE_FEED, start) + 1));
  }

  batch(position: string): LogBatch | null {
    if (this.#texts.length === 0) return null;
    return {
      count: this.#texts.length,
      seconds: Uint32Array.from(this.#seconds),
      nanos: Uint32Array.from(this.#nanos),
      stderr: Uint8Array.from(this.#stderr),
      text: Buffer.concat(this.#texts),
      position,
    };
  }
}
