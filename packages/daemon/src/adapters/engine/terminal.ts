/**
 * A terminal session with an interactive program inside a container. Disposing the terminal ends the program and all
 * processes of the terminal. Processes that started a new session with `setsid` continue.
 */
export interface Terminal extends AsyncDisposable {
  /**
   * Output of the program in the terminal. If the reader is slow, the program waits. The iteration ends when the
   * program exits.
   */
  output: AsyncIterable<Buffer>;
  /**
   * Sends input to the program in the terminal. Resolves when Docker accepted the bytes. Input for a program that has
   * ended is discarded.
   */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /**
   * Resolves with the exit code when the program in the terminal has ended. `null` means that the exit code is
   * unknown.
   */
  exited: Promise<number | null>;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}
