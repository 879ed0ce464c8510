/** Timestamp of a line with the precision of the engine. */
export interface Stamp {
  /** Seconds since 1970. */
  seconds: number;
  nanos: number;
}

export function isAfter(a: Stamp, b: Stamp): boolean {
  return a.seconds > b.seconds || (a.seconds === b.seconds && a.nanos > b.nanos);
}

/**
 * Overlap in seconds between two reads. The engine creates the timestamps of stdout and stderr separately and then
 * writes the lines. A line can therefore follow a line with a slightly later timestamp. Within one stream, the order is
 * correct.
 */
const OVERLAP_S = 1;

interface Seen extends Stamp {
  /** Number of pieces of this line that were returned, because a long line is split. */
  count: number;
}

/**
 * Position in a container's log: the last timestamp of each stream, and the time from which to read on. A reader that
 * continues from a position reads some lines again and skips them per stream. The reader therefore loses and repeats no
 * line.
 */
export class LogPosition {
  readonly #seen: [stdout: Seen, stderr: Seen];
  /** `true` per stream until the first new line. */
  readonly #isReadAgain: [boolean, boolean] = [true, true];
  /** Number of pieces of the last seen line that were read again, per stream. */
  readonly #passed: [number, number] = [0, 0];
  readonly #clock = new Clock();

  private constructor(seen: [Seen, Seen]) {
    this.#seen = seen;
  }

  /** @param text result of {@link text}, or `null` for the beginning of the log */
  static parse(text: string | null): LogPosition {
    const [, ...streams] = text?.split('/') ?? [];
    const seen = (part: string | undefined): Seen => {
      const [seconds = 0, nanos = 0, count = 0] = part?.split('.').map(Number) ?? [];
      return { seconds, nanos, count };
    };
    return new LogPosition([seen(streams[0]), seen(streams[1])]);
  }

  /** Returns the start time for a request to the engine: seconds since 1970 with a fraction. */
  static since(text: string | null): string | undefined {
    return text?.split('/')[0];
  }

  /** Returns the later one of the last timestamps of both streams. */
  get latest(): Stamp {
    const [out, err] = this.#seen;
    return isAfter(err, out) ? err : out;
  }

  /**
   * Records a line and returns whether the line is new.
   * @param isRest `true` for the rest of a split line, which has the timestamp of the part before
   */
  advance(stream: 0 | 1, stamp: Stamp, isRest: boolean): boolean {
    const seen = this.#seen[stream];
    const isSame = stamp.seconds === seen.seconds && stamp.nanos === seen.nanos;
    if (isSame && !isRest) {
      this.#isReadAgain[stream] = true;
      this.#passed[stream] = 1;
      return false;
    }
    if (isAfter(seen, stamp)) {
      // Docker before version 23 may repeat the last lines when it rotates the container's log file.
      if (this.#isReadAgain[stream] || !this.#clock.wasSetBack()) return false;
    } else if (isSame && this.#isReadAgain[stream] && this.#passed[stream] < seen.count) {
      this.#passed[stream] += 1;
      return false;
    }
    this.#isReadAgain[stream] = false;
    seen.seconds = stamp.seconds;
    seen.nanos = stamp.nanos;
    seen.count = isSame ? seen.count + 1 : 1;
    return true;
  }

  /** @param open timestamp of an unfinished line, which must be read again from its beginning */
  text(open: Stamp | null): string {
    const last = this.latest;
    const { seconds, nanos } = open !== null && isAfter(last, open) ? open : last;
    const since = `${Math.max(seconds - OVERLAP_S, 0)}.${String(nanos).padStart(9, '0')}`;
    return [since, ...this.#seen.map((seen) => `${seen.seconds}.${seen.nanos}.${seen.count}`)].join('/');
  }
}

/**
 * Detects that the server's clock was set back. After such a change, a new line can have an earlier timestamp than the
 * last line, like a repeated line.
 */
class Clock {
  #ahead = aheadOfProcess();

  wasSetBack(): boolean {
    const ahead = aheadOfProcess();
    const isBack = ahead < this.#ahead - SET_BACK_MS;
    this.#ahead = ahead;
    return isBack;
  }
}

const SET_BACK_MS = 5;

/** Returns a difference that changes only when the clock is set. */
function aheadOfProcess(): number {
  return Date.now() - performance.now();
}
