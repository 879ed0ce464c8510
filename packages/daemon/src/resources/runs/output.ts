import type { LogLine } from '../../adapters/engine/logs.ts';
import { ONE_OFF_OUTPUT_BYTES, type TakeLine } from '../../adapters/engine/one-off.ts';

/** The last of what a command has written so far: all there is of one that is ended from outside. */
export class OutputTail {
  #lines: Buffer[] = [];
  #bytes = 0;
  /** Lines told so far, over all attempts. */
  #told = 0;

  /**
   * Takes the lines of an attempt, which begin with those that an attempt before has told: those are left out.
   * @param next gets each line that is new
   */
  from(next: TakeLine | undefined): TakeLine {
    let seen = 0;
    return (line) => {
      seen += 1;
      if (seen <= this.#told) return;
      this.#told = seen;
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
