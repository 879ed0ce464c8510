/** A program that runs inside a running container, for example for backups, restores and queries of databases. */

export interface Program {
  /** Path of the program and its arguments. All processes in the container can read the arguments. */
  command: string[];
  /**
   * Environment variables of the program in addition to those of the container. Processes of the same user can read the
   * variables, so pass secrets through `stdin` or a file.
   */
  env?: Record<string, string>;
  /** Name or number of a Unix user in the container, for example `postgres`. Default: the user of the image. */
  user?: string;
}

export interface ExecutionInput {
  /**
   * Input of the program. When the iteration ends, the program's stdin is closed. If the iteration throws, the
   * program is killed and `exited` rejects with the same error. In this case, stdin is not closed, because the
   * program would treat incomplete input as complete. Each chunk is freed after use, so the caller must not use a
   * chunk after yielding it.
   */
  stdin?: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** A running or ended program that `execute` started inside a container. */
export interface Execution {
  /**
   * Output of the program, which can be read once. The program waits while its output is not read. Ending the iteration
   * early ends the program. If `exited` rejects, the iteration throws the same error.
   */
  stdout: AsyncIterable<Buffer>;
  /**
   * Resolves when the program has ended and its output was read. Rejects with the signal's abort reason or with the
   * error that `stdin` threw. Rejects with EngineUnavailable if the connection broke. In that case the program may
   * still run.
   */
  exited: Promise<ExecutionEnd>;
}

export interface ExecutionEnd {
  exitCode: number;
  /** Last 16 KiB of the program's stderr. */
  stderrTail: string;
}

export const STDERR_TAIL_BYTES = 16 * 1024;

/** Collects the last 16 KiB of a program's stderr. Older bytes are dropped to limit the memory. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < 4 * STDERR_TAIL_BYTES) return;
    // `Buffer.from` copies the kept bytes, because a view would also keep the memory of the dropped bytes.
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES).toString('utf8');
  }
}
