type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Returns whether a concurrent pull may have loaded an image into Docker after this pull started. */
  mayHaveCome: MayBring;
}

/**
 * Running pulls of the daemon. If two pulls need the same image, Docker downloads it only for the first pull. The
 * daemon must then verify that the registry of the second pull also has the image.
 */
export class PullsInProgress {
  /** Map from each running pull to all pulls that ran at the same time, even if they have already ended. */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull. The caller must dispose the returned object when the pull has ended.
   * @param mayBring returns whether this pull may already have loaded an image into Docker. It can still be called
   * after this pull has ended, until all concurrent pulls have ended.
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
