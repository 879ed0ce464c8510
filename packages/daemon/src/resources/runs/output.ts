import type { LogLine } from '../../adapters/engine/logs.ts';
import { ONE_OFF_OUTPUT_BYTES, type TakeLine } from '../../adapters/engine/one-off.ts';

/** Last part of a command's output. If the command is aborted, Davit saves this part as the output of the run. */
export class OutputTail {
  #lines: Buffer[] = [];
  #bytes = 0;
  /**
   * Number of output lines that were already passed to `next`. After an error, the output is read again from the start,
   * and this number of lines is skipped.
   */
  #forwarded = 0;

  /**
   * Returns a function that receives the output of a command from the first line. It skips lines that were already
   * passed to `next`.
   * @param next receives each new line
   */
  from(next: TakeLine | undefined): TakeLine {
    let seen = 0;
    return (line) => {
      seen += 1;
      if (seen <= this.#forwarded) return;
      this.#forwarded = seen;
      this.#keep(line);
      return next?.(line);
    };
  }

  text(): string {
    return Buffer.concat(this.#lines).subarray(-ONE_OFF_OUTPUT_BYTES).toString();
  }

  #keep({ line }: LogLine): void {
    const bytes = Buffer.from(`${line}\n`);
    this.#lines.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes <= 2 * ONE_OFF_OUTPUT_BYTES) return;
    this.#lines = [Buffer.concat(this.#lines).subarray(-ONE_OFF_OUTPUT_BYTES)];
    this.#bytes = this.#lines[0]?.length ?? 0;
  }
}
