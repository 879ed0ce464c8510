/** A code of a stored problem, which has no HTTP status. */
export interface ProblemKind {
  /** Meaning of the code in one sentence. */
  meaning: string;
  /** Action of the user in one sentence. */
  action: string;
}
