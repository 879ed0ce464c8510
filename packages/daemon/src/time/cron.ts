import { DavitError, invalidField } from '@davit/api';
import { quote } from '@davit/service';

export interface CronTimes {
  /**
   * Returns the next time after `after` that matches `cron`, in milliseconds since the epoch.
   * @throws DavitError invalid_input if `cron` is invalid or never matches
   */
  next(cron: string, timeZone: string, after: number): number;
}

let loaded: Promise<CronTimes> | null = null;

/** Loads the cron parser at the first use, because most instances have no schedule that needs the parser. */
export function cronTimes(): Promise<CronTimes> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<CronTimes> {
  const { Cron } = await import('croner');
  return {
    next(cron, timeZone, after) {
      /*
       * A clock change can skip a fixed time such as 02:30. The schedule then runs at the end of the skipped hour. If a
       * clock change repeats a fixed time, the schedule runs only once.
       */
      const options = { mode: '5-part', fixedTimeRule: 'no-wildcard', timezone: timeZone, paused: true } as const;
      let time: Date | null;
      try {
        time = new Cron(cron, options).nextRun(new Date(after));
      } catch (cause) {
        const isValid = (pattern: string) => canRead(() => new Cron(pattern, options));
        throw invalidField('cron', 'invalid_value', `The cron expression is not valid: ${whyNot(cron, isValid)}.`, {
          cause,
        });
      }
      if (time === null)
        throw invalidField(
          'cron',
          'invalid_value',
          'The cron expression never matches a time. Use a date that exists.',
        );
      return time.getTime();
    },
  };
}

/**
 * Returns the next time after `after` that matches `cron`, in milliseconds since the epoch.
 * @throws DavitError invalid_input if `cron` is invalid or never matches
 */
export async function nextTime(cron: string, timeZone: string, after: number): Promise<number> {
  // Daily times in UTC are computed without the cron parser. The parser and its time zone data need 10 MiB of memory.
  if (timeZone === 'UTC' && DAILY.test(cron)) return nextDailyInUtc(cron, after);
  return (await cronTimes()).next(cron, timeZone, after);
}

/**
 * Returns the next time of a stored schedule, in milliseconds since the epoch. Returns `null` if the schedule is
 * invalid. It is then paused until a user changes it.
 */
export function followingTime(
  times: CronTimes,
  { cron, time_zone }: { cron: string; time_zone: string },
  after: number,
): number | null {
  try {
    return times.next(cron, time_zone, after);
  } catch (error) {
    // A stored schedule can become invalid, for example if its time zone no longer exists.
    if (error instanceof DavitError) return null;
    throw error;
  }
}

const MINUTE_MS = 60_000;

/** Pattern for cron expressions that run every day at fixed times, without steps or ranges. */
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

/**
 * Returns the reason why a cron expression is invalid. Each field is checked separately, because the error messages of
 * the cron parser are for programmers.
 */
function whyNot(cron: string, isValid: (pattern: string) => boolean): string {
  const parts = cron.trim().split(/\s+/);
  if (parts.length !== PARTS.length)
    return `a cron expression has five fields, ${PARTS.slice(0, -1).join(', ')} and ${PARTS.at(-1)}`;
  const wrong = parts.findIndex((part, at) => !isValid(PARTS.map((_, i) => (i === at ? part : '*')).join(' ')));
  const [name, part] = wrong < 0 ? ['expression', cron] : [PARTS[wrong], parts[wrong]];
  return `the ${name} “${quote(part ?? '')}” is not valid`;
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    // The cron parser throws an exception for an invalid expression.
    return false;
  }
}
