import type { Happened } from './messages.ts';

const MAXIMUM = 1_000;

/**
 * Recent events in memory, for tabs that connect later. A new tab needs these events, because the API responses that it
 * shows may be older than its connection.
 */
export class Recent {
  #events: { at: number; happened: Happened }[] = [];
  /**
   * Start of the period from which all events are in memory, in milliseconds since the epoch. `null` before the event
   * stream begins.
   */
  #completeFrom: number | null = null;

  /**
   * Discards all events in memory, and begins a new period from which all events will be stored.
   * @param now start of the new period in milliseconds since the epoch
   */
  begin(now: number): void {
    this.#events = [];
    this.#completeFrom = now;
  }

  add(happened: Happened, now: number): void {
    this.#events.push({ at: now, happened });
    if (this.#events.length <= MAXIMUM) return;
    const removed = this.#events.splice(0, this.#events.length - MAXIMUM / 2);
    // Begin one millisecond later, because other events in the millisecond of the last removed event may also be gone.
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
