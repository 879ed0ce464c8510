/**
 * Where each line stands. All are of one height unless they are wrapped or opened; what wraps is reckoned from its length,
 * since the letters are of one width, and put right for the few that are shown by what they turn out to be.
 */
import type { Entry, LogBuffer } from './log-buffer.ts';

/** Pixels of a line that is not wrapped. */
export const ROW_HEIGHT = 22;
/** What a line is cut to until somebody wants all of it. */
export const MOST_SHOWN = 2_000;

export class RowLayout {
  #columns: number | null = null;
  /** Heights that were seen, of lines that are not as reckoned. */
  readonly #seen = new Map<number, number>();
  #offsets = new Float64Array(1);
  #isUniform = true;
  #length = 0;

  /** @param columns letters beside each other; null: lines are not wrapped */
  wrapAt(columns: number | null): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#seen.clear();
  }

  /** Reckons anew for what is shown now. */
  measure(shown: LogBuffer['shown']): void {
    this.#length = shown.length;
    this.#forget(shown.first()?.id ?? 0);
    this.#isUniform = this.#columns === null && this.#seen.size === 0;
    if (this.#isUniform) return;
    if (this.#offsets.length <= shown.length) this.#offsets = new Float64Array(Math.ceil((shown.length + 1) * 1.5));
    let offset = 0;
    for (let at = 0; at < shown.length; at += 1) {
      this.#offsets[at] = offset;
      offset += this.#heightOf(shown.at(at) as Entry);
    }
    this.#offsets[shown.length] = offset;
  }

  /** Every line is as high as every other. */
  get isUniform(): boolean {
    return this.#isUniform;
  }

  get total(): number {
    return this.offset(this.#length);
  }

  /** Pixels above a line by its place. */
  offset(at: number): number {
    return this.#isUniform ? at * ROW_HEIGHT : (this.#offsets[at] ?? 0);
  }

  /** The place of the line at so many pixels. */
  at(top: number): number {
    if (this.#isUniform) return Math.max(0, Math.min(this.#length - 1, Math.floor(top / ROW_HEIGHT)));
    let [low, high] = [0, Math.max(0, this.#length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offset(middle) <= top) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Takes the height that a line has on the page. @returns whether it was reckoned otherwise */
  see(entry: Entry, height: number): boolean {
    if (height === 0 || Math.abs(this.#heightOf(entry) - height) < 0.5) return false;
    if (Math.abs(this.#reckoned(entry) - height) < 0.5) this.#seen.delete(entry.id);
    else this.#seen.set(entry.id, height);
    return true;
  }

  #heightOf(entry: Entry): number {
    return this.#seen.get(entry.id) ?? this.#reckoned(entry);
  }

  #reckoned({ line }: Entry): number {
    if (this.#columns === null) return ROW_HEIGHT;
    return Math.max(1, Math.ceil(Math.min(line.length, MOST_SHOWN) / this.#columns)) * ROW_HEIGHT;
  }

  #forget(oldest: number): void {
    for (const id of this.#seen.keys()) if (id < oldest) this.#seen.delete(id);
  }
}
