/**
 * Formats local times in English without `Intl`. The first `Intl` formatter blocks a phone for about 100 ms. Text on
 * the first page must therefore not use `Intl`. All times are in milliseconds since the epoch.
 */

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Returns the time of day, such as `14:05`. */
export function timeOfDay(ms: number): string {
  const date = new Date(ms);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Returns the weekday and the time of day, such as `Sat 14:05`. */
export function weekdayAndTime(ms: number): string {
  return `${WEEKDAYS[new Date(ms).getDay()]} ${timeOfDay(ms)}`;
}

/** Returns the day of the month and the weekday, such as `16 Sat`. */
export function dayAndWeekday(ms: number): string {
  const date = new Date(ms);
  return `${date.getDate()} ${WEEKDAYS[date.getDay()]}`;
}

/** Returns the date and the time of day, such as `Jan 16, 2027, 14:05`. */
export function dateAndTime(ms: number): string {
  const date = new Date(ms);
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}, ${timeOfDay(ms)}`;
}
