import type { LogEvent } from '@davit/api';
import type { LogLine } from './messages.ts';

/** Maximum number of newest lines that are kept for tabs that follow the app later. */
const KEPT_LINES = 500;

/** An app whose log at least one tab follows. */
export class Followed {
  readonly app: string;
  /** Number of the last line that arrived, or `null` if no line has arrived. */
  #position: number | null = null;
  #newest: LogLine[] = [];
  /** Whether the app was refused or has ended. The app is requested again only after a tab follows it again. */
  isOver = false;

  constructor(app: string) {
    this.app = app;
  }

  /** Reference of the app as the request names it, with the position after which the lines continue. */
  get asked(): string {
    return this.#position === null ? this.app : `${this.app}@${this.#position}`;
  }

  /** Newest lines that arrived, or `null` while the first lines are pending. */
  get newest(): LogLine[] | null {
    return this.#position === null ? null : this.#newest;
  }

  take({ seq, lines }: LogEvent): void {
    this.#position = seq;
    this.#newest =
      lines.length >= KEPT_LINES ? lines.slice(-KEPT_LINES) : [...this.#newest, ...lines].slice(-KEPT_LINES);
  }

  /** Forgets the position and the lines, because the next lines do not continue the previous lines. */
  begin(): void {
    this.#position = null;
    this.#newest = [];
  }
}
