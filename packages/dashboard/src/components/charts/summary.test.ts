import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { alone } from './plot-options.ts';
import { newestOf, summaryOf } from './summary.ts';

const at = [1_800_000_000, 1_800_000_010, 1_800_000_020];
const line = (values: (number | null)[]) => ({ name: 'CPU', values, tone: 'accent' as const });
const say = (value: number) => `${value} %`;

describe('what a chart says in words', () => {
  it('is how it is now, and the highest it was', () => {
    assert.match(summaryOf(line([3, 12, 5]), at, say), /^CPU: now 5 %, maximum 12 % at Jan 15, 2027/);
  });

  it('does not take a gap for nothing used', () => {
    assert.match(summaryOf(line([3, 2, null]), at, say), /^CPU: no current value, maximum 3 % at/);
    assert.equal(summaryOf(line([null, null, null]), at, say), 'CPU: no measurements.');
  });

  it('takes what was measured a moment ago for now, and not what was long ago', () => {
    const times = Array.from({ length: 61 }, (_, n) => n * 10);
    const until = (last: number) => ({ values: times.map((_, n) => (n <= last ? n : null)) });
    assert.equal(newestOf(until(60), times), 60);
    assert.equal(newestOf(until(58), times), 58);
    assert.equal(newestOf(until(40), times), null);
    assert.equal(newestOf({ values: times.map(() => null) }, times), null);
  });

  it('counts zero as measured', () => {
    assert.match(summaryOf(line([0, 0, 0]), at, say), /now 0 %, maximum 0 %/);
  });
});

describe('a measurement between two gaps', () => {
  it('is found, wherever it stands', () => {
    assert.deepEqual(alone([1, null, 2, 3, null, 0]), [0, 5]);
    assert.deepEqual(alone([null, null]), []);
    assert.deepEqual(alone([1, 2]), []);
  });
});
