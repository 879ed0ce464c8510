import type { LogLine } from '../../live/live.ts';

const keyOf = ({ replica, stream, at, line }: LogLine) => `${replica} ${stream} ${at} ${line}`;

/**
 * Detects log lines that the server repeats after the log stream restarts. Otherwise the page would show lines twice,
 * or mark a gap although no line is missing.
 */
export class Overlap {
  readonly #counts = new Map<string, number>();
  #left: number;

  constructor(known: readonly LogLine[]) {
    for (const line of known) this.#counts.set(keyOf(line), (this.#counts.get(keyOf(line)) ?? 0) + 1);
    this.#left = known.length;
  }

  /**
   * Whether all further lines of the restarted log stream are new. The stream repeats at most as many lines as were
   * already loaded.
   */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /**
   * Returns whether a line of the restarted log stream is already loaded. Each loaded line matches only one line of the
   * stream, because a log can contain equal lines.
   */
  takes(line: LogLine): boolean {
    this.#left -= 1;
    const count = this.#counts.get(keyOf(line)) ?? 0;
    if (count === 0) return false;
    this.#counts.set(keyOf(line), count - 1);
    return true;
  }
}
