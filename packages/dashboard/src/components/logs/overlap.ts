import type { LogLine } from '../../live/live.ts';

const keyOf = ({ replica, stream, at, line }: LogLine) => `${replica} ${stream} ${at} ${line}`;

/**
 * Finds log lines that a restarted log stream sends again. Without this check, the page would show these lines twice or
 * report missing lines.
 */
export class Overlap {
  readonly #counts = new Map<string, number>();
  #left: number;

  constructor(known: readonly LogLine[]) {
    for (const line of known) this.#counts.set(keyOf(line), (this.#counts.get(keyOf(line)) ?? 0) + 1);
    this.#left = known.length;
  }

  /** Whether the restarted log stream has sent as many lines as were loaded before. All later lines are new. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /**
   * Returns whether a line of the restarted log stream is already loaded. Equal lines are counted, because a log can
   * contain the same line several times.
   */
  takes(line: LogLine): boolean {
    this.#left -= 1;
    const count = this.#counts.get(keyOf(line)) ?? 0;
    if (count === 0) return false;
    this.#counts.set(keyOf(line), count - 1);
    return true;
  }
}
