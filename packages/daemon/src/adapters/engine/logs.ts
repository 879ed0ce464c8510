export interface LogLine {
  at: Date;
  stream: 'stdout' | 'stderr';
  line: string;
}

/** Many lines at once, in columns: for whoever keeps everything, without an object a line. */
export interface LogBatch {
  count: number;
  /** When each line was written: seconds since 1970 … */
  seconds: Uint32Array;
  /** … and nanoseconds after that. */
  nanos: Uint32Array;
  /** 1: stderr, 0: stdout. */
  stderr: Uint8Array;
  /** The lines as written, each ended by a line feed. */
  text: Buffer;
  /** Where the batch ends, to go on from: what it says is the adapter's own. */
  position: string;
}

/** Memory of a batch besides its lines: for an app that logs steadily, an engine returns lines one by one. */
const BATCH_BYTES = 1024;
/** Bytes of a line besides its text: its time and its stream. */
const LINE_BYTES = 9;

/** Memory of a batch in bytes. Queues of batches count these bytes against their limit. */
export function bytesHeld({ text, count }: { text: { length: number }; count: number }): number {
  return BATCH_BYTES + text.length + LINE_BYTES * count;
}

export interface LogBatchQuery {
  /** Only what comes after the batch that had this position; null: everything that the engine still has. */
  after: string | null;
  /** Go on with what is written until the end of the instance's run. */
  follow: boolean;
  signal: AbortSignal;
}

/** What instances wrote. */
export interface EngineLogs {
  /** The last so many lines that an instance wrote, oldest first; none of one that is gone. */
  lastLines(id: string, count: number): Promise<LogLine[]>;
  /**
   * Lines in the order in which the engine has them, none left out and none twice however often it is gone on from a
   * position. One that is gone yields none; an abort ends the iteration.
   */
  logBatches(id: string, query: LogBatchQuery): AsyncIterable<LogBatch>;
}
