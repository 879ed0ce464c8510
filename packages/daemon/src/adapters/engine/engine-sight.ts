/** Last known state of Docker. The reconciler watches Docker and records this state. */
export interface EngineSight {
  available: boolean;
  version: string | null;
  /** Number of CPU cores of Docker's server, or `null` if Docker has not responded yet. */
  cpus: number | null;
  /**
   * Time of Docker's last response in milliseconds since the epoch. `null` means that Docker has not responded since
   * the daemon started.
   */
  seenAt: number | null;
  /** Message that explains why Docker does not respond, or `null` if Docker responds. */
  problem: string | null;
  /**
   * Returns the reason why replicas of an app cannot start or were killed, as text for users. A replica is killed if it
   * uses too much memory. Returns `null` if no reason is known.
   */
  reasonOf(appId: number): string | null;
}
