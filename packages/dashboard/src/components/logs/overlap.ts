import type { LogLine } from '../../live/live.ts';

const keyOf = ({ instance, stream, at, line }: LogLine) => `${instance} ${stream} ${at} ${line}`;

/**
 * Lines that are known, of which the beginning of what comes next may tell again: so that a stream that begins anew
 * leaves neither doubles nor, where it joins, the mark of a gap.
 */
export class Overlap {
  readonly #counts = new Map<string, number>();
  #left: number;

  constructor(known: readonly LogLine[]) {
    for (const line of known) this.#counts.set(keyOf(line), (this.#counts.get(keyOf(line)) ?? 0) + 1);
    this.#left = known.length;
  }

  /** No more lines can be known ones. */
  get isOver(): boolean {
    return this.#left <= 0;
  }

  /** Whether a line is one of them; each is only once. */
  takes(line: LogLine): boolean {
    this.#left -= 1;
    const count = this.#counts.get(keyOf(line)) ?? 0;
    if (count === 0) return false;
    this.#counts.set(keyOf(line), count - 1);
    return true;
  }
}
