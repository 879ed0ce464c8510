import type { Happened } from './messages.ts';

const MOST = 1_000;

/** What was told lately, for tabs that come: their answers are from before they were told anything. */
export class Recent {
  #told: { at: number; happened: Happened }[] = [];
  /** From this moment on nothing is missing; null: there is no such moment. */
  #whole: number | null = null;

  /** Nothing is missing from now on. */
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

  /** Everything since a moment; null when something may be missing. */
  since(moment: number): Happened[] | null {
    if (this.#whole === null || moment < this.#whole) return null;
    return this.#told.filter(({ at }) => at >= moment).map(({ happened }) => happened);
  }
}
