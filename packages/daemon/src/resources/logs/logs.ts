/** Time of a log line in seconds and nanoseconds, because Docker's times include nanoseconds. */
export interface LogMoment {
  /** Seconds since the epoch. */
  seconds: number;
  nanos: number;
}

export interface KeptLine {
  /** Short name of the replica that wrote the line: `<deployment>-<n>`. */
  replica: string;
  deployment: number;
  stream: 'stdout' | 'stderr';
  /** Time of the log line in RFC 3339 format, UTC, with nanoseconds. */
  at: string;
  line: string;
}

/** Filter for log lines. A log line must match all fields that are set. Fields that are not set are ignored. */
export interface LogFilter {
  /** Text that a log line must contain. The search ignores upper and lower case. */
  q?: string | undefined;
  replica?: string | undefined;
  deployment?: number | undefined;
  stream?: 'stdout' | 'stderr' | undefined;
}

export interface LogSearch extends LogFilter {
  /** Earliest time of a log line. Lines with exactly this time are included. */
  since?: LogMoment | undefined;
  /** End of the time range for log lines. A line with exactly this time is not included. */
  until?: LogMoment | undefined;
  /** Highest number of a log line. The line with this number is included. */
  last?: number | undefined;
  /** Maximum number of log lines. If more lines match, the newest are returned. Infinity means all lines. */
  limit: number;
  /** Maximum total size of the log lines in bytes. Each line adds 64 bytes to the size of its text. */
  maxBytes: number;
}

export interface FoundLines {
  /** Newest log lines of all replicas that match the search, oldest first. */
  lines: KeptLine[];
  /** Whether there may be older log lines that match the search. */
  more: boolean;
}

export interface LogFollowQuery {
  filter: LogFilter;
  /** Number of stored log lines that a log stream returns at its start. */
  tail: number;
  /** Number of the last log line that the client received, or `null` for a new client. */
  after: number | null;
}

/**
 * Item of a log stream. `reset` means that Davit deleted lines before the client received them. Read `lines` only once,
 * and before the request of the next item.
 */
export type Followed = { kind: 'lines'; last: number; lines: readonly KeptLine[] } | { kind: 'reset' };

/** Error for log files that cannot be read. The message comes from the operating system. */
export class LogsUnreadable extends Error {
  override name = 'LogsUnreadable';
}

export interface Logs extends AsyncDisposable {
  /** Returns the disk space in bytes that an app's stored logs use. */
  bytes(appId: number): Promise<number>;
  /**
   * Returns the newest log lines that match a search.
   * @throws LogsUnreadable
   */
  search(appId: number, search: LogSearch, signal: AbortSignal): Promise<FoundLines>;
  /**
   * Returns the newest stored log lines, followed by new lines. The stream ends when the signal aborts or the app is
   * deleted.
   * @throws FollowerTooSlow if the client reads too slowly
   */
  follow(appId: number, following: LogFollowQuery, signal: AbortSignal): AsyncIterable<Followed>;
  /**
   * Starts a reader for each container whose log has no reader.
   * @param containerId if set, only this container, even if its log was read to the end
   */
  nudge(containerId?: string): void;
  /**
   * Kills a container and stores its last log lines, with a time limit of some seconds. Call this method before the
   * removal of the container.
   */
  settle(container: string): Promise<void>;
  /** Deletes the logs of deleted apps. Also deletes log lines that exceed the maximum age or size in the settings. */
  prune(): Promise<void>;
  /** Returns an error message if log lines cannot be stored now. Otherwise, returns `null`. */
  problem(): string | null;
}
