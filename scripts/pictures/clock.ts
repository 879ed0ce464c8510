/** The time in the screenshots. The time stands still and advances only on request. */
export class StoryClock {
  #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  readonly now = (): number => this.#at;

  forward(ms: number): void {
    this.#at += Math.round(ms);
  }

  /** Advances the time. The time never goes back, because earlier steps may have taken longer than planned. */
  until(at: number): void {
    this.#at = Math.max(this.#at, Math.round(at));
  }
}

/** Returns a generator of pseudorandom numbers from 0 to 1, which are the same in every run. */
export function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns a factor that oscillates around 1, like the number of visitors over an hour. */
export function wave(at: number, phase: number): number {
  const minutes = at / 60_000;
  return 1 + 0.34 * Math.sin(minutes / 9.5 + phase) + 0.14 * Math.sin(minutes / 2.3 + 2 * phase);
}
