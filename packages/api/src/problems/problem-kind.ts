/**
 * Description of an error code that the instance saves, such as the reason of a failed deployment. API responses never
 * fail with this code, so it has no HTTP status.
 */
export interface ProblemKind {
  /** Meaning of the error code, in one sentence. */
  meaning: string;
  /** What the user can do about the problem, in one sentence. */
  action: string;
}
