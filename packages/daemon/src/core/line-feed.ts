import type { LogLine } from '../engine/logs.ts';

/** What may wait for the reader before the writer has to: lines, and their characters. */
const MOST_LINES = 1_000;
const MOST_CHARACTERS = 256 * 1024;

/** Hands lines from who writes them to one reader, many at a time; a reader that is slow holds the writer up. */
export class LineFeed {
  #lines: LogLine[] = [];
  #characters = 0;
  #ended = false;
  #taken: (() => void) | null = null;
  #wake: () => void = () => undefined;

  /** Resolves when there is room for the next one. Nothing is kept once it has ended. */
  push(line: LogLine): void | Promise<void> {
    if (this.#ended) return;
    this.#lines.push(line);
    this.#characters += line.line.length;
    this.#wake();
    if (this.#lines.length < MOST_LINES && this.#characters < MOST_CHARACTERS) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = resolve;
    return promise;
  }

  /** There is nothing more to come, or nobody to read it. */
  end(): void {
    this.#ended = true;
    this.#taken?.();
    this.#wake();
  }

  /** The lines since the last call, waiting for them; null at the end. */
  async next(): Promise<LogLine[] | null> {
    if (this.#lines.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const lines = this.#lines;
    this.#lines = [];
    this.#characters = 0;
    this.#taken?.();
    this.#taken = null;
    return lines.length === 0 ? null : lines;
  }
}
