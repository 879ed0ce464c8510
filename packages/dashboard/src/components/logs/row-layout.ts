/**
 * Calculates the vertical position of log rows. The height of a wrapped row is estimated until the row is rendered and
 * measured.
 */
import type { Entry, LogBuffer } from './log-buffer.ts';

/** Height in pixels of a log row without wrapping. */
export const ROW_HEIGHT = 22;
/**
 * Maximum number of characters of a log line in the list. If a log line is longer, the user can open it to see the
 * complete text.
 */
export const MOST_SHOWN = 2_000;

export class RowLayout {
  #columns: number | null = null;
  /**
   * Measured heights of log rows in pixels. The key is the id of the log line. The map contains only heights that
   * differ from the estimate.
   */
  readonly #seen = new Map<number, number>();
  #offsets = new Float64Array(1);
  #isUniform = true;
  #length = 0;

  /**
   * Sets the number of characters per row. `null` means that log lines are not wrapped. The measured heights are
   * deleted, because log lines now wrap at other positions.
   */
  wrapAt(columns: number | null): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#seen.clear();
  }

  /** Calculates the vertical positions of all shown log rows. */
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

  get isUniform(): boolean {
    return this.#isUniform;
  }

  get total(): number {
    return this.offset(this.#length);
  }

  /** Returns the distance in pixels from the top of the list to a log row. */
  offset(at: number): number {
    return this.#isUniform ? at * ROW_HEIGHT : (this.#offsets[at] ?? 0);
  }

  /** Returns the index of the log row at a vertical position in pixels. */
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

  /**
   * Stores the measured height of a log row.
   * @returns whether the measured height differs from the height that was used before
   */
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
