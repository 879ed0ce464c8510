/**
 * Returns lines of a text by line number, in ascending order. The text may be large, so it is read only once and not
 * split into an array.
 */
export class SourceLines {
  readonly #text: string;
  #number = 1;
  #start = 0;

  constructor(text: string) {
    const own = text.startsWith('\ufeff') ? text.slice(1) : text;
    this.#text = own.includes('\r') ? own.replace(/\r(?!\n)/g, '\n') : own;
  }

  /**
   * Returns one line without its line break (LF, CR LF or CR).
   * @param number line number. The first line is 1. The number must not be lower than in the previous call
   * @returns `null` after the last line
   */
  at(number: number): string | null {
    while (this.#number < number) {
      const end = this.#text.indexOf('\n', this.#start);
      if (end < 0) return null;
      this.#start = end + 1;
      this.#number++;
    }
    const end = this.#text.indexOf('\n', this.#start);
    const line = this.#text.slice(this.#start, end < 0 ? undefined : end);
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
