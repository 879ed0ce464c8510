/** Programs inside running containers, for backups, restores and queries of databases. */

export interface Program {
  /** Program and its arguments. All processes in the container can see the arguments. */
  command: string[];
  /**
   * Variables in addition to those of the container. Processes of the same user can read the variables, and processes
   * of other users cannot. Pass secrets through `stdin` or a file instead.
   */
  env?: Record<string, string>;
  /** Name or number of a user in the container, for example `postgres`. Default: the user of the image. */
  user?: string;
}

export interface ExecutionInput {
  /**
   * Input of the program. When the iteration ends, the program's stdin is closed. If the iteration throws, the program
   * is ended and `exited` rejects with the same error, so that the program cannot take incomplete input for complete
   * input. The engine owns each chunk after the iteration yielded the chunk.
   */
  stdin?: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** A started program. */
export interface Execution {
  /**
   * Output of the program, which can be read once. Unread output blocks the program. Ending the iteration early ends
   * the program. The iteration throws the error that `exited` rejects with.
   */
  stdout: AsyncIterable<Buffer>;
  /**
   * Resolves when the program has ended and its output was read. Rejects with the reason of the signal or with the
   * error that `stdin` threw. Rejects with EngineUnavailable if the connection broke: the state of the program is then
   * unknown.
   */
  exited: Promise<ExecutionEnd>;
}

export interface ExecutionEnd {
  exitCode: number;
  /** Last {@link STDERR_TAIL_BYTES} of stderr. */
  stderrTail: string;
}

export const STDERR_TAIL_BYTES = 16 * 1024;

/** Collects the last {@link STDERR_TAIL_BYTES} of a program's stderr in limited memory. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < 4 * STDERR_TAIL_BYTES) return;
    // A copy is needed: a view would keep the memory of the dropped bytes.
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES).toString('utf8');
  }
}
