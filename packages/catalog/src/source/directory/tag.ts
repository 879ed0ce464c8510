/** A tag as a repository keeps it. */
export interface Tag {
  name: string;
  /** The first lines of its message; empty: it has none. */
  subject: string;
  /** What it names in the end. */
  commit: string;
  /** Seconds since the epoch: its own time, if it has one, and that of its commit. */
  times: number[];
}
