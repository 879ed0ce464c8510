/** Git tag that refers to a commit. */
export interface Tag {
  name: string;
  /** First paragraph of the Git tag's message as one line. Empty if the tag has no message. */
  subject: string;
  /** SHA of the commit to which the Git tag refers, directly or through other tags. */
  commit: string;
  /** Time of the annotated Git tag and time of the commit, in seconds since the epoch. */
  times: number[];
}
