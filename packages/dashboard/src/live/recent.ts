import type { Happened } from './messages.ts';

const MOST = 1_000;

/** Recent events for tabs that connect later. The answers of these tabs are older than their first event. */
export class Recent {
  #told: { at: number; happened: Happened }[] = [];
  /** Moment since which all events are kept, or `null` if there is no such moment. */
  #whole: number | null = null;

  /**
   * Marks a moment since which all events are kept.
   * @param now milliseconds since the epoch
   */
  begin(now: number): void {
    this.#told = [];
    this.#whole = now;
  }

  add(happened: Happened, now: number): void {
    this.#told.push({ at: now, happened });
    if (this.#told.length <= MOST) return;
    this.#whole = this.#told[0]?.at ?? now;
    this.#told = this.#told.slice(-MOST / 2);
  }

  /**
   * Returns all events since a moment, or `null` if some of them may be missing.
   * @param moment milliseconds since the epoch
   */
  since(moment: number): Happened[] | null {
    if (this.#whole === null || moment < this.#whole) return null;
    return this.#told.filter(({ at }) => at >= moment).map(({ happened }) => happened);
  }
}
