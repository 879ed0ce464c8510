import type { MetricRow } from '../../db/tables/metric.ts';

/**
 * Rule for combining several values of one time step into one value: the mean, the maximum (`most`) or the last value.
 */
export type Combine = 'mean' | 'most' | 'last';

/** Values of one measurement, for example CPU and memory usage. NaN marks an unknown value. */
export type Figures = ArrayLike<number>;

const WORD = 4;

class Mix {
  readonly #shape: readonly Combine[];
  readonly #sums: Float64Array;
  #count = 0;

  constructor(shape: readonly Combine[]) {
    this.#shape = shape;
    this.#sums = new Float64Array(shape.length);
  }

  add(figures: Figures, from = 0): void {
    const isFirst = this.#count === 0;
    this.#count += 1;
    for (const [column, combine] of this.#shape.entries()) {
      const figure = figures[from + column] ?? Number.NaN;
      const sum = this.#sums[column] ?? 0;
      if (isFirst || combine === 'last') this.#sums[column] = figure;
      else this.#sums[column] = combine === 'mean' ? sum + figure : Math.max(sum, figure);
    }
  }

  result(): number[] {
    return this.#shape.map((combine, column) => {
      const sum = this.#sums[column] ?? 0;
      return combine === 'mean' ? sum / this.#count : sum;
    });
  }
}

/**
 * All measurements of one time step. The buffer contains the sorted ids of apps or databases, followed by the values in
 * the same order.
 */
class Step {
  /** End of the time step to which the measurements belong, in milliseconds since the epoch. */
  readonly at: number;
  readonly data: Uint8Array;
  readonly ids: Uint32Array;
  readonly figures: Float32Array;

  constructor({ at, data }: MetricRow, width: number) {
    const count = Math.floor(data.byteLength / ((1 + width) * WORD));
    // Copy unaligned bytes. A typed array requires an aligned offset, but bytes from SQLite can start at any offset.
    const bytes = data.byteOffset % WORD === 0 ? data : data.slice();
    this.at = at;
    this.data = bytes;
    this.ids = new Uint32Array(bytes.buffer, bytes.byteOffset, count);
    this.figures = new Float32Array(bytes.buffer, bytes.byteOffset + count * WORD, count * width);
  }

  static of(at: number, rows: ReadonlyMap<number, Mix>, width: number): Step {
    const ids = [...rows.keys()].sort((a, b) => a - b);
    const step = new Step({ at, data: new Uint8Array(ids.length * (1 + width) * WORD) }, width);
    step.ids.set(ids);
    for (const [idIndex, id] of ids.entries()) step.figures.set(rows.get(id)?.result() ?? [], idIndex * width);
    return step;
  }

  /** Returns the index of an app or database in the list `ids`. Returns -1 if the list does not contain the id. */
  placeOf(id: number): number {
    let [low, high] = [0, this.ids.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = this.ids[middle] ?? 0;
      if (there === id) return middle;
      if (there < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/**
 * Measurements in time steps of equal length. To save memory, each time step is one buffer in the binary format that
 * SQLite stores.
 */
export class Steps {
  readonly stepMs: number;
  readonly #most: number;
  readonly #shape: readonly Combine[];
  #steps: Step[] = [];
  #unwritten: Step[] = [];
  #open: { end: number; rows: Map<number, Mix> } | null = null;

  /** @param most maximum number of completed time steps in memory */
  constructor(stepMs: number, most: number, shape: readonly Combine[]) {
    this.stepMs = stepMs;
    this.#most = most;
    this.#shape = shape;
  }

  /**
   * End of the newest completed time step, in milliseconds since the epoch. The value is 0 if no time step is complete.
   */
  get newest(): number {
    return this.#steps.at(-1)?.at ?? 0;
  }

  add(moment: number, id: number, figures: Figures, from = 0): void {
    const end = (Math.floor(moment / this.stepMs) + 1) * this.stepMs;
    const rows = this.#rowsOf(end);
    let mix = rows.get(id);
    if (mix === undefined) {
      mix = new Mix(this.#shape);
      rows.set(id, mix);
    }
    mix.add(figures, from);
  }

  /**
   * Closes the current time step of measurements if it ends at or before `moment`. Later measurements cannot be added
   * to this time step.
   */
  closeUntil(moment: number): void {
    if (this.#open !== null && moment >= this.#open.end) this.#close();
  }

  /**
   * Returns the measurements of an app or database after `start` up to and including `end`, one result per `stepMs`.
   * @param stepMs multiple of the stored time step, and divisor of `end - start`
   */
  read(id: number, start: number, end: number, stepMs: number): (number[] | null)[] {
    const mixes: (Mix | undefined)[] = Array.from({ length: Math.round((end - start) / stepMs) });
    for (const step of this.#steps) {
      if (step.at <= start || step.at > end) continue;
      const idIndex = step.placeOf(id);
      if (idIndex < 0) continue;
      const index = Math.ceil((step.at - start) / stepMs) - 1;
      let mix = mixes[index];
      if (mix === undefined) {
        mix = new Mix(this.#shape);
        mixes[index] = mix;
      }
      mix.add(step.figures, idIndex * this.#shape.length);
    }
    return mixes.map((mix) => mix?.result() ?? null);
  }

  /**
   * Calculates missing long time steps from short time steps. Long time steps are missing if the daemon stopped before
   * their end.
   */
  catchUp(finer: Steps): void {
    const { newest } = this;
    for (const step of finer.#steps.filter(({ at }) => at > newest)) {
      for (const [idIndex, id] of step.ids.entries())
        this.add(step.at - 1, id, step.figures, idIndex * this.#shape.length);
    }
  }

  load(rows: readonly MetricRow[]): void {
    this.#steps = rows.slice(-this.#most).map((row) => new Step(row, this.#shape.length));
  }

  get unwritten(): readonly MetricRow[] {
    return this.#unwritten;
  }

  noteWritten(): void {
    this.#unwritten = [];
  }

  #rowsOf(end: number): Map<number, Mix> {
    if (this.#open !== null && this.#open.end < end) this.#close();
    if (this.#open?.end !== end) {
      /*
       * If the clock was set back, some measurements have a time in the future. Remove these measurements, because
       * Davit will measure again for the same times.
       */
      while (this.newest >= end) this.#steps.pop();
      this.#unwritten = this.#unwritten.filter(({ at }) => at < end);
      this.#open = { end, rows: new Map() };
    }
    return this.#open.rows;
  }

  #close(): void {
    if (this.#open === null) return;
    const step = Step.of(this.#open.end, this.#open.rows, this.#shape.length);
    this.#open = null;
    this.#steps.push(step);
    this.#unwritten.push(step);
    if (this.#steps.length > this.#most) this.#steps.shift();
    if (this.#unwritten.length > this.#most) this.#unwritten.shift();
  }
}
