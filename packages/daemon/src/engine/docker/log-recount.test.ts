import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { LogBatch } from '../logs.ts';
import { Recount } from './log-recount.ts';

/** Lines that are named by their moments. */
function batch(moments: number[], position = 'x'): LogBatch {
  return {
    count: moments.length,
    seconds: Uint32Array.from(moments, () => 1_800_000_000),
    nanos: Uint32Array.from(moments),
    stderr: Uint8Array.from(moments, (moment) => moment % 2),
    text: Buffer.from(moments.map((moment) => `${moment}\n`).join('')),
    position,
  };
}

async function* inBatches(moments: number[], size: number): AsyncGenerator<LogBatch> {
  for (let at = 0; at < moments.length; at += size) yield batch(moments.slice(at, at + size));
}

function linesOf(found: LogBatch | null): number[] {
  return found?.text.toString().split('\n').slice(0, -1).map(Number) ?? [];
}

test('what a follow left out is found, up to the last line that it had', async () => {
  const all = Array.from({ length: 60 }, (_, n) => n + 1);
  await fc.assert(
    fc.asyncProperty(fc.subarray(all, { minLength: 1 }), fc.integer({ min: 1, max: 20 }), async (followed, size) => {
      const recount = new Recount(null);
      for (const moment of followed) recount.add(batch([moment], `after ${moment}`));

      const found = await recount.missing(() => inBatches(all, size));

      const last = followed.at(-1) ?? 0;
      assert.deepEqual(
        linesOf(found),
        all.filter((moment) => moment < last && !followed.includes(moment)),
      );
      if (found !== null) assert.equal(found.position, `after ${last}`);
    }),
  );
});

test('each part is looked at once, from where the last one ended', async () => {
  const recount = new Recount('begin');
  const asked: (string | null)[] = [];
  const read = (lines: number[]) => (after: string | null) => {
    asked.push(after);
    return inBatches(lines, 3);
  };
  recount.add(batch([1, 3], 'three'));
  assert.deepEqual(linesOf(await recount.missing(read([1, 2, 3]))), [2]);
  recount.add(batch([6], 'six'));
  assert.deepEqual(linesOf(await recount.missing(read([4, 5, 6, 7]))), [4, 5]);

  assert.deepEqual(asked, ['begin', 'three']);
});

test('what is in no file any more is not missed', async () => {
  const recount = new Recount(null);
  recount.add(batch([1, 2, 3, 5]));

  assert.deepEqual(linesOf(await recount.missing(() => inBatches([3, 4, 5], 1))), [4]);
});
