import assert from 'node:assert/strict';
import { it } from 'node:test';
import { cronInWords } from './cron-words.ts';

it('describes common cron schedules in plain words', () => {
  for (const [cron, words] of [
    ['0 3 * * *', 'Every day at 03:00'],
    ['@daily', 'Every day at 00:00'],
    ['@hourly', 'Every hour, on the hour'],
    ['@weekly', 'Every Sunday at 00:00'],
    ['@yearly', 'On January 1 of every year at 00:00'],
    [' 30  14 * * 1-5 ', 'Monday to Friday at 14:30'],
    ['5 6 * * 1,3,7', 'Every Monday, Wednesday and Sunday at 06:05'],
    ['0 0 15 * *', 'On day 15 of every month at 00:00'],
    ['* * * * *', 'Every minute'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['*/1 * * * *', 'Every minute'],
    ['20 */6 * * *', 'Every 6 hours, 20 min past'],
  ]) {
    assert.equal(cronInWords(words === undefined ? '' : String(cron)), words);
  }
});

it('returns null for cron expressions without an exact description', () => {
  const strange = [
    '',
    '0 3 1 * 1',
    '0 3 * * MON',
    '0,30 3 * * *',
    '*/15 * * * 1',
    '0 3 1-7 * *',
    '0 0 1 13 *',
    'never',
    '0 3 * * 9',
  ];
  for (const cron of strange) assert.equal(cronInWords(cron), null, cron);
});
