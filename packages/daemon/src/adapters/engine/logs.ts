export interface LogLine {
  at: Date;
  stream: 'stdout' | 'stderr';
  line: string;
}

/**
 * Batch of log lines. Each field has one typed array for all lines, because an object per line would need more memory.
 */
export interface LogBatch {
  count: number;
  /** Time of each log line in whole seconds since 1970 (UTC). */
  seconds: Uint32Array;
  /** Nanoseconds part of each log line's time. */
  nanos: Uint32Array;
  /** Output stream of each log line: 1 for stderr, 0 for stdout. */
  stderr: Uint8Array;
  /** Text of all log lines. A line feed ends each line. */
  text: Buffer;
  /**
   * Position in the container's log after the batch, for a later query. The format depends on the `Engine`
   * implementation.
   */
  position: string;
}

/**
 * Estimated memory of a batch in bytes without its log lines. An app that logs rarely has only one log line per batch.
 */
const BATCH_BYTES = 1024;
/**
 * Number of bytes that a log line needs in memory besides its text: 4 for the seconds, 4 for the nanoseconds, 1 for the
 * stream.
 */
const LINE_BYTES = 9;

/**
 * Returns how many bytes a batch of log lines needs in memory. Queues of log lines use this number, because their size
 * is limited.
 */
export function bytesHeld({ text, count }: { text: { length: number }; count: number }): number {
  return BATCH_BYTES + text.length + LINE_BYTES * count;
}

export interface LogBatchQuery {
  /**
   * Log position of an earlier batch. The result starts after this position. `null` means all lines that Docker still
   * has.
   */
  after: string | null;
  /** `true` to wait for new log lines until the container exits. */
  follow: boolean;
  /** An abort ends the iteration. */
  signal: AbortSignal;
}

export interface EngineLogs {
  /**
   * Returns the last `count` log lines of a container, oldest first. Returns no lines if the container does not exist.
   */
  lastLines(id: string, count: number): Promise<LogLine[]>;
  /**
   * Yields a container's log lines in batches, in Docker's order. No line is lost or repeated after a position. Yields
   * nothing if the container does not exist.
   */
  logBatches(id: string, query: LogBatchQuery): AsyncIterable<LogBatch>;
}
