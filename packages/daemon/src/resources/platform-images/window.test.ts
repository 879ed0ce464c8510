import assert from 'node:assert/strict';
import test from 'node:test';
import { isInWindow, windowText } from './window.ts';

const at = (time: string) => Date.parse(`2026-07-01T${time}Z`);
const window = (window_start: string, window_minutes: number, time_zone = 'UTC') => ({
  window_start,
  window_minutes,
  time_zone,
});

test('the update window includes its first minute and excludes its end', () => {
  const night = window('04:00', 60);

  assert.deepEqual(
    ['03:59:59', '04:00:00', '04:59:59', '05:00:00'].map((time) => isInWindow(night, at(time))),
    [false, true, true, false],
  );
});

test('the update window can extend past midnight', () => {
  const late = window('23:30', 90);

  assert.deepEqual(
    ['23:29', '23:30', '00:30', '01:00'].map((time) => isInWindow(late, at(`${time}:00`))),
    [false, true, true, false],
  );
  assert.equal(windowText(late), '23:30 to 01:00 (UTC)');
});

test('the update window follows its time zone, including daylight saving time', () => {
  const berlin = window('04:00', 60, 'Europe/Berlin');

  assert.equal(isInWindow(berlin, Date.parse('2026-07-01T02:30:00Z')), true);
  assert.equal(isInWindow(berlin, Date.parse('2026-01-01T03:30:00Z')), true);
  assert.equal(isInWindow(berlin, Date.parse('2026-07-01T04:30:00Z')), false);
});
