/** Error code of a stored problem, such as a failed deployment. The error code has no HTTP status. */
export interface ProblemKind {
  /** Meaning of the error code, in one sentence. */
  meaning: string;
  /** What the user can do about the problem, in one sentence. */
  action: string;
}
