import type { LogLine } from '../../live/live.ts';

const keyOf = ({ replica, stream, at, line }: LogLine) => `${replica} ${stream} ${at} ${line}`;

/**
 * Detects log lines that the server repeats after the log stream restarts. Without this detection, the page would show
 * lines twice, or mark missing lines although no line is missing.
 */
export class Overlap {
  readonly #counts = new Map<string, number>();
  #left: number;

  constructor(known: readonly LogLine[]) {
    for (const line of known) this.#counts.set(keyOf(line), (this.#counts.get(keyOf(line)) ?? 0) + 1);
    this.#left = known.length;
  }

  /** Whether all lines that the restarted log stream can repeat have been compared. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Returns whether the log stream repeats a line that is already loaded. Each loaded line matches only once. */
  takes(line: LogLine): boolean {
    this.#left -= 1;
    const count = this.#counts.get(keyOf(line)) ?? 0;
    if (count === 0) return false;
    this.#counts.set(keyOf(line), count - 1);
    return true;
  }
}
