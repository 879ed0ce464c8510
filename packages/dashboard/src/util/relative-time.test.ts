import assert from 'node:assert/strict';
import test from 'node:test';
import { inWords, relative } from './relative-time.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test('a time in the future is rounded to the nearest unit', () => {
  const cases: [ms: number, text: string][] = [
    [90 * DAY - 2_000, 'in 90 days'],
    [45 * DAY, 'in 45 days'],
    [119 * DAY, 'in 119 days'],
    [2 * DAY - 1_000, 'in 2 days'],
    [DAY - 1_000, 'in 24 hr.'],
    [150 * DAY, 'in 5 months'],
    [400 * DAY, 'next year'],
    [30_000, 'in a moment'],
    [12_000, 'just now'],
  ];
  for (const [ms, text] of cases) assert.equal(relative(ms, 0), text);
});

test('a time in the past is rounded down', () => {
  const cases: [ms: number, text: string][] = [
    [59_000, 'just now'],
    [3 * MINUTE + 59_000, '3 min. ago'],
    [HOUR, '1 hr. ago'],
    [DAY + 20 * HOUR, 'yesterday'],
    [99 * DAY, '99 days ago'],
    [130 * DAY, '4 months ago'],
    [800 * DAY, '2 years ago'],
  ];
  for (const [ms, text] of cases) assert.equal(relative(0, ms), text);
});

test('the words for an amount are those of Intl.RelativeTimeFormat', () => {
  const short = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
  const long = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const unit of ['year', 'month', 'day', 'hour', 'minute'] as const) {
    const formatter = unit === 'hour' || unit === 'minute' ? short : long;
    for (const amount of [1, 2, 3, 11, 21, 100, 1_234].flatMap((n) => [n, -n])) {
      assert.equal(inWords(amount, unit), formatter.format(amount, unit), `${amount} ${unit}`);
    }
  }
});
