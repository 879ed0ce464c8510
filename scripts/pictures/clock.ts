/** The time in the pictures: it stands still, and goes on when the story says so. */
export class StoryClock {
  #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  readonly now = (): number => this.#at;

  forward(ms: number): void {
    this.#at += Math.round(ms);
  }

  /** Never back: what was done may have taken longer than the story thought. */
  until(at: number): void {
    this.#at = Math.max(this.#at, Math.round(at));
  }
}

/** Numbers from 0 to 1 that look drawn by lot, and are the same every time. */
export function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Up and down around 1, as visitors and what they cost go up and down over an hour. */
export function wave(at: number, phase: number): number {
  const minutes = at / 60_000;
  return 1 + 0.34 * Math.sin(minutes / 9.5 + phase) + 0.14 * Math.sin(minutes / 2.3 + 2 * phase);
}
