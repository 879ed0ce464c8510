import type { LogEvent } from '@davit/api';
import type { LogLine } from './messages.ts';

/** Maximum number of recent log lines in memory, for tabs that follow the same app later. */
const KEPT_LINES = 500;

/** App whose log is followed by at least one tab of the browser. */
export class Followed {
  readonly app: string;
  /** Sequence number of the last received log event, or `null` before the first one. */
  #position: number | null = null;
  #newest: LogLine[] = [];
  /**
   * Whether the log stream has ended because the server refused the app. The app is requested again only for a new
   * follower.
   */
  isOver = false;

  constructor(app: string) {
    this.app = app;
  }

  /**
   * Reference of the app in the request. With a position, as in `shop/production/web@17`, the server continues after
   * that log event.
   */
  get asked(): string {
    return this.#position === null ? this.app : `${this.app}@${this.#position}`;
  }

  /** Recent log lines, or `null` before the first lines have arrived. */
  get newest(): LogLine[] | null {
    return this.#position === null ? null : this.#newest;
  }

  take({ seq, lines }: LogEvent): void {
    this.#position = seq;
    this.#newest =
      lines.length >= KEPT_LINES ? lines.slice(-KEPT_LINES) : [...this.#newest, ...lines].slice(-KEPT_LINES);
  }

  /** Discards the log position and the recent lines, because the stream starts again. */
  begin(): void {
    this.#position = null;
    this.#newest = [];
  }
}
