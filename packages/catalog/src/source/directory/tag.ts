/** Git tag that refers to a commit. */
export interface Tag {
  name: string;
  /** First paragraph of the Git tag's message as one line. Empty if there is no message. */
  subject: string;
  /** SHA of the commit. The Git tag refers to it directly or through other tags. */
  commit: string;
  /** Times in seconds since the epoch: the time of an annotated tag, and the time of the commit. */
  times: number[];
}
