import type { LogLine } from '../../live/live.ts';
import type { FeedParts } from './feed-parts.ts';
import type { LogBuffer } from './log-buffer.ts';
import { isOpen } from './log-filter.ts';
import { Overlap } from './overlap.ts';
import { rightAfter } from './period.ts';

/** `waiting`: nothing was heard yet. `end`: there are no older ones. `full`: the page holds as many as it can. */
export type OlderState = 'waiting' | 'idle' | 'loading' | 'end' | 'full' | 'failed';

const PAGE = 500;
const MOST = 10_000;
/** Lines of several instances come in nearly, but not quite, in the order of their times: at least so many are compared. */
const COMPARED = 1_000;

/** Loads what was written before the lines that are there. */
export class OlderLines {
  state: OlderState;
  error: Error | null = null;
  /** The app has written nothing that is kept. */
  isEmpty = false;
  readonly #buffer: LogBuffer;
  readonly #parts: FeedParts;
  readonly #onLoaded: (lines: readonly LogLine[]) => void;
  /** The first of all lines that were heard: what came before it was not. */
  #heardFrom: LogLine | null = null;
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

  /** Lines that came in: from the first of them on there is nothing to be read. */
  heard(lines: readonly LogLine[]): void {
    const [first] = lines;
    if (this.#heardFrom !== null || first === undefined) return;
    this.#heardFrom = first;
    this.isEmpty = false;
    if (this.state === 'waiting' || this.state === 'end') this.state = 'idle';
  }

  /** Looks whether there is anything to wait for. */
  async probe(): Promise<void> {
    try {
      const { lines } = await this.#parts.read({ since: null, until: null }, 1);
      if (this.#isOver || this.#heardFrom !== null || this.state !== 'waiting' || lines.length > 0) return;
      this.isEmpty = isOpen(this.#parts.filter);
      this.state = 'end';
      this.#onLoaded([]);
    } catch (error) {
      // Following says by itself that it is away, and goes on when the instance is back.
      if (!this.#isOver && this.state === 'waiting') this.#fail(error);
    }
  }

  /** Loads a page of older lines, unless one is on its way or there are none. */
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

  /** Up to which moment there is to be read, that moment included, and how many of its lines are there already. */
  #before() {
    const { period } = this.#parts;
    const first = this.#buffer.all.first() ?? null;
    const heard = this.#heardFrom;
    // Lines that were heard and did not pass are not there, and need not be read again.
    const at = first === null || (heard !== null && heard.at < first.at) ? (heard?.at ?? null) : first.at;
    if (at === null) return { period, known: 0 };
    return { period: { since: period.since, until: rightAfter(at) }, known: this.#countAt(at) };
  }

  #countAt(at: string): number {
    const { all } = this.#buffer;
    let count = 0;
    while (all.at(count)?.at === at) count += 1;
    return count;
  }
}
