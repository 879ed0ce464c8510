/** Time of a log line, with Docker's precision of nanoseconds. */
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

/** Filter for log lines. An absent field excludes no lines. */
export interface LogFilter {
  /** Text that a log line must contain. Letter case is ignored. */
  q?: string | undefined;
  replica?: string | undefined;
  deployment?: number | undefined;
  stream?: 'stdout' | 'stderr' | undefined;
}

export interface LogSearch extends LogFilter {
  /** Earliest time of a log line, inclusive. */
  since?: LogMoment | undefined;
  /** Latest time of a log line, exclusive. */
  until?: LogMoment | undefined;
  /** Highest number of a log line, inclusive. */
  last?: number | undefined;
  /** Maximum number of log lines. The newest lines are selected. Infinity means all lines. */
  limit: number;
  /** Maximum total size of the lines in bytes. Each line counts 64 bytes in addition to its text. */
  maxBytes: number;
}

export interface FoundLines {
  /** Newest matching log lines of all replicas, oldest first. */
  lines: KeptLine[];
  /** Whether older lines may match too. */
  more: boolean;
}

export interface LogFollowQuery {
  filter: LogFilter;
  /** Number of stored log lines at the start of the stream. */
  tail: number;
  /** Number of the last line that the client has, or `null` for a new client. */
  after: number | null;
}

/**
 * Item of a log stream: new lines, or `reset` if lines after the client's position are not stored any more. All clients
 * of the same lines get one object. Read `lines` before the next item is requested, because each access can create the
 * line objects again.
 */
export type Followed = { kind: 'lines'; last: number; lines: readonly KeptLine[] } | { kind: 'reset' };

/** Error for log files that cannot be read. The message comes from the operating system. */
export class LogsUnreadable extends Error {
  override name = 'LogsUnreadable';
}

export interface Logs extends AsyncDisposable {
  /** Returns the disk usage of an app's log, in bytes. */
  bytes(appId: number): Promise<number>;
  /**
   * Returns the newest log lines that match a search.
   * @throws LogsUnreadable
   */
  search(appId: number, search: LogSearch, signal: AbortSignal): Promise<FoundLines>;
  /**
   * Returns the newest stored lines and then new lines, in batches. The stream ends when the signal aborts or the app
   * is deleted.
   * @throws FollowerTooSlow if the client does not keep up and its buffer is full
   */
  follow(appId: number, following: LogFollowQuery, signal: AbortSignal): AsyncIterable<Followed>;
  /**
   * Starts reading the logs of containers that have no reader. With a container id, checks only that container, even if
   * its log was read to the end before.
   */
  nudge(containerId?: string): void;
  /**
   * Kills a container and stores its last log lines, before the caller removes the container. Resolves within seconds,
   * even if some lines could not be stored.
   */
  settle(container: string): Promise<void>;
  /** Deletes logs of deleted apps, and lines that exceed the retention. */
  prune(): Promise<void>;
  /** Returns why log lines are not stored now, as a sentence, or `null` if all lines are stored. */
  problem(): string | null;
}
