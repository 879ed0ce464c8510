type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Returns whether a concurrent pull may have loaded an image into Docker after this pull started. */
  mayHaveCome: MayBring;
}

/**
 * Running pulls. If two pulls need the same image, Docker loads the image only from the registry of the first pull. The
 * daemon must therefore verify the image for the second pull.
 */
export class PullsInProgress {
  /**
   * Map from each running pull to the pulls that ran at the same time, including pulls that have ended. The function
   * `mayBring` of a pull represents the pull.
   */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull until the returned object is disposed.
   * @param mayBring returns whether this pull may have loaded an image into Docker. The function is also called after
   * the pull has ended.
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
