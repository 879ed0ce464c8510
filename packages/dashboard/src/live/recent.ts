import type { Happened } from './messages.ts';

const MAXIMUM = 1_000;

/**
 * Keeps recent events in memory for browser tabs that connect later. A new tab needs them, because it may have loaded
 * its data before it connected.
 */
export class Recent {
  #events: { at: number; happened: Happened }[] = [];
  /**
   * All events since this time are in memory. The time is in milliseconds since the epoch. `null` before the event
   * stream begins.
   */
  #completeFrom: number | null = null;

  /**
   * Deletes all stored events and starts to collect new ones. The list of events is then complete from the time `now`
   * on.
   * @param now time in milliseconds since the epoch
   */
  begin(now: number): void {
    this.#events = [];
    this.#completeFrom = now;
  }

  add(happened: Happened, now: number): void {
    this.#events.push({ at: now, happened });
    if (this.#events.length <= MAXIMUM) return;
    const removed = this.#events.splice(0, this.#events.length - MAXIMUM / 2);
    // The list is complete only from the millisecond after the last removed event.
    this.#completeFrom = (removed.at(-1)?.at ?? now) + 1;
  }

  /**
   * Returns all events since the given time, or `null` if some of them are no longer in memory.
   * @param moment milliseconds since the epoch
   */
  since(moment: number): Happened[] | null {
    if (this.#completeFrom === null || moment < this.#completeFrom) return null;
    return this.#events.filter(({ at }) => at >= moment).map(({ happened }) => happened);
  }
}
