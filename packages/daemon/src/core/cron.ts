import { DavitError } from '@davit/api';
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
        // Its first sentence, behind the name of the part that speaks.
        const [words = ''] = (cause as Error).message.replace(/^\w+: /, '').split(/\.(?: |$)/);
        throw new DavitError('invalid_input', `cron: is not a schedule: ${quote(words)}.`, { cause });
      }
      if (time === null) throw new DavitError('invalid_input', 'cron: names a time that never comes.');
      return time.getTime();
    },
  };
}
