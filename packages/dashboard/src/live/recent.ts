import type { Happened } from './messages.ts';

const MOST = 1_000;

/**
 * Recent events in memory, for tabs that connect later. The answers that such a tab shows may be older than the
 * connection.
 */
export class Recent {
  #told: { at: number; happened: Happened }[] = [];
  /** Time since which all events are in memory, or `null` before the stream begins. */
  #whole: number | null = null;

  /**
   * Discards all recorded events. From the given time on, all events are recorded.
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
   * Returns all events since the given time, or `null` if older events are no longer in memory.
   * @param moment milliseconds since the epoch
   */
  since(moment: number): Happened[] | null {
    if (this.#whole === null || moment < this.#whole) return null;
    return this.#told.filter(({ at }) => at >= moment).map(({ happened }) => happened);
  }
}
