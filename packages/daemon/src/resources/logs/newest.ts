import type { KeptLine, LogMoment } from './logs.ts';
import { compareMoments } from './moment.ts';

/** Size in bytes that is added to the text size of each log line. */
const LINE_BYTES = 64;

interface Entry extends LogMoment {
  /** Number of the log line. If two lines have the same time, their numbers decide the order. */
  number: number;
  bytes: number;
  line: KeptLine;
}

/**
 * Collects the newest log lines up to a maximum number and size. Lines can be added in any order. While lines are
 * added, the collection can temporarily contain twice the maximum.
 */
export class Newest {
  readonly #limit: number;
  readonly #maxBytes: number;
  #entries: Entry[] = [];
  #bytes = 0;
  /** Whether log lines were omitted because of the maximum number or size. */
  wereCut = false;
  #oldest: Entry | null = null;

  constructor(limit: number, maxBytes: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns whether a log line with the time `at` can be one of the newest lines. Returns `false` if the list is full
   * and all lines in the list are newer.
   */
  wants(at: LogMoment): boolean {
    if (this.#limit > 0 && (this.#oldest === null || compareMoments(at, this.#oldest) >= 0)) return true;
    this.wereCut = true;
    return false;
  }

  push(at: LogMoment, number: number, line: KeptLine): void {
    const bytes = Buffer.byteLength(line.line) + LINE_BYTES;
    this.#entries.push({ seconds: at.seconds, nanos: at.nanos, number, bytes, line });
    this.#bytes += bytes;
    const isFirstFull = this.#oldest === null && this.#entries.length === this.#limit;
    if (isFirstFull || this.#entries.length >= 2 * this.#limit || this.#bytes > 2 * this.#maxBytes) this.#cut();
  }

  lines(): KeptLine[] {
    this.#cut();
    return this.#entries.map(({ line }) => line);
  }

  #cut(): void {
    this.#entries.sort((a, b) => compareMoments(a, b) || a.number - b.number);
    let from = this.#entries.length;
    let bytes = 0;
    while (from > 0 && this.#entries.length - from < this.#limit) {
      const next = this.#entries[from - 1]?.bytes ?? 0;
      if (bytes + next > this.#maxBytes) break;
      bytes += next;
      from -= 1;
    }
    if (from > 0) this.wereCut = true;
    this.#entries = this.#entries.slice(from);
    this.#bytes = bytes;
    if (from > 0 || this.#entries.length >= this.#limit) this.#oldest = this.#entries[0] ?? null;
  }
}
