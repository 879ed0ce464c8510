type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Returns whether a concurrent pull may have brought an image to Docker after this pull started. */
  mayHaveCome: MayBring;
}

/**
 * Running pulls of the daemon. If one pull brings an image to Docker, Docker does not download it again for a
 * concurrent pull. The daemon must then verify that the registry of the other pull has the image.
 */
export class PullsInProgress {
  /** Map from a running pull to its concurrent pulls, including those that have ended. */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull. The caller must dispose the returned object when the pull has ended.
   * @param mayBring returns whether this pull may already have brought an image to Docker; it may be called until all
   * concurrent pulls have ended
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
