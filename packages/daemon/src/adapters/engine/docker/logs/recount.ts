/**
 * Finds log lines that Docker before version 23 skips when a log file rotates (every 10 MB). Docker's log files still
 * contain the skipped lines.
 */
import { freeBuffers } from '../../free-buffers.ts';
import { LogColumns } from '../../log-columns.ts';
import type { LogBatch } from '../../logs.ts';

/**
 * Number of received log bytes after which Davit searches for skipped log lines. The number includes the bytes that
 * Docker adds to each line. The number must be smaller than the size of a log file.
 */
const WINDOW_BYTES = 6 * 1024 * 1024;
const ADDED_BYTES = 75;
/**
 * Minimum number of received log bytes for a search for skipped log lines. The limit applies to searches at the end of
 * the log or during a pause.
 */
const LEAST_BYTES = 64 * 1024;
/**
 * Maximum number of received log bytes that are not yet compared with Docker's log files. At this limit, reading
 * pauses, because each line needs memory for the comparison.
 */
const MOST_WINDOW_BYTES = 4 * WINDOW_BYTES;
/**
 * Maximum size in bytes of consecutive skipped log lines. If more bytes are missing, Docker's log files no longer
 * contain the received lines, so the search stops.
 */
const MOST_MISSING_BYTES = 16 * 1024 * 1024;
/** Maximum difference in seconds between timestamps of stdout and stderr lines that arrive in the wrong order. */
const OVERLAP_S = 1;
const OVERLAP_KEYS = OVERLAP_S * 2e9;
/**
 * Size in bytes of each buffer for skipped log lines. When a buffer of this size is freed, its memory returns to the
 * operating system.
 */
const PIECE_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

export class Recount {
  /** Keys of all received log lines in order. A key encodes the timestamp and the output stream of a line. */
  #keys = new Float64Array(256);
  #count = 0;
  #bytes = 0;
  /**
   * Log position at which the next search for skipped log lines starts. All earlier lines were already compared with
   * Docker's log files.
   */
  #from: string | null;
  #to: string | null;
  /** Latest timestamp of all received log lines, in whole seconds since 1970. */
  #latest = 0;

  constructor(from: string | null) {
    this.#from = from;
    this.#to = from;
  }

  get isDue(): boolean {
    return this.#bytes >= WINDOW_BYTES;
  }

  /**
   * Whether Davit has received too many log lines during a search for skipped log lines. If `true`, the log connection
   * pauses until the search has ended.
   */
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
   * Yields the log lines that are in Docker's log files but were not received.
   * @param read yields all lines of Docker's log files after a log position
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
            // Skipped log lines get the position of the last received log line.
            yield { ...missing, position: this.#to ?? '' };
          }
        }
        gap.add(batch, lines);
        const last = batch.seconds.at(-1) ?? 0;
        freeBuffers([batch.text, batch.seconds, batch.nanos, batch.stderr]);
        if (next >= count || gap.bytes > MOST_MISSING_BYTES || last > end) break;
      }
      isDone = true;
    } finally {
      /*
       * Deletes the keys of all log lines that were compared with Docker's log files. Otherwise, the next search would
       * return the same skipped lines again.
       */
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
   * Returns the index of the first received log line that is still in Docker's log files. Docker may have deleted the
   * oldest log file.
   */
  #firstOf(key: number, count: number): number {
    // Avoids the slow search if a log line is much older than all received log lines.
    if (key < (this.#keys[0] ?? 0) - OVERLAP_KEYS) return 0;
    return Math.max(this.#keys.subarray(0, count).indexOf(key), 0);
  }
}

/**
 * Returns a number that encodes the timestamp and the output stream of a log line. The numbers repeat after eleven
 * days, but compared log lines are never that far apart.
 */
function keyOf({ seconds, nanos, stderr }: LogBatch, line: number): number {
  return (((seconds[line] ?? 0) % 1_000_000) * 1e9 + (nanos[line] ?? 0)) * 2 + (stderr[line] ?? 0);
}

/**
 * Consecutive log lines that Docker skipped. The lines are copied, because references would keep the whole batch in
 * memory.
 */
class Gap implements Disposable {
  #batches: Omit<LogBatch, 'position'>[] = [];
  readonly #open = new LogColumns();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes + this.#open.bytes;
  }

  /** @param lines indexes of the skipped log lines in the batch, in ascending order */
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

  /** Returns the stored log lines and removes them from this object. */
  take(): Omit<LogBatch, 'position'>[] {
    this.#close();
    const batches = this.#batches;
    this.#batches = [];
    this.#bytes = 0;
    return batches;
  }

  [Symbol.dispose](): void {
    for (const { text, seconds, nanos, stderr } of this.take()) freeBuffers([text, seconds, nanos, stderr]);
    this.#open.end();
  }

  #close(): void {
    if (this.#open.count === 0) return;
    this.#bytes += this.#open.bytes;
    this.#batches.push(this.#open.take());
  }
}
