/**
 * An interactive program with a terminal inside a container. Disposing the terminal ends the program and all processes
 * of the terminal. Processes with their own session (`setsid`) continue.
 */
export interface Terminal extends AsyncDisposable {
  /** Output of the program, with backpressure. The iteration ends with the program. */
  output: AsyncIterable<Buffer>;
  /** Resolves when the bytes were accepted. Bytes for a program that has ended are discarded. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /** Resolves with the exit code when the program has ended, or with `null` if the engine has no exit code. */
  exited: Promise<number | null>;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}
