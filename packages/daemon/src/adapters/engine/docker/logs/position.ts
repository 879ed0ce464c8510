/** Timestamp of a log line with nanosecond precision. */
export interface Stamp {
  /** Log timestamp in whole seconds since 1970, without the nanoseconds. */
  seconds: number;
  nanos: number;
}

export function isAfter(a: Stamp, b: Stamp): boolean {
  return a.seconds > b.seconds || (a.seconds === b.seconds && a.nanos > b.nanos);
}

/**
 * Overlap in seconds between two reads of a log. The overlap is needed because lines of stdout and stderr can be
 * slightly out of order.
 */
const OVERLAP_S = 1;

interface Seen extends Stamp {
  /** Number of parts of the last log line that were returned to the reader. Docker splits a long line into parts. */
  count: number;
}

/**
 * Position in a container's log at which the next read starts. The position contains the last timestamps of stdout and
 * stderr, so that no log line is lost or repeated.
 */
export class LogPosition {
  readonly #seen: [stdout: Seen, stderr: Seen];
  /**
   * `true` while log lines that were already returned are being skipped, as one value for stdout and one for stderr.
   */
  readonly #isReadAgain: [boolean, boolean] = [true, true];
  /** Number of skipped parts of the last returned log line, as one value for stdout and one for stderr. */
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

  /** Returns the query parameter `since` for a log request to Docker: seconds since 1970 with decimal places. */
  static since(text: string | null): string | undefined {
    return text?.split('/')[0];
  }

  /** Timestamp of the newest log line of stdout and stderr. */
  get latest(): Stamp {
    const [out, err] = this.#seen;
    return isAfter(err, out) ? err : out;
  }

  /**
   * Moves the log position forward to a log line. Returns `false` if an earlier read already returned the line.
   * @param isRest `true` for a later part of a split line, with the same timestamp
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
      /*
       * An earlier timestamp can mean a repeated log line. Docker before version 23 can send old lines again after a
       * log rotation.
       */
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
   * @param open timestamp of an incomplete log line, or `null`; the next read includes this line
   */
  text(open: Stamp | null): string {
    const last = this.latest;
    const { seconds, nanos } = open !== null && isAfter(last, open) ? open : last;
    const since = `${Math.max(seconds - OVERLAP_S, 0)}.${String(nanos).padStart(9, '0')}`;
    return [since, ...this.#seen.map((seen) => `${seen.seconds}.${seen.nanos}.${seen.count}`)].join('/');
  }
}

/**
 * Detects that the server's clock was set back. Without this check, new log lines with an earlier time would be skipped
 * as repeated lines.
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
 * Returns the difference between the server's wall clock and its monotonic clock. The difference changes only when the
 * wall clock is changed.
 */
function aheadOfProcess(): number {
  return Date.now() - performance.now();
}
