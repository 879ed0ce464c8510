type MayBring = (imageId: string) => boolean;

export interface PullInProgress extends Disposable {
  /** Whether an image may have come to the engine by another pull since this one began. */
  mayHaveCome: MayBring;
}

/**
 * The pulls of the daemon that are in progress. An image that the engine did not have when a pull began may come by another
 * one before the engine looks for it.
 */
export class PullsInProgress {
  /** With the pulls that each overlaps, also those that have ended. */
  readonly #overlaps = new Map<MayBring, Set<MayBring>>();

  /**
   * Dispose the pull when it has ended.
   * @param mayBring whether this pull may have brought an image to the engine so far; called until the last pull that it
   * overlaps has ended
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
