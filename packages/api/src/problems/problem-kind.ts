/**
 * Description of an error code that the instance stores, such as the reason of a failed deployment. The code has no
 * HTTP status, because no API request fails with it.
 */
export interface ProblemKind {
  /** Meaning of the error code, in one sentence. */
  meaning: string;
  /** Action of the user that can solve the problem, in one sentence. */
  action: string;
}
