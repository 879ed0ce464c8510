/** Last known state of the engine, as the reconciler that watches the engine recorded it. */
export interface EngineSight {
  available: boolean;
  version: string | null;
  /** Number of CPU cores of the engine's server, or `null` before the first answer of the engine. */
  cpus: number | null;
  /** Time of the engine's last answer in milliseconds since the epoch, or `null` if there was none since the start. */
  seenAt: number | null;
  /** Sentence that says why the engine does not answer, or `null` if the engine answers. */
  problem: string | null;
  /**
   * Returns the reason why replicas of an app cannot be started, as a sentence for users, or `null` if none is known.
   */
  reasonOf(appId: number): string | null;
}
