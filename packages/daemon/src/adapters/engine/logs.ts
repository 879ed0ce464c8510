export interface LogLine {
  at: Date;
  stream: 'stdout' | 'stderr';
  line: string;
}

/** Many log lines in columns, for readers that store all lines. An object per line would need more memory. */
export interface LogBatch {
  count: number;
  /** Time of each line in whole seconds since 1970. */
  seconds: Uint32Array;
  /** Nanoseconds of each line within its second. */
  nanos: Uint32Array;
  /** Stream of each line: 1 for stderr, 0 for stdout. */
  stderr: Uint8Array;
  /** Text of the lines. A line feed ends each line. */
  text: Buffer;
  /** Position at the end of the batch, from which a later query can continue. Each adapter has its own format. */
  position: string;
}

/**
 * Memory of a batch in bytes without its lines. For an app that logs slowly, the engine returns lines one by one, so
 * each line needs a batch.
 */
const BATCH_BYTES = 1024;
/** Memory of a line in bytes without its text: time and stream. */
const LINE_BYTES = 9;

/** Returns the memory of a batch in bytes. Queues of batches count these bytes against their limit. */
export function bytesHeld({ text, count }: { text: { length: number }; count: number }): number {
  return BATCH_BYTES + text.length + LINE_BYTES * count;
}

export interface LogBatchQuery {
  /** Position of a batch after which the result starts, or `null` for all lines that the engine still has. */
  after: string | null;
  /** `true` to continue with new lines until the container exits. */
  follow: boolean;
  signal: AbortSignal;
}

/** Calls that read the output of containers. */
export interface EngineLogs {
  /** Returns the last `count` lines of a container, oldest first. Returns no lines if the container does not exist. */
  lastLines(id: string, count: number): Promise<LogLine[]>;
  /**
   * Yields lines in the order of the engine. No line is lost or repeated, even if readers continue from a position many
   * times. The iteration is empty if the container does not exist, and ends on abort.
   */
  logBatches(id: string, query: LogBatchQuery): AsyncIterable<LogBatch>;
}
