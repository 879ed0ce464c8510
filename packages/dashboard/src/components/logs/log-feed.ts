/**
 * Provides the log lines for the log page, either live or from a past period. Loads older lines when the user scrolls
 * up.
 */
import type { LogLine, LogMessage } from '../../live/live.ts';
import type { FeedParts } from './feed-parts.ts';
import { Finder } from './find.ts';
import { BOUNDS, LogBuffer } from './log-buffer.ts';
import { isOpen, passes } from './log-filter.ts';
import { OlderLines } from './older-lines.ts';
import { Overlap } from './overlap.ts';

/** Maximum time in milliseconds for which log processing may block the browser at once. */
const SLICE_MS = 6;
/** Minimum time in milliseconds between two renders of the log. */
const NOTIFY_EVERY_MS = 50;
/**
 * Maximum number of loaded log lines that are compared with new lines after a restart of the log stream. The comparison
 * finds lines that the stream has sent again.
 */
const COMPARED = 2_000;

export class LogFeed {
  readonly buffer: LogBuffer;
  readonly finder: Finder;
  readonly older: OlderLines;
  readonly isFollowed: boolean;
  /** Server error that explains why the log of the app cannot be followed, or `null`. */
  refused: Error | null = null;
  /** Names of all replicas whose log lines were received. */
  readonly replicas = new Set<string>();
  readonly #parts: Required<FeedParts>;
  /**
   * Messages with log lines that are processed in short time slices. Otherwise, 10,000 lines per second would block
   * typing and scrolling.
   */
  #waiting: LogMessage[] = [];
  #waitingLines = 0;
  #overlap: Overlap | null = null;
  #isGap = false;
  #isHeld = false;
  #isScheduled = false;
  #notifiedAt = 0;
  #version = 0;
  #isChanged = false;
  readonly #listeners = new Set<() => void>();
  #stop: () => void = () => undefined;

  constructor(parts: FeedParts) {
    this.#parts = {
      bounds: BOUNDS,
      onFrame: (callback) => requestAnimationFrame(callback),
      clock: () => performance.now(),
      ...parts,
    };
    this.buffer = new LogBuffer(this.#parts.bounds);
    this.finder = new Finder(this.buffer);
    this.isFollowed = parts.follow !== null;
    this.older = new OlderLines(this.buffer, parts, (lines) => this.#onOlder(lines));
  }

  start(): void {
    const { follow } = this.#parts;
    if (follow === null) void this.older.load();
    else {
      // Ask the server whether the app has log lines. The live log sends nothing while the app writes no output.
      void this.older.probe();
      this.#stop = follow((message) => this.#hear(message));
    }
  }

  end(): void {
    this.#stop();
    this.older.end();
    this.#listeners.clear();
    this.#waiting = [];
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  version = (): number => this.#version;

  /**
   * Sets whether the user has scrolled up. While the user reads older lines, the page keeps twice as many lines, so
   * that the visible lines stay.
   */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return;
    this.#isHeld = isHeld;
    this.#schedule();
  }

  seek(sought: string): void {
    if (sought === this.finder.sought) return;
    this.finder.seek(sought);
    this.#change();
  }

  showLevels(levels: Parameters<LogBuffer['showLevels']>[0]): void {
    this.buffer.showLevels(levels);
    this.finder.restart();
    this.#change();
  }

  #hear(message: LogMessage): void {
    this.#waiting.push(message);
    if (message.kind === 'lines') this.#waitingLines += message.lines.length;
    /*
     * Discard the oldest unprocessed log lines. A background tab does not process log lines, so the queue would grow
     * without limit.
     */
    while (this.#waitingLines > this.#parts.bounds.lines && this.#waiting.length > 1) {
      const dropped = this.#waiting.shift();
      if (dropped?.kind !== 'lines') continue;
      this.#waitingLines -= dropped.lines.length;
      this.#isGap = true;
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#parts.onFrame(() => this.#takeSlice());
  }

  #takeSlice(): void {
    this.#isScheduled = false;
    const { clock } = this.#parts;
    const until = clock() + SLICE_MS;
    while (this.#waiting.length > 0 && clock() < until) this.#take(this.#waiting.shift() as LogMessage);
    this.buffer.trim(this.#isHeld);
    this.finder.look(() => clock() < until + SLICE_MS / 2);
    const isDone = this.#waiting.length === 0 && this.finder.isDone;
    if (this.#isChanged && (isDone || clock() - this.#notifiedAt >= NOTIFY_EVERY_MS)) this.#tell(clock());
    if (!isDone) this.#schedule();
  }

  #take(message: LogMessage): void {
    this.#isChanged = true;
    if (message.kind === 'refused') this.refused = message.error;
    else if (message.kind === 'gap') this.#beginAnew();
    else {
      this.refused = null;
      this.#waitingLines -= message.lines.length;
      for (const line of message.lines) this.#takeLine(line);
      this.older.heard(message.lines);
    }
  }

  /**
   * Prepares for a restart of the log stream, which can send loaded lines again. `#overlap` finds these lines, so that
   * the page shows no line twice.
   */
  #beginAnew(): void {
    const { all } = this.buffer;
    this.#isGap = true;
    this.#overlap = isOpen(this.#parts.filter) ? new Overlap(all.slice(all.length - COMPARED, all.length)) : null;
  }

  #takeLine(line: LogLine): void {
    if (this.#overlap?.takes(line)) {
      this.#isGap = false;
      return;
    }
    if (this.#overlap?.isOver) this.#overlap = null;
    this.replicas.add(line.replica);
    if (!passes(this.#parts.filter, line)) return;
    if (this.#isGap) this.buffer.appendGap(line.at);
    this.#isGap = false;
    this.buffer.append(line);
  }

  #onOlder(lines: readonly LogLine[]): void {
    for (const { replica } of lines) this.replicas.add(replica);
    if (lines.length > 0) this.finder.restart();
    this.#change();
  }

  #change(): void {
    this.#isChanged = true;
    this.#notifiedAt = 0;
    this.#schedule();
  }

  #tell(now: number): void {
    this.#notifiedAt = now;
    this.#isChanged = false;
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
