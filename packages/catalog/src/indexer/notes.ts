/**
 * Writes notes of about the same time in one transaction. Eight notes take as long to write as one, and further notes
 * arrive during the write.
 */
export class Notes {
  readonly #together: (work: () => void) => void;
  #waiting: { note: () => void; settled: PromiseWithResolvers<void> }[] = [];

  /**
   * Creates the queue.
   * @param together runs its function in one transaction
   */
  constructor(together: (work: () => void) => void) {
    this.#together = together;
  }

  /**
   * Resolves when the note is on disk.
   * @throws the error of this note, or of another note in the same transaction
   */
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
