/**
 * An interactive program inside an instance, with a terminal of its own. Disposing it ends the program and all that was
 * started from its terminal; what went into a session of its own (`setsid`) stays.
 */
export interface Terminal extends AsyncDisposable {
  /** What it writes, read as fast as it is taken; ends with the program. */
  output: AsyncIterable<Buffer>;
  /** Resolves when the bytes were taken; those for a program that has ended are nobody's. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /** Resolves when the program has ended; null when the engine does not know how. */
  exited: Promise<number | null>;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}
