type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Returns whether another pull since the begin of this pull may have brought an image to the engine. */
  mayHaveCome: MayBring;
}

/**
 * Pulls of the daemon that are in progress. A concurrent pull may bring an image to the engine before the engine checks
 * whether it needs that image.
 */
export class PullsInProgress {
  /** Pulls that overlap each pull in progress, including pulls that have ended. */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Registers a pull. Dispose the result when the pull has ended.
   * @param mayBring returns whether this pull may have brought an image to the engine so far. The function is called
   * until the last overlapping pull has ended
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
