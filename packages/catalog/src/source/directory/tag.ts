/** Git tag that refers to a commit. */
export interface Tag {
  name: string;
  /** First paragraph of the Git tag's message as one line. Empty if there is no message. */
  subject: string;
  /** SHA of the commit, which the tag refers to directly or through other tags. */
  commit: string;
  /** Times in seconds since the epoch: the time of the annotated tag, if it has one, and the time of the commit. */
  times: number[];
}
