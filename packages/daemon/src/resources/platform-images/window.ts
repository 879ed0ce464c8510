import type { InstanceSettings } from '@davit/api';

/** Maintenance window: the daily period in which Davit may restart databases automatically. */
export type MaintenanceWindow = Pick<
  InstanceSettings['platform_images'],
  'window_start' | 'window_minutes' | 'time_zone'
>;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/**
 * Returns whether a time is in the maintenance window.
 * @param at milliseconds since the epoch
 */
export function isInWindow({ window_start, window_minutes, time_zone }: MaintenanceWindow, at: number): boolean {
  const [hours = 0, minutes = 0] = window_start.split(':').map(Number);
  const since = minuteOfDay(at, time_zone) - (hours * 60 + minutes);
  return (since + DAY_MINUTES) % DAY_MINUTES < window_minutes;
}

/** Formats the maintenance window as text, for example `04:00 to 05:00 (Europe/Berlin)`. */
export function windowText({ window_start, window_minutes, time_zone }: MaintenanceWindow): string {
  const [hours = 0, minutes = 0] = window_start.split(':').map(Number);
  const end = (hours * 60 + minutes + window_minutes) % DAY_MINUTES;
  const text = [Math.floor(end / 60), end % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${window_start} to ${text} (${time_zone})`;
}

function minuteOfDay(at: number, timeZone: string): number {
  // For UTC, calculate the minute of the day without time zone data, because this data uses much memory.
  if (timeZone === 'UTC') return Math.floor(at / MINUTE_MS) % DAY_MINUTES;
  const parts = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hour = 0, minute = 0] = parts.format(at).split(':').map(Number);
  return hour * 60 + minute;
}
