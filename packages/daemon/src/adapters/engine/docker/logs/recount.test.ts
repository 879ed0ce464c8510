import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { freeBuffers } from '../../free-buffers.ts';
import type { LogBatch } from '../../logs.ts';
import { Recount } from './recount.ts';

/** Returns a batch in which the text of each line is its time in nanoseconds. */
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

function linesOf(found: LogBatch[]): number[] {
  return found.flatMap(({ text }) => text.toString().split('\n').slice(0, -1).map(Number));
}

test('Recount returns all lines missed before the last followed line', async () => {
  const all = Array.from({ length: 60 }, (_, n) => n + 1);
  await fc.assert(
    fc.asyncProperty(fc.subarray(all, { minLength: 1 }), fc.integer({ min: 1, max: 20 }), async (followed, size) => {
      const recount = new Recount(null);
      for (const moment of followed) recount.add(batch([moment], `after ${moment}`));

      const found = await Array.fromAsync(recount.missing(() => inBatches(all, size)));

      const last = followed.at(-1) ?? 0;
      assert.deepEqual(
        linesOf(found),
        all.filter((moment) => moment < last && !followed.includes(moment)),
      );
      for (const { position } of found) assert.equal(position, `after ${last}`);
    }),
  );
});

test('Recount reads each part of the log only once, from the last position', async () => {
  const recount = new Recount('begin');
  const requestedPositions: (string | null)[] = [];
  const read = (lines: number[]) => (after: string | null) => {
    requestedPositions.push(after);
    return inBatches(lines, 3);
  };
  recount.add(batch([1, 3], 'three'));
  assert.deepEqual(linesOf(await Array.fromAsync(recount.missing(read([1, 2, 3])))), [2]);
  recount.add(batch([6], 'six'));
  assert.deepEqual(linesOf(await Array.fromAsync(recount.missing(read([4, 5, 6, 7])))), [4, 5]);

  assert.deepEqual(requestedPositions, ['begin', 'three']);
});

test('Recount ignores followed lines that the log files no longer contain', async () => {
  const recount = new Recount(null);
  recount.add(batch([1, 2, 3, 5]));

  assert.deepEqual(linesOf(await Array.fromAsync(recount.missing(() => inBatches([3, 4, 5], 1)))), [4]);
});

test('Recount yields missing lines incrementally with less than 16 MiB of buffers', async () => {
  const recount = new Recount(null);
  recount.add(batch([1, 100, 200, 300], 'end'));
  const MIB = 1024 * 1024;
  /** Yields log files with seven missing lines of 1 MiB after each followed line. */
  async function* files(): AsyncGenerator<LogBatch> {
    for (const first of [1, 100, 200, 300]) {
      yield batch([first]);
      for (let n = 1; n <= 7; n += 1) {
        const text = Buffer.alloc(MIB, 'x');
        text[MIB - 1] = 0x0a;
        yield { ...batch([first + n]), text };
      }
    }
  }

  const nanos: number[] = [];
  let most = 0;
  const before = process.memoryUsage().arrayBuffers;
  for await (const missing of recount.missing(files)) {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    nanos.push(...missing.nanos);
    freeBuffers([missing.text]);
  }

  assert.deepEqual(nanos, [2, 3, 4, 5, 6, 7, 8, 101, 102, 103, 104, 105, 106, 107, 201, 202, 203, 204, 205, 206, 207]);
  assert.ok(most < 16 * MIB, `${most / MIB} MiB`);
});

test('Recount gives up if the log files contain no followed line', async () => {
  const recount = new Recount(null);
  recount.add(batch([1, 2, 3]));
  const text = Buffer.alloc(1024 * 1024, 'x');
  text[text.length - 1] = 0x0a;
  let read = 0;
  /** Yields endless log files that contain none of the followed lines, as after a restart of the files. */
  async function* without(seconds: number): AsyncGenerator<LogBatch> {
    for (read = 0; read < 1_000; read += 1) {
      yield { ...batch([10 + read]), seconds: Uint32Array.of(1_800_000_000 + seconds), text: Buffer.from(text) };
    }
  }

  assert.deepEqual(await Array.fromAsync(recount.missing(() => without(0))), []);
  assert.ok(read < 20, `${read} MiB were held`);
  recount.add(batch([4, 5, 6]));
  assert.deepEqual(await Array.fromAsync(recount.missing(() => without(2))), []);
  assert.equal(read, 0, 'nothing is read beyond the last line that was followed');
});

test('Recount reports that its limit is reached before 500,000 followed lines', () => {
  const recount = new Recount(null);
  const moments = Array.from({ length: 10_000 }, (_, n) => n);
  let lines = 0;
  for (; !recount.isFull && lines < 1e6; lines += moments.length) recount.add(batch(moments));
  assert.ok(lines < 500_000, `${lines} lines`);
});
