/** What apps wrote, kept beyond the containers that wrote it. */

/** A moment as fine as the engine tells it. */
export interface LogMoment {
  /** Since 1970. */
  seconds: number;
  nanos: number;
}

/** One kept line of an app's instance. */
export interface KeptLine {
  /** `<deployment>-<n>`, short for the instance. */
  instance: string;
  deployment: number;
  stream: 'stdout' | 'stderr';
  /** RFC 3339, UTC, to the nanosecond. */
  at: string;
  line: string;
}

/** Which lines are meant; what is left out leaves nothing out. */
export interface LogFilter {
  /** Only lines that contain this, letter case aside. */
  q?: string | undefined;
  instance?: string | undefined;
  deployment?: number | undefined;
  stream?: 'stdout' | 'stderr' | undefined;
}

export interface LogSearch extends LogFilter {
  /** Only what was written from then on. */
  since?: LogMoment | undefined;
  /** Only what was written before then. */
  until?: LogMoment | undefined;
  /** Only lines with this number or a lower one. */
  last?: number | undefined;
  /** The newest so many; Infinity: all … */
  limit: number;
  /** … that together have at most so many bytes, with a little for each line. */
  maxBytes: number;
}

export interface FoundLines {
  /** The newest lines that match, oldest first, merged over instances in time order. */
  lines: KeptLine[];
  /** Older ones may match too. */
  more: boolean;
}

export interface LogFollowQuery {
  filter: LogFilter;
  /** How many of the last lines come first. */
  tail: number;
  /** The number of the last line that the reader has; null: it begins. */
  after: number | null;
}

/**
 * What a follower is told: lines as they came in, or that those after its position are not kept any more. Followers of
 * the same lines get the same object. Its lines may be created again at each access, until the follower goes on to the
 * next object.
 */
export type Followed = { kind: 'lines'; last: number; lines: readonly KeptLine[] } | { kind: 'reset' };

/** The files of the logs cannot be read; the message is the system's. */
export class LogsUnreadable extends Error {
  override name = 'LogsUnreadable';
}

export interface Logs extends AsyncDisposable {
  /** Disk use of an app's lines, in bytes. */
  bytes(appId: number): Promise<number>;
  /** @throws LogsUnreadable */
  search(appId: number, search: LogSearch, signal: AbortSignal): Promise<FoundLines>;
  /**
   * The last lines, then those that come in, in batches; ends with the signal and with the app.
   * @throws FollowerTooSlow when the reader does not keep up with what is bounded for it
   */
  follow(appId: number, following: LogFollowQuery, signal: AbortSignal): AsyncIterable<Followed>;
  /** Looks for containers whose lines are not read yet; with a container's id, at that one whatever was last seen of it. */
  nudge(containerId?: string): void;
  /**
   * Ends a container and stores the last of what it wrote, for who is about to remove it. Resolves within seconds, with
   * whatever could be had by then.
   */
  settle(container: string): Promise<void>;
  /** Lets go of what nobody should have any more: logs of deleted apps, and lines beyond their time. */
  prune(): Promise<void>;
  /** Why lines are not being stored at present, in a sentence; null: they are. */
  problem(): string | null;
}
