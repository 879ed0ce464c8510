import type { LogLine } from '../../live/live.ts';
import type { FeedParts } from './feed-parts.ts';
import type { LogBuffer } from './log-buffer.ts';
import { isOpen } from './log-filter.ts';
import { Overlap } from './overlap.ts';
import { rightAfter } from './period.ts';

/**
 * State of loading older log lines. `waiting` means that no log line was received yet. `end` means that no older log
 * lines exist. `full` means that the memory limit is reached.
 */
export type OlderState = 'waiting' | 'idle' | 'loading' | 'end' | 'full' | 'failed';

const PAGE = 500;
const MOST = 10_000;
/**
 * Minimum number of loaded log lines that are compared with older lines, to find lines that the server sends again. One
 * log line is not enough, because the lines of several replicas are not sorted exactly by time.
 */
const COMPARED = 1_000;

/** Loads log lines that are older than the loaded lines. */
export class OlderLines {
  state: OlderState;
  error: Error | null = null;
  /** Whether the server has no stored log lines of the app. */
  isEmpty = false;
  readonly #buffer: LogBuffer;
  readonly #parts: FeedParts;
  readonly #onLoaded: (lines: readonly LogLine[]) => void;
  /**
   * First log line that the live log has sent, or `null` if the live log has sent no line yet. Older log lines must be
   * loaded with separate requests.
   */
  #firstLive: LogLine | null = null;
  #isOver = false;

  constructor(buffer: LogBuffer, parts: FeedParts, onLoaded: (lines: readonly LogLine[]) => void) {
    this.#buffer = buffer;
    this.#parts = parts;
    this.#onLoaded = onLoaded;
    this.state = parts.follow === null ? 'idle' : 'waiting';
  }

  end(): void {
    this.#isOver = true;
  }

  /**
   * Stores the first line of the live log. Log lines that are older than this line are loaded with separate requests.
   */
  heard(lines: readonly LogLine[]): void {
    const [first] = lines;
    if (this.#firstLive !== null || first === undefined) return;
    this.#firstLive = first;
    this.isEmpty = false;
    if (this.state === 'waiting' || this.state === 'end') this.state = 'idle';
  }

  /** Requests whether the server has stored log lines of the app. */
  async probe(): Promise<void> {
    try {
      const { lines } = await this.#parts.read({ since: null, until: null }, 1);
      if (this.#isOver || this.#firstLive !== null || this.state !== 'waiting' || lines.length > 0) return;
      this.isEmpty = isOpen(this.#parts.filter);
      this.state = 'end';
      this.#onLoaded([]);
    } catch (error) {
      // If live log lines have already arrived, ignore the error, because this request is not needed any more.
      if (!this.#isOver && this.state === 'waiting') this.#fail(error);
    }
  }

  /** Loads a page of older log lines. Does nothing unless the state is `idle` or `failed`. */
  async load(): Promise<void> {
    if (this.state !== 'idle' && this.state !== 'failed') return;
    const before = this.#before();
    this.state = 'loading';
    this.error = null;
    this.#onLoaded([]);
    try {
      const limit = Math.min(MOST, PAGE + before.known);
      const { lines, more } = await this.#parts.read(before.period, limit);
      if (this.#isOver) return;
      const known = new Overlap(this.#buffer.all.slice(0, Math.max(COMPARED, before.known)));
      const fresh = lines.filter((line) => !known.takes(line));
      this.#buffer.prepend(fresh);
      this.state = !more ? 'end' : this.#buffer.isFull ? 'full' : 'idle';
      this.isEmpty = this.#buffer.all.length === 0 && !more && isOpen(this.#parts.filter);
      this.#onLoaded(fresh);
    } catch (error) {
      if (!this.#isOver) this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.state = 'failed';
    this.error = error instanceof Error ? error : new Error(String(error));
    this.#onLoaded([]);
  }

  /**
   * Returns the period for the next request of older log lines. The period includes the time of the oldest loaded line,
   * because more lines can have exactly this time.
   */
  #before() {
    const { period } = this.#parts;
    const first = this.#buffer.all.first() ?? null;
    const firstLive = this.#firstLive;
    /*
     * A filter may have removed the first line of the live log. If all log lines in memory are newer, use the time of
     * this first line.
     */
    const at = first === null || (firstLive !== null && firstLive.at < first.at) ? (firstLive?.at ?? null) : first.at;
    if (at === null) return { period, known: 0 };
    // The server also sends the loaded lines with exactly this time again. `known` is the number of these lines.
    return { period: { since: period.since, until: rightAfter(at) }, known: this.#countAt(at) };
  }

  #countAt(at: string): number {
    const { all } = this.#buffer;
    let count = 0;
    while (all.at(count)?.at === at) count += 1;
    return count;
  }
}
