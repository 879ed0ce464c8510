/** Search in what is loaded: which lines have a text, and where in a line it stands. Letter case does not count. */
import { plainOf } from './ansi.ts';
import { Deque } from './deque.ts';
import type { Entry, LogBuffer } from './log-buffer.ts';

/** A part of a text: `[from, to)`. */
export type Range = readonly [from: number, to: number];

function pattern(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

/** Where a text stands in another. */
export function rangesIn(text: string, sought: string): Range[] {
  if (sought === '') return [];
  return [...text.matchAll(pattern(sought))].map((found) => [found.index, found.index + found[0].length] as const);
}

/** Finds the lines with a text, a slice at a time, so that no frame waits for it; goes on with what comes in. */
export class Finder {
  readonly #buffer: LogBuffer;
  #sought = '';
  #pattern: RegExp | null = null;
  /** Ids of lines, oldest first. */
  #found = new Deque<number>();
  /** The id from which on nothing was looked at. */
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

  /** What is shown has changed at its beginning or within. */
  restart(): void {
    this.#found = new Deque();
    this.#next = Number.NEGATIVE_INFINITY;
  }

  /** Looks at the next lines until there is no time any more. */
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

  /** The place of a found line among all, from 1; 0: it is none. */
  placeOf(id: number | null): number {
    if (id === null) return 0;
    const at = this.#found.partition((one) => one >= id);
    return this.#found.at(at) === id ? at + 1 : 0;
  }

  /** The next found line after one, or before it, around the end; null: there is none. */
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
