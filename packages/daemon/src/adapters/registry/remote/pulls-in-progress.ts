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
   * For each running pull, all pulls that have overlapped with it. A pull stays in these sets after it has ended. In
   * the map, each pull is represented by its function `mayBring`.
   */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull that starts now. The caller must dispose the returned object when the pull has ended.
   * @param mayBring function that returns whether this pull may have loaded an image into Docker. Concurrent pulls can
   * call the function even after this pull has ended
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
