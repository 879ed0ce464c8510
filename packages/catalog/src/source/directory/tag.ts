/** A tag of a repository. */
export interface Tag {
  name: string;
  /** First lines of the message of the tag. Empty if there is no message. */
  subject: string;
  /** Commit to which the tag finally refers. */
  commit: string;
  /** Seconds since the epoch: the time of the tag, if it has one, and the time of its commit. */
  times: number[];
}
