/** Stored log lines of apps, which outlive their containers. */

/** Time with the precision of the engine. */
export interface LogMoment {
  /** Seconds since 1970. */
  seconds: number;
  nanos: number;
}

/** Stored line of an app's replica. */
export interface KeptLine {
  /** Short name of the replica: `<deployment>-<n>`. */
  replica: string;
  deployment: number;
  stream: 'stdout' | 'stderr';
  /** Time in RFC 3339 format, UTC, with nanoseconds. */
  at: string;
  line: string;
}

/** Filter for lines. An absent field excludes no lines. */
export interface LogFilter {
  /** Text that a line must contain. Letter case is ignored. */
  q?: string | undefined;
  replica?: string | undefined;
  deployment?: number | undefined;
  stream?: 'stdout' | 'stderr' | undefined;
}

export interface LogSearch extends LogFilter {
  /** Earliest time of a line, inclusive. */
  since?: LogMoment | undefined;
  /** Latest time of a line, exclusive. */
  until?: LogMoment | undefined;
  /** Highest line number. */
  last?: number | undefined;
  /** Maximum number of lines, newest first. Infinity means all lines. */
  limit: number;
  /** Maximum total size of the lines in bytes, with a small amount added for each line. */
  maxBytes: number;
}

export interface FoundLines {
  /** Newest matching lines, oldest first, merged over all replicas in time order. */
  lines: KeptLine[];
  /** Whether older lines can match too. */
  more: boolean;
}

export interface LogFollowQuery {
  filter: LogFilter;
  /** Number of last lines at the start of the stream. */
  tail: number;
  /** Number of the last line that the reader has, or `null` for a new reader. */
  after: number | null;
}

/**
 * Item of a stream: new lines, or `reset` if lines after the reader's position are not stored any more. Followers of
 * the same lines share one object. Its line objects can be created again at each access, until the follower requests
 * the next item.
 */
export type Followed = { kind: 'lines'; last: number; lines: readonly KeptLine[] } | { kind: 'reset' };

/** Error for unreadable log files. The message is that of the operating system. */
export class LogsUnreadable extends Error {
  override name = 'LogsUnreadable';
}

export interface Logs extends AsyncDisposable {
  /** Returns the disk use of an app's lines, in bytes. */
  bytes(appId: number): Promise<number>;
  /**
   * Returns the newest lines that match.
   * @throws LogsUnreadable
   */
  search(appId: number, search: LogSearch, signal: AbortSignal): Promise<FoundLines>;
  /**
   * Returns the last lines and then new lines, in batches. The stream ends when the signal aborts or the app is
   * deleted.
   * @throws FollowerTooSlow if the reader does not keep up and its buffer is full
   */
  follow(appId: number, following: LogFollowQuery, signal: AbortSignal): AsyncIterable<Followed>;
  /**
   * Starts reads of containers without one. With a container id, checks only that container, whatever its last state.
   */
  nudge(containerId?: string): void;
  /**
   * Stops a container and stores its last lines, before the caller removes the container. Resolves within seconds, even
   * if lines are missing.
   */
  settle(container: string): Promise<void>;
  /** Deletes logs of deleted apps, and lines beyond the retention. */
  prune(): Promise<void>;
  /** Returns why lines are not stored now, as a sentence, or `null` if all lines are stored. */
  problem(): string | null;
}
