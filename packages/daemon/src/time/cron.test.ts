import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CronTimes, cronTimes, followingTime, nextTime } from './cron.ts';

const BERLIN = 'Europe/Berlin';

describe('times of a schedule', async () => {
  const times = await cronTimes();

  it('follow the clock of the configured time zone', () => {
    assert.deepEqual(after(times, '2026-01-10T12:00:00Z', '30 4 * * *', 'UTC', 2), [
      '2026-01-11T04:30:00.000Z',
      '2026-01-12T04:30:00.000Z',
    ]);
    assert.deepEqual(after(times, '2026-01-10T12:00:00Z', '30 4 * * *', 'Asia/Kolkata', 1), [
      '2026-01-10T23:00:00.000Z',
    ]);
    assert.deepEqual(after(times, '2026-07-10T12:00:00Z', '@daily', 'America/New_York', 1), [
      '2026-07-11T04:00:00.000Z',
    ]);
  });

  it('are always later than the given time', () => {
    assert.deepEqual(after(times, '2026-01-10T04:30:00Z', '30 4 * * *', 'UTC', 1), ['2026-01-11T04:30:00.000Z']);
    assert.deepEqual(after(times, '2026-01-10T04:29:59.999Z', '30 4 * * *', 'UTC', 1), ['2026-01-10T04:30:00.000Z']);
  });

  it('occur once, after the gap, if the local time does not exist', () => {
    assert.deepEqual(after(times, '2026-03-28T12:00:00Z', '30 2 * * *', BERLIN, 3), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
      '2026-03-31T00:30:00.000Z',
    ]);
    assert.deepEqual(after(times, '2026-03-28T22:00:00Z', '30 2,14 * * *', BERLIN, 2), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T12:30:00.000Z',
    ]);
  });

  it('occur once if the local time occurs twice', () => {
    assert.deepEqual(after(times, '2026-10-24T12:00:00Z', '30 2 * * *', BERLIN, 2), [
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    // The start is between the first and the second 02:30 of that night. The second 02:30 does not count.
    assert.deepEqual(after(times, '2026-10-25T00:45:00Z', '30 2 * * *', BERLIN, 1), ['2026-10-26T01:30:00.000Z']);
  });

  it('keep their interval across a clock change', () => {
    assert.deepEqual(after(times, '2026-10-25T00:30:00Z', '*/30 * * * *', BERLIN, 4), [
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T01:30:00.000Z',
      '2026-10-25T02:00:00.000Z',
      '2026-10-25T02:30:00.000Z',
    ]);
    assert.deepEqual(after(times, '2026-03-29T00:30:00Z', '@hourly', BERLIN, 2), [
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T02:00:00.000Z',
    ]);
  });

  for (const [cron, why] of [
    ['60 * * * *', /^cron: The cron expression is not valid: the minute “60” is not valid\.$/],
    ['a b c d e', /^cron: The cron expression is not valid: the minute “a” is not valid\.$/],
    ['1/5 * * * *', /^cron: The cron expression is not valid: the minute “1\/5” is not valid\.$/],
    ['0 0 1 13 *', /^cron: The cron expression is not valid: the month “13” is not valid\.$/],
    ['0 0 1 1 9', /^cron: The cron expression is not valid: the day of the week “9” is not valid\.$/],
    [
      '* * * *',
      /^cron: The cron expression is not valid: a cron expression has five fields, minute, hour, .* and day of the week\.$/,
    ],
    ['@never', /^cron: The cron expression is not valid: a cron expression has five fields/],
    ['0 0 30 2 *', /^cron: The cron expression never matches a time\. Use a date that exists\.$/],
  ] as const) {
    it(`are refused for the cron expression “${cron}”`, () => {
      assert.throws(
        () => times.next(cron, 'UTC', 0),
        ({ message }) => why.test(message),
      );
    });
  }
});

describe('next time of a schedule', async () => {
  const times = await cronTimes();

  for (const cron of ['30 3 * * *', '0,15,45 * * * *', '5 0,12,23 * * *', '7  *  * * *']) {
    it(`for “${cron}” in UTC is the same as from the cron parser`, async () => {
      for (const after of ['2026-02-28T23:59:59.999Z', '2026-03-01T03:30:00Z', '2026-12-31T23:50:10Z']) {
        const at = Date.parse(after);
        assert.equal(await nextTime(cron, 'UTC', at), times.next(cron, 'UTC', at));
      }
    });
  }

  it('follows other time zones and weekly schedules, and refuses an invalid expression', async () => {
    const at = Date.parse('2026-07-01T00:00:00Z');
    assert.equal(await nextTime('30 3 * * *', BERLIN, at), Date.parse('2026-07-01T01:30:00Z'));
    assert.equal(await nextTime('30 3 * * 0', 'UTC', at), Date.parse('2026-07-05T03:30:00Z'));
    await assert.rejects(nextTime('75 3 * * *', 'UTC', at), /^DavitError: cron: The cron expression is not valid/);
  });

  it('is null for a recorded schedule without further times', () => {
    assert.equal(followingTime(times, { cron: '0 0 30 2 *', time_zone: 'UTC' }, 0), null);
    assert.equal(followingTime(times, { cron: '0 0 * * *', time_zone: 'Nowhere/Else' }, 0), null);
    assert.equal(followingTime(times, { cron: '0 0 * * *', time_zone: 'UTC' }, 0), 86_400_000);
  });
});

/** Returns the next `count` times, each after the previous one. */
function after(times: CronTimes, from: string, cron: string, timeZone: string, count: number): string[] {
  const found: number[] = [];
  for (let at = Date.parse(from); found.length < count; at = found.at(-1) ?? 0)
    found.push(times.next(cron, timeZone, at));
  return found.map((time) => new Date(time).toISOString());
}
