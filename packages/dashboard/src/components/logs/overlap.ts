import type { LogLine } from '../../live/live.ts';

const keyOf = ({ replica, stream, at, line }: LogLine) => `${replica} ${stream} ${at} ${line}`;

/**
 * Detects log lines that a restarted stream repeats. Without this comparison, lines would appear twice, and the page
 * would mark a gap where no line is missing.
 */
export class Overlap {
  readonly #counts = new Map<string, number>();
  #left: number;

  constructor(known: readonly LogLine[]) {
    for (const line of known) this.#counts.set(keyOf(line), (this.#counts.get(keyOf(line)) ?? 0) + 1);
    this.#left = known.length;
  }

  /** Whether no further line of the restarted log stream can be a repetition. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Returns whether a line repeats an earlier log line. Each earlier line matches only once. */
  takes(line: LogLine): boolean {
    this.#left -= 1;
    const count = this.#counts.get(keyOf(line)) ?? 0;
    if (count === 0) return false;
    this.#counts.set(keyOf(line), count - 1);
    return true;
  }
}
