import type { Happened } from './messages.ts';

const MAXIMUM = 1_000;

/**
 * Recent events in memory, for tabs that connect later. A new tab needs these events, because the API responses that it
 * shows may be older than its connection.
 */
export class Recent {
  #events: { at: number; happened: Happened }[] = [];
  /**
   * Time from which all events are in memory, in milliseconds since the epoch, or `null` before the event stream
   * begins.
   */
  #completeFrom: number | null = null;

  /**
   * Discards all events in memory. From the given time on, all events are stored in memory again.
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
    // Begin the period one millisecond later, because only some events of this millisecond may have been removed.
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
