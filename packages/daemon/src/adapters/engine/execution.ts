/** Program to run inside a running container, for example to back up, restore or query a database. */

export interface Program {
  /** Path of the program and its arguments. All processes in the container can read the arguments. */
  command: string[];
  /**
   * Additional environment variables. Other processes of the same user can read the variables. For secrets, use
   * `stdin`, a file or a separate container user.
   */
  env?: Record<string, string>;
  /** Name or number of a Unix user in the container, for example `postgres`. Default: the user of the image. */
  user?: string;
}

export interface ExecutionInput {
  /**
   * Input of the program. If reading the input fails, the program is killed and `exited` rejects. The memory of each
   * read chunk is freed, so the caller must not use the chunk again.
   */
  stdin?: AsyncIterable<Uint8Array>;
  /** Called with each chunk of the program's stderr. The program waits until a returned promise resolves. */
  onStderr?: (bytes: Buffer) => Promise<void> | undefined;
  signal: AbortSignal;
}

/** A running or ended program that `execute` started inside a container. */
export interface Execution {
  /**
   * Output of the program, readable once. The program waits for a slow reader. If reading stops early, the program is
   * ended. Reading throws the error of `exited`.
   */
  stdout: AsyncIterable<Buffer>;
  /**
   * Resolves after the end of the program and its output. Rejects with the abort reason, the error of `stdin`, or
   * EngineUnavailable (the program may still run).
   */
  exited: Promise<ExecutionEnd>;
}

export interface ExecutionEnd {
  exitCode: number;
  /** Last 16 KiB of the program's stderr. */
  stderrTail: string;
}

export const STDERR_TAIL_BYTES = 16 * 1024;

/** Collects the last 16 KiB of a program's stderr. Older bytes are dropped to limit memory use. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < 4 * STDERR_TAIL_BYTES) return;
    // `Buffer.from` makes a copy, because a slice would keep the memory of the whole concatenated buffer.
    const kept = Buffer.from(Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES));
    this.#chunks = [kept];
    this.#bytes = kept.length;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).subarray(-STDERR_TAIL_BYTES).toString('utf8');
  }
}
