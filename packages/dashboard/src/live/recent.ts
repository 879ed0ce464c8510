import type { Happened } from './messages.ts';

const MAXIMUM = 1_000;

/**
 * Keeps recent events in memory for browser tabs that connect later. A new tab needs these events, because the tab may
 * have loaded its data before it connected.
 */
export class Recent {
  #events: { at: number; happened: Happened }[] = [];
  /**
   * Time in milliseconds since the epoch from which all events are in memory. `null` before the event stream begins.
   */
  #completeFrom: number | null = null;

  /**
   * Deletes all stored events and begins to collect new events. The list of events is complete from the time `now` on.
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
    // The list of events is complete only from the millisecond after the last removed event.
    this.#completeFrom = (removed.at(-1)?.at ?? now) + 1;
  }

  /**
   * Returns all events since the given time. Returns `null` if some of these events are no longer in memory.
   * @param moment milliseconds since the epoch
   */
  since(moment: number): Happened[] | null {
    if (this.#completeFrom === null || moment < this.#completeFrom) return null;
    return this.#events.filter(({ at }) => at >= moment).map(({ happened }) => happened);
  }
}
