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
  /** Lines with this very stamp: a long one that is cut gives several. */
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
  /** Of the last line that was seen: how many of its stamp have come again. */
  readonly #passed: [number, number] = [0, 0];

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

  /** Notes a line; answers whether it is new. */
  advance(stream: 0 | 1, stamp: Stamp): boolean {
    const seen = this.#seen[stream];
    const isSame = !isAfter(stamp, seen) && !isAfter(seen, stamp);
    if (this.#isReadAgain[stream]) {
      if (isAfter(seen, stamp)) return false;
      if (isSame && this.#passed[stream] < seen.count) {
        this.#passed[stream] += 1;
        return false;
      }
      this.#isReadAgain[stream] = false;
    }
    // A clock that is set back makes an earlier stamp: from there on nothing may be missed either.
    seen.seconds = stamp.seconds;
    seen.nanos = stamp.nanos;
    seen.count = isSame ? seen.count + 1 : 1;
    return true;
  }

  /** @param open the stamp of a line that has begun and not ended: it has to be read again from its beginning */
  text(open: Stamp | null): string {
    const [out, err] = this.#seen;
    const last = isAfter(err, out) ? err : out;
    const { seconds, nanos } = open !== null && isAfter(last, open) ? open : last;
    const since = `${Math.max(seconds - OVERLAP_S, 0)}.${String(nanos).padStart(9, '0')}`;
    return [since, ...this.#seen.map((seen) => `${seen.seconds}.${seen.nanos}.${seen.count}`)].join('/');
  }
}
