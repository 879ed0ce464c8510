import { DavitError, invalidField } from '@davit/api';
import { quote } from '@davit/service';

/** The times of schedules. */
export interface CronTimes {
  /**
   * The first time after a moment, in milliseconds since the epoch. A time of day in the gap of a clock that is put
   * forward is run right after it, one that comes twice the first time alone; what counts on by `*` or a step goes on.
   * @throws DavitError invalid_input for what is no schedule, and for one whose time never comes
   */
  next(cron: string, timeZone: string, after: number): number;
}

let loaded: Promise<CronTimes> | null = null;

/** The parser, which is loaded when the first schedule needs it: most instances have none. */
export function cronTimes(): Promise<CronTimes> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<CronTimes> {
  const { Cron } = await import('croner');
  return {
    next(cron, timeZone, after) {
      const options = { mode: '5-part', fixedTimeRule: 'no-wildcard', timezone: timeZone, paused: true } as const;
      let time: Date | null;
      try {
        time = new Cron(cron, options).nextRun(new Date(after));
      } catch (cause) {
        const isValid = (pattern: string) => canRead(() => new Cron(pattern, options));
        throw invalidField('cron', 'invalid_value', `is not a schedule: ${whyNot(cron, isValid)}.`, { cause });
      }
      if (time === null) throw invalidField('cron', 'invalid_value', 'names a time that never comes.');
      return time.getTime();
    },
  };
}

/**
 * The first time after a moment, as {@link CronTimes.next} has it.
 * @throws DavitError invalid_input for what is no schedule, and for one whose time never comes
 */
export async function nextTime(cron: string, timeZone: string, after: number): Promise<number> {
  // The parser and the rules of time zones take ten mebibytes, which an instance with daily times in UTC has no use for.
  if (timeZone === 'UTC' && DAILY.test(cron)) return nextDailyInUtc(cron, after);
  return (await cronTimes()).next(cron, timeZone, after);
}

/**
 * The first time of a recorded schedule after a moment. Null when its times have come to an end, such as when a time zone was
 * abolished: the schedule rests until it is changed.
 */
export function followingTime(
  times: CronTimes,
  { cron, time_zone }: { cron: string; time_zone: string },
  after: number,
): number | null {
  try {
    return times.next(cron, time_zone, after);
  } catch (error) {
    if (error instanceof DavitError) return null;
    throw error;
  }
}

const MINUTE_MS = 60_000;

/** Minutes and hours of each day alone, in numbers. */
const DAILY = /^[0-5]?\d(,[0-5]?\d)* +(\*|([01]?\d|2[0-3])(,([01]?\d|2[0-3]))*) +\* +\* +\*$/;

function nextDailyInUtc(cron: string, after: number): number {
  const [minutes = '', hours = ''] = cron.split(/ +/);
  const isIn = (list: string, number: number) => list === '*' || list.split(',').some((one) => Number(one) === number);
  for (let at = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS; ; at += MINUTE_MS) {
    const time = new Date(at);
    if (isIn(minutes, time.getUTCMinutes()) && isIn(hours, time.getUTCHours())) return at;
  }
}

const PARTS = ['minute', 'hour', 'day of the month', 'month', 'day of the week'];

/** Each part is tried by itself: the parser has no codes, and its words are for programmers. */
function whyNot(cron: string, isValid: (pattern: string) => boolean): string {
  const parts = cron.trim().split(/\s+/);
  if (parts.length !== PARTS.length)
    return `it must have five parts, ${PARTS.slice(0, -1).join(', ')} and ${PARTS.at(-1)}`;
  const wrong = parts.findIndex((part, at) => !isValid(PARTS.map((_, i) => (i === at ? part : '*')).join(' ')));
  const [name, part] = wrong < 0 ? ['whole', cron] : [PARTS[wrong], parts[wrong]];
  return `the ${name} cannot be «${quote(part ?? '')}»`;
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    // It says so by throwing, and nothing else.
    return false;
  }
}
