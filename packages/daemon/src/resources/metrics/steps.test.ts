import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Steps } from './steps.ts';

const SHAPE = ['mean', 'most', 'last'] as const;

function steps(most = 10): Steps {
  return new Steps(10_000, most, SHAPE);
}

describe('metric steps', () => {
  it('combine the values of one step by the rule of each column', () => {
    const own = steps();
    own.add(1_000, 7, [10, 5, 1]);
    own.add(9_999, 7, [20, 3, 2]);
    own.add(10_000, 7, [1, 1, 1]);

    assert.deepEqual(own.read(7, 0, 10_000, 10_000), [[15, 5, 2]]);
    assert.equal(own.newest, 10_000);
  });

  it('return null for unmeasured and unfinished steps', () => {
    const own = steps();
    own.add(5_000, 1, [1, 1, 1]);
    own.add(5_000, 9, [9, 9, 9]);
    own.add(35_000, 9, [9, 9, 9]);
    own.closeUntil(39_999);

    assert.deepEqual(own.read(9, 0, 40_000, 10_000), [[9, 9, 9], null, null, null]);
    assert.deepEqual(own.read(5, 0, 40_000, 10_000), [null, null, null, null]);
    own.closeUntil(40_000);
    assert.deepEqual(own.read(9, 30_000, 40_000, 10_000), [[9, 9, 9]]);
  });

  it('can be read as longer steps', () => {
    const own = steps();
    for (const [i, figure] of [1, 2, 3, 4].entries()) own.add(i * 10_000, 1, [figure, figure, figure]);
    own.closeUntil(40_000);

    assert.deepEqual(own.read(1, 0, 40_000, 20_000), [
      [1.5, 2, 2],
      [3.5, 4, 4],
    ]);
  });

  it('keep only a maximum number of steps, in memory and unwritten', () => {
    const own = steps(3);
    for (let i = 0; i < 10; i += 1) own.add(i * 10_000, 1, [i, i, i]);

    assert.deepEqual(own.read(1, 0, 100_000, 10_000).filter(Boolean).length, 3);
    assert.deepEqual(
      own.unwritten.map(({ at }) => at),
      [70_000, 80_000, 90_000],
    );
    own.noteWritten();
    assert.deepEqual(own.unwritten, []);
  });

  it('can be loaded from stored rows at any memory offset', () => {
    const own = steps();
    for (const id of [3, 1, 2]) own.add(0, id, [id, id * 10, Number.NaN]);
    own.closeUntil(10_000);
    const rows = own.unwritten.map(({ at, data }) => {
      const moved = new Uint8Array(data.byteLength + 1);
      moved.set(data, 1);
      return { at, data: moved.subarray(1) };
    });

    const later = steps();
    later.load(rows);

    assert.deepEqual(later.read(2, 0, 10_000, 10_000), [[2, 20, Number.NaN]]);
    assert.deepEqual(later.read(3, 0, 10_000, 10_000), [[3, 30, Number.NaN]]);
  });

  it('complete an unfinished coarse step from finer steps', () => {
    const fine = steps();
    const coarse = new Steps(60_000, 10, SHAPE);
    for (let i = 0; i < 7; i += 1) fine.add(i * 10_000, 1, [i, i, i]);

    coarse.catchUp(fine);
    coarse.closeUntil(60_000);

    assert.deepEqual(coarse.read(1, 0, 60_000, 60_000), [[2.5, 5, 5]]);
    coarse.catchUp(fine);
    assert.equal(coarse.unwritten.length, 1);
  });

  it('restart at the new time after the clock is set back', () => {
    const own = steps();
    for (const at of [0, 10_000, 20_000, 30_000]) own.add(at, 1, [at, at, at]);

    own.add(12_000, 1, [5, 5, 5]);
    own.closeUntil(20_000);

    assert.deepEqual(own.read(1, 0, 40_000, 10_000), [[0, 0, 0], [5, 5, 5], null, null]);
  });
});
