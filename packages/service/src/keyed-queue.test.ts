import assert from 'node:assert/strict';
import test from 'node:test';
import { KeyedQueue } from './keyed-queue.ts';

/** Returns a queue with work that begins and ends as the test determines. `begun` lists the started work in order. */
function held() {
  const turns = new KeyedQueue<string>();
  const begun: string[] = [];
  const run = (key: string, name: string, signal?: AbortSignal) => {
    const gate = Promise.withResolvers<void>();
    const work = async () => {
      begun.push(name);
      await gate.promise;
      return name;
    };
    return { done: turns.run(key, work, signal), end: gate.resolve, fail: gate.reject };
  };
  return { begun, run };
}

const settled = () => new Promise(setImmediate);

test('runs work of a key in order without delaying other keys', async () => {
  const queue = new KeyedQueue<string>();
  const began: string[] = [];
  const gate = Promise.withResolvers<void>();
  const add = (key: string, name: string, until: Promise<void>) =>
    queue.run(key, async () => {
      began.push(name);
      await until;
      return name;
    });

  const first = add('a', 'first', gate.promise);
  const second = add('a', 'second', Promise.resolve());
  assert.equal(await add('b', 'other', Promise.resolve()), 'other');
  assert.deepEqual(began, ['first', 'other']);

  gate.resolve();
  assert.deepEqual(await Promise.all([first, second]), ['first', 'second']);
  assert.deepEqual(began, ['first', 'other', 'second']);
});

test('runs the next work of a key after a failure', async () => {
  const queue = new KeyedQueue<number>();

  const failing = queue.run(1, () => Promise.reject(new Error('no')));
  const next = queue.run(1, async () => 'yes');

  await assert.rejects(failing, /no/);
  assert.equal(await next, 'yes');
});

test('reports a key as busy until the last work ends', async () => {
  const queue = new KeyedQueue<number>();
  const gate = Promise.withResolvers<void>();
  assert.equal(queue.isBusy(1), false);

  const work = queue.run(1, () => gate.promise);
  assert.deepEqual([queue.isBusy(1), queue.isBusy(2)], [true, false]);
  await queue.emptied(2);
  gate.resolve();
  await queue.emptied(1);
  await queue.settled();

  assert.equal(queue.isBusy(1), false);
  await work;
});

test('removes aborted work from the queue and keeps the order', async () => {
  const { begun, run } = held();
  const leaving = new AbortController();
  const [first, left] = [run('a', 'first'), run('a', 'left', leaving.signal)];
  leaving.abort(new Error('gone'));
  await assert.rejects(left.done, /gone/);
  const next = run('a', 'next');
  await settled();
  assert.deepEqual(begun, ['first']);

  first.end();
  next.end();

  assert.deepEqual([await first.done, await next.done, begun], ['first', 'next', ['first', 'next']]);
  await assert.rejects(run('a', 'late', AbortSignal.abort(new Error('gone'))).done, /gone/);
  assert.deepEqual(begun, ['first', 'next']);
});
