/** What was last known of the engine; kept by the reconciler that watches it. */
export interface EngineSight {
  available: boolean;
  version: string | null;
  /** How many cores its machine has; null: it has not been asked yet. */
  cpus: number | null;
  /** When it last answered; null: never since the start. Milliseconds since the epoch. */
  seenAt: number | null;
  /** Why it does not answer, in a sentence; null when it does. */
  problem: string | null;
  /** Returns why replicas of an app that should run cannot be started, for users; `null` if none is known. */
  reasonOf(appId: number): string | null;
}
