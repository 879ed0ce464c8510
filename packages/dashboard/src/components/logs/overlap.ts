import type { LogLine } from '../../live/live.ts';

const keyOf = ({ replica, stream, at, line }: LogLine) => `${replica} ${stream} ${at} ${line}`;

/**
 * Finds log lines that the server sends twice because the log stream was restarted. Without this class, the page would
 * show these lines twice, or would report missing lines although no line is missing.
 */
export class Overlap {
  readonly #counts = new Map<string, number>();
  #left: number;

  constructor(known: readonly LogLine[]) {
    for (const line of known) this.#counts.set(keyOf(line), (this.#counts.get(keyOf(line)) ?? 0) + 1);
    this.#left = known.length;
  }

  /**
   * Whether the restarted log stream has sent as many lines as were loaded before the restart. After that, the stream
   * sends only new lines, because the stream repeats each loaded line at most once.
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
