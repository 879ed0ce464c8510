import type { LogEvent } from '@davit/api';
import type { LogLine } from './messages.ts';

/**
 * Maximum number of recent log lines that are kept in memory for each app. A browser tab that opens the log later
 * receives these lines first.
 */
const KEPT_LINES = 500;

/** App whose log is shown live in at least one tab of the browser. */
export class Followed {
  readonly app: string;
  /** Sequence number of the last received log event of the app, or `null` before the first event. */
  #position: number | null = null;
  #newest: LogLine[] = [];
  /**
   * Whether the server has refused to send the log of the app. The log is requested again only when a browser tab opens
   * it again.
   */
  isOver = false;

  constructor(app: string) {
    this.app = app;
  }

  /**
   * Value that requests the log of this app as part of the event stream. For example, `shop/production/web@17` requests
   * the log lines after the log event with number 17.
   */
  get asked(): string {
    return this.#position === null ? this.app : `${this.app}@${this.#position}`;
  }

  /** Recent log lines of the app, or `null` before the first log event. */
  get newest(): LogLine[] | null {
    return this.#position === null ? null : this.#newest;
  }

  take({ seq, lines }: LogEvent): void {
    this.#position = seq;
    this.#newest =
      lines.length >= KEPT_LINES ? lines.slice(-KEPT_LINES) : [...this.#newest, ...lines].slice(-KEPT_LINES);
  }

  /**
   * Deletes the log position and the recent log lines, because the server will send the newest lines of the log again.
   */
  begin(): void {
    this.#position = null;
    this.#newest = [];
  }
}
