import type { LogLine } from '../../live/live.ts';

const keyOf = ({ replica, stream, at, line }: LogLine) => `${replica} ${stream} ${at} ${line}`;

/**
 * Known lines that the start of a restarted stream may repeat. Comparing them prevents duplicate lines, and prevents a
 * gap marker where the stream continues without a gap.
 */
export class Overlap {
  readonly #counts = new Map<string, number>();
  #left: number;

  constructor(known: readonly LogLine[]) {
    for (const line of known) this.#counts.set(keyOf(line), (this.#counts.get(keyOf(line)) ?? 0) + 1);
    this.#left = known.length;
  }

  /** Whether no further line can repeat a known line. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Returns whether a line repeats a known line. Each known line counts only once. */
  takes(line: LogLine): boolean {
    this.#left -= 1;
    const count = this.#counts.get(keyOf(line)) ?? 0;
    if (count === 0) return false;
    this.#counts.set(keyOf(line), count - 1);
    return true;
  }
}
