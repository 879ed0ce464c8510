import type { Position } from '../document.ts';

/** Converts positions in a text to lines and columns. If the positions are ascending, the text is read only once. */
export class Positions {
  readonly #text: string;
  #offset = 0;
  #line = 1;
  #column = 1;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): Position & { column: number } {
    if (offset < this.#offset) this.#startOver(offset);
    const end = Math.min(offset, this.#text.length);
    while (this.#offset < end) this.#step();
    return { line: this.#line, column: this.#column };
  }

  #startOver(offset: number): void {
    const behind = this.#offset - offset;
    // If the new position is in the same line, only the column is corrected. The text is not read again.
    if (behind < this.#column && !this.#text.slice(offset, this.#offset).includes('\n')) {
      this.#column -= countCodePoints(this.#text, offset, this.#offset);
      this.#offset = offset;
      return;
    }
    this.#offset = 0;
    this.#line = 1;
    this.#column = 1;
  }

  #step(): void {
    const unit = this.#text.charCodeAt(this.#offset);
    this.#offset += 1;
    if (unit === 0x0a) {
      this.#line += 1;
      this.#column = 1;
    } else if (unit < 0xdc00 || unit > 0xdfff) {
      this.#column += 1;
    }
  }
}

function countCodePoints(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}
