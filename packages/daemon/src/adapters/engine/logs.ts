export interface LogLine {
  at: Date;
  stream: 'stdout' | 'stderr';
  line: string;
}

/**
 * Batch of log lines. Each field is one typed array for all lines, because one object per line would need more memory.
 */
export interface LogBatch {
  count: number;
  /** Time of each log line in whole seconds since 1970 (UTC). */
  seconds: Uint32Array;
  /** Fraction of a second in nanoseconds, for the timestamp of each log line. */
  nanos: Uint32Array;
  /** Output stream of each log line: 0 for stdout, 1 for stderr. */
  stderr: Uint8Array;
  /** Text of all log lines. Each line ends with a line feed. */
  text: Buffer;
  /**
   * Position in the container's log at the end of the batch. A later query can continue from this position. The format
   * depends on the `Engine` implementation.
   */
  position: string;
}

/**
 * Estimated memory in bytes of a batch, without its log lines. The value matters for apps that rarely log, because
 * their batches contain only one line.
 */
const BATCH_BYTES = 1024;
/**
 * Memory in bytes of a log line, without its text. A line needs 4 bytes for seconds, 4 for nanoseconds and 1 for the
 * stream.
 */
const LINE_BYTES = 9;

/** Returns the memory use of a batch of log lines in bytes. Queues of log lines use the value to limit their size. */
export function bytesHeld({ text, count }: { text: { length: number }; count: number }): number {
  return BATCH_BYTES + text.length + LINE_BYTES * count;
}

export interface LogBatchQuery {
  /**
   * Log position of an earlier batch. The query returns only log lines after this position. `null` means all log lines
   * that Docker still has.
   */
  after: string | null;
  /** `true` to wait for new log lines until the container exits. */
  follow: boolean;
  /** Abort signal that ends the iteration. */
  signal: AbortSignal;
}

export interface EngineLogs {
  /**
   * Returns the last `count` log lines of a container, oldest first. If the container does not exist, the result is
   * empty.
   */
  lastLines(id: string, count: number): Promise<LogLine[]>;
  /**
   * Yields the log lines of a container in batches, in Docker's order. A query after a position never loses or repeats
   * lines. If the container does not exist, there are no batches.
   */
  logBatches(id: string, query: LogBatchQuery): AsyncIterable<LogBatch>;
}
