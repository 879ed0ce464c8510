/** The moment of a line, as fine as the engine tells it. */
export interface Stamp {
  /** Since 1970. */
  seconds: number;
  nanos: number;
}

export function isAfter(a: Stamp, b: Stamp): boolean {
  return a.seconds > b.seconds || (a.seconds === b.seconds && a.nanos > b.nanos);
}

/**
 * The engine stamps the lines of the two streams apart from each other and then writes them down, so that a line may
 * stand behind one with a slightly later stamp. Within a stream the order holds.
 */
const OVERLAP_S = 1;

interface Seen extends Stamp {
  /** The pieces of this line that were given: a long one is cut. */
  count: number;
}

/**
 * What has been read of a container's log: of each stream the last stamp, and from when on to ask for more. Whoever goes
 * on from here reads a little again, leaves out what each stream had already, and so misses nothing and has nothing twice.
 */
export class LogPosition {
  readonly #seen: [stdout: Seen, stderr: Seen];
  /** Until the first line comes that is new. */
  readonly #isReadAgain: [boolean, boolean] = [true, true];
  /** Of the last line that was seen: how many of its pieces have come again. */
  readonly #passed: [number, number] = [0, 0];
  readonly #clock = new Clock();

  private constructor(seen: [Seen, Seen]) {
    this.#seen = seen;
  }

  /** @param text of {@link text}; null: nothing was read */
  static parse(text: string | null): LogPosition {
    const [, ...streams] = text?.split('/') ?? [];
    const seen = (part: string | undefined): Seen => {
      const [seconds = 0, nanos = 0, count = 0] = part?.split('.').map(Number) ?? [];
      return { seconds, nanos, count };
    };
    return new LogPosition([seen(streams[0]), seen(streams[1])]);
  }

  /** From when on the engine is to be asked, in its own form: seconds since 1970 with a fraction. */
  static since(text: string | null): string | undefined {
    return text?.split('/')[0];
  }

  /** The later one of the last stamps. */
  get latest(): Stamp {
    const [out, err] = this.#seen;
    return isAfter(err, out) ? err : out;
  }

  /**
   * Notes a line; answers whether it is new.
   * @param isRest of a line that was cut: it has the stamp of what came before it
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
      // Docker before version 23 may give the last lines again when it begins the container's next file.
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

  /** @param open the stamp of a line that has begun and not ended: it has to be read again from its beginning */
  text(open: Stamp | null): string {
    const last = this.latest;
    const { seconds, nanos } = open !== null && isAfter(last, open) ? open : last;
    const since = `${Math.max(seconds - OVERLAP_S, 0)}.${String(nanos).padStart(9, '0')}`;
    return [since, ...this.#seen.map((seen) => `${seen.seconds}.${seen.nanos}.${seen.count}`)].join('/');
  }
}

/** Tells a machine's clock that was set back, after which a later line has an earlier stamp, from lines that come again. */
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

/** Changes only when the clock is set. */
function aheadOfProcess(): number {
  return Date.now() - performance.now();
}
