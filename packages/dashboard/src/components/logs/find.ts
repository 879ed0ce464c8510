/** Searches the loaded log lines for a text. The search ignores case. */
import { plainOf } from './ansi.ts';
import { Deque } from './deque.ts';
import type { Entry, LogBuffer } from './log-buffer.ts';

/** Range of characters in a text. The range includes the character at `from`, but not the character at `to`. */
export type Range = readonly [from: number, to: number];

function pattern(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/** Returns all ranges of a text that match the search text. The comparison ignores case. */
export function rangesIn(text: string, sought: string): Range[] {
  if (sought === '') return [];
  return [...text.matchAll(pattern(sought))].map((found) => [found.index, found.index + found[0].length] as const);
}

/**
 * Searches the loaded log lines in steps of a few milliseconds, so that scrolling stays smooth. New log lines are
 * searched as soon as they arrive.
 */
export class Finder {
  readonly #buffer: LogBuffer;
  #sought = '';
  #pattern: RegExp | null = null;
  /** Ids of the log lines that match the search text, oldest line first. */
  #found = new Deque<number>();
  /** Id of the oldest log line that has not been searched yet. */
  #next = Number.NEGATIVE_INFINITY;

  constructor(buffer: LogBuffer) {
    this.#buffer = buffer;
  }

  get sought(): string {
    return this.#sought;
  }

  get count(): number {
    return this.#found.length;
  }

  get isDone(): boolean {
    return this.#pattern === null || (this.#buffer.shown.last()?.id ?? Number.NEGATIVE_INFINITY) < this.#next;
  }

  seek(sought: string): void {
    this.#sought = sought;
    this.#pattern = sought === '' ? null : pattern(sought);
    this.restart();
  }

  /**
   * Starts the search again at the first log line. Call this method if lines were added or removed in the part of the
   * log that was already searched.
   */
  restart(): void {
    this.#found = new Deque();
    this.#next = Number.NEGATIVE_INFINITY;
  }

  /**
   * Searches more log lines until `hasTime` returns `false`, so that the page does not freeze. The next call continues
   * at the first log line that was not searched yet.
   */
  look(hasTime: () => boolean): void {
    const { shown } = this.#buffer;
    const oldest = shown.first()?.id ?? 0;
    this.#found.drop(this.#found.partition((id) => id >= oldest));
    if (this.#pattern === null || this.isDone) return;
    for (let at = shown.partition(({ id }) => id >= this.#next); at < shown.length; at += 1) {
      const entry = shown.at(at);
      if (entry === undefined || (at % 100 === 99 && !hasTime())) return;
      this.#next = entry.id + 1;
      if (this.#has(entry)) this.#found.push(entry.id);
    }
  }

  #has({ line, isGap }: Entry): boolean {
    if (isGap || this.#pattern === null) return false;
    this.#pattern.lastIndex = 0;
    return this.#pattern.test(line.includes('\u001b') ? plainOf(line) : line);
  }

  /**
   * Returns the position of a log line in the list of matching lines, starting at 1. Returns 0 if the log line does not
   * match the search text.
   */
  placeOf(id: number | null): number {
    if (id === null) return 0;
    const at = this.#found.partition((one) => one >= id);
    return this.#found.at(at) === id ? at + 1 : 0;
  }

  /**
   * Returns the id of the next or previous log line that matches the search text. After the last matching line, the
   * search continues with the first one. Returns `null` if no line matches.
   */
  step(from: number | null, direction: 1 | -1): number | null {
    const { length } = this.#found;
    if (length === 0) return null;
    if (from === null) return (direction === 1 ? this.#found.first() : this.#found.last()) ?? null;
    const after = this.#found.partition((id) => id > from);
    const before = this.#found.partition((id) => id >= from) - 1;
    const at = direction === 1 ? after % length : (before + length) % length;
    return this.#found.at(at) ?? null;
  }
}
