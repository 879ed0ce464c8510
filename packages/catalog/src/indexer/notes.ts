/**
 * Puts what is noted at about the same time on disk together. A disk takes as long for one note as for eight, and while
 * it does, more of them come.
 */
export class Notes {
  readonly #together: (work: () => void) => void;
  #waiting: { note: () => void; settled: PromiseWithResolvers<void> }[] = [];

  /** @param together notes everything that its work notes, or nothing of it */
  constructor(together: (work: () => void) => void) {
    this.#together = together;
  }

  /** Resolves when it is on disk. @throws what noting it, or what came with it, threw */
  add(note: () => void): Promise<void> {
    const settled = Promise.withResolvers<void>();
    if (this.#waiting.push({ note, settled }) === 1) setImmediate(() => this.#flush());
    return settled.promise;
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#together(() => {
        for (const { note } of waiting) note();
      });
      for (const { settled } of waiting) settled.resolve();
    } catch (error) {
      for (const { settled } of waiting) settled.reject(error);
    }
  }
}
