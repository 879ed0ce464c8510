import type { Happened } from './messages.ts';

const MAXIMUM = 1_000;

/**
 * Recent events in memory, for tabs that connect later. The answers that such a tab shows may be older than the
 * connection.
 */
export class Recent {
  #events: { at: number; happened: Happened }[] = [];
  /** Time since which all events are in memory, or `null` before the stream begins. */
  #completeFrom: number | null = null;

  /**
   * Discards all recorded events. From the given time on, all events are recorded.
   * @param now milliseconds since the epoch
   */
  begin(now: number): void {
    this.#events = [];
    this.#completeFrom = now;
  }

  add(happened: Happened, now: number): void {
    this.#events.push({ at: now, happened });
    if (this.#events.length <= MAXIMUM) return;
    const removed = this.#events.splice(0, this.#events.length - MAXIMUM / 2);
    // Events of one millisecond can be on both sides of the cut.
    this.#completeFrom = (removed.at(-1)?.at ?? now) + 1;
  }

  /**
   * Returns all events since the given time, or `null` if older events are no longer in memory.
   * @param moment milliseconds since the epoch
   */
  since(moment: number): Happened[] | null {
    if (this.#completeFrom === null || moment < this.#completeFrom) return null;
    return this.#events.filter(({ at }) => at >= moment).map(({ happened }) => happened);
  }
}
