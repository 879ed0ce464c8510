import type { LogEvent } from '@davit/api';
import type { LogLine } from './messages.ts';

/** So many of the newest lines are kept for who comes later. */
const KEPT_LINES = 500;

/** An app whose lines somebody follows. */
export class Followed {
  readonly app: string;
  /** The number of the last line that came; null: none did. */
  #position: number | null = null;
  #newest: LogLine[] = [];
  /** It was refused or has ended: it is not asked for again as long as the same ones follow it. */
  isOver = false;

  constructor(app: string) {
    this.app = app;
  }

  /** As the question names it: with the position after which it goes on. */
  get asked(): string {
    return this.#position === null ? this.app : `${this.app}@${this.#position}`;
  }

  /** The newest lines that came; null: the first ones are still on their way. */
  get newest(): LogLine[] | null {
    return this.#position === null ? null : this.#newest;
  }

  take({ seq, lines }: LogEvent): void {
    this.#position = seq;
    this.#newest =
      lines.length >= KEPT_LINES ? lines.slice(-KEPT_LINES) : [...this.#newest, ...lines].slice(-KEPT_LINES);
  }

  /** What comes next does not follow on what came. */
  begin(): void {
    this.#position = null;
    this.#newest = [];
  }
}
