/** Describes cron expressions in English. Cron expressions that are too complex are not described. */
const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const NUMBER = /^\d{1,2}$/;
const STEP = /^\*\/(\d{1,2})$/;

/** Describes a cron expression, such as `Every day at 03:00`. Returns `null` if the cron expression is too complex. */
export function cronInWords(cron: string): string | null {
  const text = cron.trim();
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = (NICKNAMES[text] ?? text).split(/ +/);
  const days = daysInWords(day, month, weekday);
  if (days === null) return null;
  if (NUMBER.test(minute) && NUMBER.test(hour)) return `${days} at ${two(hour)}:${two(minute)}`;
  /*
   * If a schedule runs several times a day, describe the schedule only if it runs every day. Other schedules of this
   * kind are too complex.
   */
  if (days !== 'Every day') return null;
  if (minute === '*' && hour === '*') return 'Every minute';
  const minutes = STEP.exec(minute)?.[1];
  if (minutes !== undefined && hour === '*') return every(minutes, 'minute');
  const hours = STEP.exec(hour)?.[1];
  if (!NUMBER.test(minute) || (hour !== '*' && hours === undefined)) return null;
  return `${hours === undefined ? 'Every hour' : every(hours, 'hour')}, ${past(minute)}`;
}

function daysInWords(day: string, month: string, weekday: string): string | null {
  if (day === '*' && month === '*') return weekdaysInWords(weekday);
  if (weekday !== '*' || !NUMBER.test(day)) return null;
  if (month === '*') return `On day ${Number(day)} of every month`;
  const name = NUMBER.test(month) ? MONTHS[Number(month) - 1] : undefined;
  return name === undefined ? null : `On ${name} ${Number(day)} of every year`;
}

function weekdaysInWords(weekday: string): string | null {
  if (weekday === '*') return 'Every day';
  if (weekday === '1-5') return 'Monday to Friday';
  const names = weekday.split(',').map((one) => (/^\d$/.test(one) ? DAYS[Number(one)] : undefined));
  if (names.includes(undefined)) return null;
  return `Every ${names.join(', ').replace(/, ([^,]*)$/, ' and $1')}`;
}

const two = (number: string) => number.padStart(2, '0');
const every = (count: string, unit: string) =>
  Number(count) === 1 ? `Every ${unit}` : `Every ${Number(count)} ${unit}s`;
const past = (minute: string) => (Number(minute) === 0 ? 'on the hour' : `${Number(minute)} min past`);
