/** Last known state of Docker. The reconciler watches Docker and records this state. */
export interface EngineSight {
  available: boolean;
  version: string | null;
  /** Number of CPU cores of Docker's server, or `null` if Docker has not responded yet. */
  cpus: number | null;
  /**
   * Time of Docker's last response in milliseconds since the epoch. `null` if Docker has not responded since the
   * daemon started.
   */
  seenAt: number | null;
  /** Error message that says why Docker does not respond, or `null` if Docker responds. */
  problem: string | null;
  /**
   * Returns the reason why replicas of an app cannot start, or why one was killed because of its memory use, as text
   * for users. Returns `null` if no reason is known.
   */
  reasonOf(appId: number): string | null;
}
