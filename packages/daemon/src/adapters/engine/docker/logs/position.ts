/** Timestamp of a log line with nanosecond precision. */
export interface Stamp {
  /** Timestamp in whole seconds since 1970, without the nanoseconds. */
  seconds: number;
  nanos: number;
}

export function isAfter(a: Stamp, b: Stamp): boolean {
  return a.seconds > b.seconds || (a.seconds === b.seconds && a.nanos > b.nanos);
}

/**
 * Overlap in seconds between two reads of a log. Docker creates the timestamps of stdout and stderr separately, so a
 * stdout line can come after a stderr line with a slightly later timestamp. Within one stream, timestamps are in order.
 */
const OVERLAP_S = 1;

interface Seen extends Stamp {
  /**
   * Number of pieces of the last log line that were already returned. A long log line is split into pieces, which
   * share one timestamp.
   */
  count: number;
}

/**
 * Position in a container's log: the last timestamp of stdout and of stderr, and the time from which to continue
 * reading. A reader starts one second before this time, and skips the lines that it has already returned. Therefore no
 * line is lost or repeated.
 */
export class LogPosition {
  readonly #seen: [stdout: Seen, stderr: Seen];
  /** Whether the reader is still skipping log lines that were already returned, for stdout and for stderr. */
  readonly #isReadAgain: [boolean, boolean] = [true, true];
  /** Number of skipped log lines that have the last returned timestamp, for stdout and for stderr. */
  readonly #passed: [number, number] = [0, 0];
  readonly #clock = new Clock();

  private constructor(seen: [Seen, Seen]) {
    this.#seen = seen;
  }

  /** @param text log position as text, or `null` for the beginning of the log */
  static parse(text: string | null): LogPosition {
    const [, ...streams] = text?.split('/') ?? [];
    const seen = (part: string | undefined): Seen => {
      const [seconds = 0, nanos = 0, count = 0] = part?.split('.').map(Number) ?? [];
      return { seconds, nanos, count };
    };
    return new LogPosition([seen(streams[0]), seen(streams[1])]);
  }

  /** Returns the value of the query parameter `since` for a log request: seconds since 1970 with a fraction. */
  static since(text: string | null): string | undefined {
    return text?.split('/')[0];
  }

  /** The later of the two last timestamps of stdout and stderr. */
  get latest(): Stamp {
    const [out, err] = this.#seen;
    return isAfter(err, out) ? err : out;
  }

  /**
   * Records the timestamp of a log line. Returns whether the line is new and was not returned before.
   * @param isRest `true` for a further piece of a split line, which has the same timestamp as the first piece
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
      // A timestamp before the last one can mean a repeated line. Docker before 23 can resend lines after a rotation.
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

  /**
   * Returns the log position as text.
   * @param open timestamp of an incomplete log line, or `null`. The next reader must start at this line
   */
  text(open: Stamp | null): string {
    const last = this.latest;
    const { seconds, nanos } = open !== null && isAfter(last, open) ? open : last;
    const since = `${Math.max(seconds - OVERLAP_S, 0)}.${String(nanos).padStart(9, '0')}`;
    return [since, ...this.#seen.map((seen) => `${seen.seconds}.${seen.nanos}.${seen.count}`)].join('/');
  }
}

/**
 * Detects that the server's clock was set back. After that, a new log line can have an earlier timestamp than the line
 * before, although it is not a repeated line.
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

/**
 * Returns the difference between the server's wall clock and its monotonic clock. The difference changes only when
 * the wall clock is set.
 */
function aheadOfProcess(): number {
  return Date.now() - performance.now();
}
