import { Time } from '../../ui/time.tsx';
import { cronInWords } from './cron-words.ts';

/** Formats a time in the time zone of a schedule. */
export function clockTime(at: string, timeZone: string): string {
  const form = {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  return new Intl.DateTimeFormat('en-GB', { ...form, hourCycle: 'h23' }).format(Date.parse(at));
}

/**
 * Shows when an edited schedule would run. The component describes the cron expression in words and lists the next
 * times.
 */
export function ScheduleTimesShown({
  times,
  cron,
  timeZone,
}: {
  /**
   * Next times at which the schedule runs, `undefined` while they are being loaded, or `null` if the cron expression is
   * invalid.
   */
  times: readonly string[] | null | undefined;
  cron: string;
  timeZone: string;
}) {
  const words = times === null ? null : cronInWords(cron);
  const [first, ...later] = times ?? [];
  return (
    <section aria-label="Scheduled times" aria-live="polite" className="min-h-24 rounded-lg bg-sunken p-3 text-sm">
      {words && (
        <p className="font-medium">
          {words} in {timeZone}.
        </p>
      )}
      {first === undefined ? (
        <p className="text-soft">
          {times === null ? 'This cron expression is not valid.' : 'Enter a cron expression to see the next runs.'}
        </p>
      ) : (
        <>
          <p>
            Next run: {clockTime(first, timeZone)} (<Time at={first} />)
          </p>
          {later.length > 0 && (
            <p className="text-soft">then {later.map((at) => clockTime(at, timeZone)).join(' · ')}</p>
          )}
        </>
      )}
    </section>
  );
}
