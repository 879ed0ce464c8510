/** A code of a problem that is on record or in a state, and so has no HTTP status. */
export interface ProblemKind {
  /** What the code means: one sentence. */
  meaning: string;
  /** What the user does about it: one sentence. */
  action: string;
}
