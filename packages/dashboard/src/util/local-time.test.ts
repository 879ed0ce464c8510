import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateAndTime, dayAndWeekday, timeOfDay, weekdayAndTime } from './local-time.ts';

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Times in all months, on all weekdays and at all hours. */
const TIMES = Array.from({ length: 400 }, (_, n) => Date.UTC(2026, 0, 1, 0, 7 * n) + n * 3 * 86_400_000);

const FORMS: [format: (ms: number) => string, options: Intl.DateTimeFormatOptions][] = [
  [timeOfDay, CLOCK],
  [weekdayAndTime, { weekday: 'short', ...CLOCK }],
  [dayAndWeekday, { weekday: 'short', day: 'numeric' }],
  [dateAndTime, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }],
];

for (const [format, options] of FORMS) {
  test(`${format.name} formats local times like Intl`, () => {
    const intl = new Intl.DateTimeFormat('en', options);
    for (const ms of TIMES) assert.equal(format(ms), intl.format(ms));
  });
}
