import assert from 'node:assert/strict';
import test from 'node:test';
import { FewAtOnce } from './few-at-once.ts';

const never = new AbortController().signal;

test('work beyond the number waits for its turn, in order', async () => {
  const few = new FewAtOnce(2);
  const began: number[] = [];
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const done = gates.map(({ promise }, n) =>
    few.run(never, async () => {
      began.push(n);
      await promise;
    }),
  );
  await new Promise(setImmediate);
  assert.deepEqual(began, [0, 1]);

  gates[1]?.resolve();
  await done[1];
  await new Promise(setImmediate);
  assert.deepEqual(began, [0, 1, 2]);

  for (const { resolve } of gates) resolve();
  await Promise.all(done);
});

test('work that fails, or that nobody waits for any more, frees its place', async () => {
  const few = new FewAtOnce(1);
  const failing = few.run(never, () => Promise.reject(new Error('no')));
  const left = few.run(AbortSignal.abort(new Error('gone')), async () => 'never');

  await assert.rejects(failing, /no/);
  await assert.rejects(left, /gone/);
  assert.equal(await few.run(never, async () => 'yes'), 'yes');
});
