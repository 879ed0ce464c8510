/** A code for a stored problem, such as a failed deployment. It has no HTTP status. */
export interface ProblemKind {
  /** Meaning of the code, in one sentence. */
  meaning: string;
  /** What the user can do, in one sentence. */
  action: string;
}
