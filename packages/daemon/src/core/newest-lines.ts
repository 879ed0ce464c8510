/** What an empty line still costs to hold. */
const LINE_OVERHEAD_BYTES = 64;

/** Keeps the newest lines within a number and a size; the memory it takes is bounded by that size. */
export class NewestLines {
  readonly #maxLines: number;
  readonly #maxBytes: number;
  #lines: string[] = [];
  /** Where the kept ones begin: the array is moved together only now and then. */
  #start = 0;
  #bytes = 0;
  #wereCut = false;

  constructor(maxLines: number, maxBytes: number) {
    this.#maxLines = maxLines;
    this.#maxBytes = maxBytes;
  }

  /** Lines were left out. */
  get wereCut(): boolean {
    return this.#wereCut;
  }

  get length(): number {
    return this.#lines.length - this.#start;
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#bytes += cost(line);
    while (this.length > this.#maxLines || (this.#bytes > this.#maxBytes && this.length > 0)) {
      this.#bytes -= cost(this.#lines[this.#start] ?? '');
      this.#lines[this.#start] = '';
      this.#start += 1;
      this.#wereCut = true;
    }
    if (this.#start > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#start);
      this.#start = 0;
    }
  }

  /** The lines, each with its end. */
  text(): string {
    return this.#lines
      .slice(this.#start)
      .map((line) => `${line}\n`)
      .join('');
  }
}

function cost(line: string): number {
  return Buffer.byteLength(line) + LINE_OVERHEAD_BYTES;
}
