/** Last known state of the container engine, recorded by the reconciler that watches the engine. */
export interface EngineSight {
  available: boolean;
  version: string | null;
  /** Number of CPU cores of the engine's server, or `null` if the engine has not answered yet. */
  cpus: number | null;
  /**
   * Time of the engine's last answer in milliseconds since the epoch, or `null` if the engine has not answered since
   * the daemon started.
   */
  seenAt: number | null;
  /** Sentence that says why the engine does not answer, or `null` if the engine answers. */
  problem: string | null;
  /** Returns why replicas of an app cannot start, as a sentence for users, or `null` if no reason is known. */
  reasonOf(appId: number): string | null;
}
