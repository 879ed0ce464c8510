type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Returns whether a concurrent pull may have brought an image to Docker since this pull started. */
  mayHaveCome: MayBring;
}

/**
 * Running pulls of the daemon. If a concurrent pull brings an image to Docker, Docker does not download the image for
 * this pull. The image must then be verified.
 */
export class PullsInProgress {
  /** Concurrent pulls of each running pull, including those that have ended. */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull. The caller disposes the result when the pull has ended.
   * @param mayBring returns whether this pull may already have brought an image to Docker. Can be called until all
   * concurrent pulls have ended.
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
