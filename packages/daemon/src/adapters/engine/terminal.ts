/**
 * Terminal session in a container. When the session is disposed, the program and all other processes of the terminal
 * end. Processes in a new `setsid` session keep running.
 */
export interface Terminal extends AsyncDisposable {
  /**
   * Output of the program in the terminal. If the reader is slow, the program waits. The output ends when the program
   * exits.
   */
  output: AsyncIterable<Buffer>;
  /**
   * Sends input to the program in the terminal. The promise resolves when Docker has accepted the bytes. If the program
   * has ended, the input is discarded.
   */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /**
   * Resolves with the exit code when the program in the terminal has ended. `null` means that the exit code is unknown.
   */
  exited: Promise<number | null>;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}
