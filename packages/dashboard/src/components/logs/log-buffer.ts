/** The lines that a page holds: the newest, within bounds, and of these the ones whose level is asked for. */
import type { LogLine } from '../../live/live.ts';
import { Deque } from './deque.ts';
import { type Level, levelOf } from './level.ts';

/** A line with its place: ids grow from older to newer, and what is loaded later at the top has lower ones. */
export interface Entry extends LogLine {
  readonly id: number;
  readonly level: Level;
  /** It is no line: it says that lines are missing here. */
  readonly isGap?: true;
}

export interface Bounds {
  lines: number;
  characters: number;
}

/** While one reads further up, twice as many are held, so that what is read is not taken away at once. */
export const BOUNDS: Bounds = { lines: 50_000, characters: 24_000_000 };

export class LogBuffer {
  readonly #all = new Deque<Entry>();
  #shown = this.#all;
  #levels: ReadonlySet<Level> | null = null;
  #characters = 0;
  #newest = 0;
  #oldest = 0;
  readonly #bounds: Bounds;
  /** How many lines were let go of. */
  letGo = 0;

  constructor(bounds: Bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /** All that is held. */
  get all(): Pick<Deque<Entry>, 'length' | 'at' | 'first' | 'last' | 'slice'> {
    return this.#all;
  }

  /** What is shown of it. */
  get shown(): Pick<Deque<Entry>, 'length' | 'at' | 'first' | 'last' | 'slice' | 'partition'> {
    return this.#shown;
  }

  /** No more fits at the top. */
  get isFull(): boolean {
    return this.#all.length >= this.#bounds.lines * 2 || this.#characters >= this.#bounds.characters * 2;
  }

  append(line: LogLine): void {
    this.#add({ ...line, id: ++this.#newest, level: levelOf(line.line, line.stream) });
  }

  /** Says that lines are missing between what is there and what comes next. */
  appendGap(at: string): void {
    if (this.#all.length === 0) return;
    this.#add({ instance: '', stream: 'stdout', line: '', at, id: ++this.#newest, level: 'other', isGap: true });
  }

  #add(entry: Entry): void {
    this.#all.push(entry);
    this.#characters += entry.line.length;
    if (this.#shown !== this.#all && this.#passes(entry)) this.#shown.push(entry);
  }

  /** Puts older lines before those that are there. @param lines oldest first */
  prepend(lines: readonly LogLine[]): void {
    const first = this.#oldest - lines.length;
    const entries = lines.map((line, place) => ({
      ...line,
      id: first + place,
      level: levelOf(line.line, line.stream),
    }));
    this.#oldest = first;
    this.#all.prepend(entries);
    for (const { line } of entries) this.#characters += line.length;
    if (this.#shown !== this.#all) this.#shown.prepend(entries.filter((entry) => this.#passes(entry)));
  }

  /** Lets go of the oldest lines beyond the bounds. @param isHeld somebody reads further up */
  trim(isHeld: boolean): void {
    const factor = isHeld ? 2 : 1;
    let count = Math.max(0, this.#all.length - this.#bounds.lines * factor);
    let characters = this.#characters;
    for (let at = 0; at < count; at += 1) characters -= this.#all.at(at)?.line.length ?? 0;
    // The newest line stays, however long it is.
    while (characters > this.#bounds.characters * factor && count < this.#all.length - 1) {
      characters -= this.#all.at(count)?.line.length ?? 0;
      count += 1;
    }
    if (count === 0) return;
    this.#characters = characters;
    this.#all.drop(count);
    this.letGo += count;
    const oldest = this.#all.first()?.id ?? Number.POSITIVE_INFINITY;
    if (this.#shown !== this.#all) this.#shown.drop(this.#shown.partition(({ id }) => id >= oldest));
  }

  /** Shows only lines of these levels. @param levels null: all */
  showLevels(levels: ReadonlySet<Level> | null): void {
    this.#levels = levels;
    if (levels === null) {
      this.#shown = this.#all;
      return;
    }
    this.#shown = new Deque();
    this.#shown.prepend(this.#all.slice(0, this.#all.length).filter((entry) => this.#passes(entry)));
  }

  #passes({ level, isGap }: Entry): boolean {
    return isGap === true || this.#levels === null || this.#levels.has(level);
  }
}
