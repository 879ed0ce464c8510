type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Returns whether a concurrent pull may have loaded an image into Docker after this pull started. */
  mayHaveCome: MayBring;
}

/**
 * Contains the pulls that are running now. If two pulls need the same image, Docker downloads it only from the first
 * registry. The daemon must then check that the second registry also has the image.
 */
export class PullsInProgress {
  /**
   * Map from each running pull to the other pulls that ran at the same time. Some of these other pulls may already have
   * ended.
   */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull that starts now. The caller must dispose the returned object when the pull has ended.
   * @param mayBring function that returns whether this pull may have loaded an image into Docker. Other pulls that ran
   * at the same time call this function in `mayHaveCome`, even after this pull has ended
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
