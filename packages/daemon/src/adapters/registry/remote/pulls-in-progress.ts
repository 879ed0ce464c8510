type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Returns whether a concurrent pull may have loaded an image into Docker after this pull started. */
  mayHaveCome: MayBring;
}

/**
 * Pulls that run now. If two need the same image, Docker loads it from the first registry only, so the daemon must
 * check the second.
 */
export class PullsInProgress {
  /**
   * Pulls that overlapped with each running pull, even if they have ended. The function `mayBring` represents a pull.
   */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull until the returned object is disposed.
   * @param mayBring returns whether this pull may have loaded an image; also called after the pull's end
   */
  begin(mayBring: MayBring): PullInProgress {
    const others = new Set(this.#overlaps.keys());
    for (const overlap of this.#overlaps.values()) overlap.add(mayBring);
    this.#overlaps.set(mayBring, others);
    return {
      mayHaveCome: (imageId) => others.values().some((other) => other(imageId)),
      [Symbol.dispose]: () => this.#overlaps.delete(mayBring),
    };
  }
}
