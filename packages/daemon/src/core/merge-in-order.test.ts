import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { mergeInOrder } from './merge-in-order.ts';

const ascending = (a: number, b: number) => a - b;

async function* stream(items: readonly number[], onEnd: () => void = () => undefined): AsyncGenerator<number> {
  try {
    yield* items;
  } finally {
    onEnd();
  }
}

test('streams in order become one in order, with everything in it', async () => {
  const sorted = fc.array(fc.integer()).map((items) => items.sort(ascending));
  await fc.assert(
    fc.asyncProperty(fc.array(sorted, { maxLength: 5 }), async (streams) => {
      const merged = await Array.fromAsync(
        mergeInOrder(
          streams.map((items) => stream(items)),
          ascending,
        ),
      );
      assert.deepEqual(merged, streams.flat().sort(ascending));
    }),
  );
});

test('a reader that stops early ends every stream', async () => {
  let ended = 0;
  const streams = [
    [1, 3],
    [2, 4],
  ].map((items) => stream(items, () => ended++));

  for await (const item of mergeInOrder(streams, ascending)) if (item === 2) break;

  assert.equal(ended, 2);
});

test('a failure of one stream ends the others and is thrown', async () => {
  let ended = 0;
  const broken = (async function* () {
    yield 2;
    throw new Error('broken');
  })();

  const merged = Array.fromAsync(mergeInOrder([stream([1, 9], () => ended++), broken], ascending));

  await assert.rejects(merged, /broken/);
  assert.equal(ended, 1);
});
