import assert from 'node:assert/strict';
import test from 'node:test';
import { FewAtOnce, FewOfEach } from './few-at-once.ts';

const never = new AbortController().signal;

test('limits concurrent work and starts waiting work in order', async () => {
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

test('frees the slot after failed or aborted work', async () => {
  const few = new FewAtOnce(1);
  const failing = few.run(never, () => Promise.reject(new Error('no')));
  const left = few.run(AbortSignal.abort(new Error('gone')), async () => 'never');

  await assert.rejects(failing, /no/);
  await assert.rejects(left, /gone/);
  assert.equal(await few.run(never, async () => 'yes'), 'yes');
});

test('ends the wait on abort and gives the slot to the next waiter', async () => {
  const few = new FewAtOnce(1);
  const first = await few.turn();
  const stop = new AbortController();
  const [left, next] = [few.turn(stop.signal), few.turn()];
  assert.equal(few.waiting, 2);

  stop.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  assert.equal(few.waiting, 1);
  first[Symbol.dispose]();
  (await next)[Symbol.dispose]();
});

test('keeps a slot released at the time of an abort', async () => {
  const few = new FewAtOnce(1);
  const first = await few.turn();
  const stop = new AbortController();
  const [left, next] = [few.turn(stop.signal), few.turn()];

  stop.abort(new Error('gone'));
  first[Symbol.dispose]();
  await assert.rejects(left, /gone/);
  (await next)[Symbol.dispose]();
});

test('limits concurrency separately for each key', async () => {
  const few = new FewOfEach<string>(1);
  using _ = await few.turn('a', never);
  using _other = await few.turn('b', never);
  await assert.rejects(few.turn('a', AbortSignal.timeout(5)), { name: 'TimeoutError' });
});
