import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alone } from './plot-options.ts';
import { absentShare, newestOf, summaryOf } from './summary.ts';

const at = [1_800_000_000, 1_800_000_010, 1_800_000_020];
const line = (values: (number | null)[]) => ({ name: 'CPU', values, tone: 'accent' as const });
const say = (value: number) => `${value} %`;

describe('chart summary', () => {
  it('states the current value and the maximum with its time', () => {
    assert.match(summaryOf(line([3, 12, 5]), at, say), /^CPU: now 5 %, maximum 12 % at Jan 15, 2027/);
  });

  it('reports no current value if the newest step is a gap', () => {
    assert.match(summaryOf(line([3, 2, null]), at, say), /^CPU: no current value, maximum 3 % at/);
    assert.equal(summaryOf(line([null, null, null]), at, say), 'CPU: no measurements.');
  });

  it('uses a recent measurement as the current value, but not an old measurement', () => {
    const times = Array.from({ length: 61 }, (_, n) => n * 10);
    const until = (last: number) => ({ values: times.map((_, n) => (n <= last ? n : null)) });
    assert.equal(newestOf(until(60), times), 60);
    assert.equal(newestOf(until(58), times), 58);
    assert.equal(newestOf(until(40), times), null);
    assert.equal(newestOf({ values: times.map(() => null) }, times), null);
  });

  it('takes a share of requests from the time of the newest request rate', () => {
    const shares = line([50, 100, null]);
    assert.equal(newestOf(shares, at, [2, 4, 0]), null);
    assert.equal(newestOf(shares, at, [2, 4, null]), null, 'the rate is too old');
    const times = Array.from({ length: 61 }, (_, n) => n * 10);
    const last = (...values: (number | null)[]) => [...times.slice(values.length).map(() => null), ...values];
    assert.equal(newestOf(line(last(100, null)), times, last(4, 0)), null);
    assert.equal(newestOf(line(last(100, null)), times, last(4, null)), 100);
    assert.match(summaryOf(line(last(100, null)), times, say, last(4, 0)), /^CPU: no current value, maximum 100 %/);
  });

  it('says that there were no requests instead of a share', () => {
    assert.equal(absentShare([2, 0], at.slice(1)), 'no requests');
    assert.equal(absentShare([0, 2], at.slice(1), 0), 'no requests');
    assert.equal(absentShare([0, null], at.slice(1), 1), '–');
  });

  it('treats zero as a measured value', () => {
    assert.match(summaryOf(line([0, 0, 0]), at, say), /now 0 %, maximum 0 %/);
  });
});

describe('isolated chart measurements', () => {
  it('returns the indexes of measurements without neighbors', () => {
    assert.deepEqual(alone([1, null, 2, 3, null, 0]), [0, 5]);
    assert.deepEqual(alone([null, null]), []);
    assert.deepEqual(alone([1, 2]), []);
  });
});
