/** Keeps the newest log lines in memory, up to a limit. Can filter the log lines by severity level. */
import type { LogLine } from '../../live/live.ts';
import { Deque } from './deque.ts';
import { type Level, levelOf } from './level.ts';

/**
 * Log line with an id. A newer log line has a higher id. If older log lines are loaded later, they get ids below all
 * existing ids.
 */
export interface Entry extends LogLine {
  readonly id: number;
  readonly level: Level;
  /** Whether this entry is not a log line, but a marker at a position where log lines are missing. */
  readonly isGap?: true;
}

export interface Bounds {
  lines: number;
  characters: number;
}

/**
 * Default maximum number of log lines and characters in memory. While the user has scrolled up, both limits are
 * doubled, so that visible lines stay in memory.
 */
export const BOUNDS: Bounds = { lines: 50_000, characters: 24_000_000 };

export class LogBuffer {
  readonly #all = new Deque<Entry>();
  #shown = this.#all;
  #levels: ReadonlySet<Level> | null = null;
  #characters = 0;
  #newest = 0;
  #oldest = 0;
  readonly #bounds: Bounds;
  /** Number of log lines that were removed from memory. */
  letGo = 0;

  constructor(bounds: Bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  get all(): Pick<Deque<Entry>, 'length' | 'at' | 'first' | 'last' | 'slice'> {
    return this.#all;
  }

  /** Log lines with one of the selected severity levels. */
  get shown(): Pick<Deque<Entry>, 'length' | 'at' | 'first' | 'last' | 'slice' | 'partition'> {
    return this.#shown;
  }

  /** Whether the memory limit is reached, so that no older log lines can be added. */
  get isFull(): boolean {
    return this.#all.length >= this.#bounds.lines * 2 || this.#characters >= this.#bounds.characters * 2;
  }

  append(line: LogLine): void {
    this.#add({ ...line, id: ++this.#newest, level: levelOf(line.line) });
  }

  /** Adds a marker after the last log line. The marker shows that log lines are missing at this position. */
  appendGap(at: string): void {
    if (this.#all.length === 0) return;
    this.#add({ replica: '', stream: 'stdout', line: '', at, id: ++this.#newest, level: 'other', isGap: true });
  }

  #add(entry: Entry): void {
    this.#all.push(entry);
    this.#characters += entry.line.length;
    if (this.#shown !== this.#all && this.#passes(entry)) this.#shown.push(entry);
  }

  /**
   * Inserts older log lines before the existing log lines.
   * @param lines log lines, oldest first
   */
  prepend(lines: readonly LogLine[]): void {
    const first = this.#oldest - lines.length;
    const entries = lines.map((line, index) => ({
      ...line,
      id: first + index,
      level: levelOf(line.line),
    }));
    this.#oldest = first;
    this.#all.prepend(entries);
    for (const { line } of entries) this.#characters += line.length;
    if (this.#shown !== this.#all) this.#shown.prepend(entries.filter((entry) => this.#passes(entry)));
  }

  /**
   * Removes the oldest log lines until the numbers of lines and characters are within the limits.
   * @param isHeld whether the user has scrolled up; both limits are then twice as high
   */
  trim(isHeld: boolean): void {
    const factor = isHeld ? 2 : 1;
    let count = Math.max(0, this.#all.length - this.#bounds.lines * factor);
    let characters = this.#characters;
    for (let at = 0; at < count; at += 1) characters -= this.#all.at(at)?.line.length ?? 0;
    // Keep at least the newest log line, even if this line alone has more characters than the limit.
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

  /**
   * Selects which log lines are shown by severity level.
   * @param levels `null` shows all levels
   */
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
