import assert from 'node:assert/strict';
import test from 'node:test';
import { LatestWins, SUPERSEDED } from './latest-wins.ts';

test('LatestWins lets calls during a run share the next run with the newest input', async () => {
  const first = Promise.withResolvers<void>();
  const seen: number[] = [];
  const worker = new LatestWins<number, string>(async (input) => {
    seen.push(input);
    if (input === 1) await first.promise;
    return `did ${input}`;
  });

  const answers = [worker.run(1), worker.run(2), worker.run(3)];
  first.resolve();

  assert.deepEqual(await Promise.all(answers), ['did 1', 'did 3', 'did 3']);
  assert.deepEqual(seen, [1, 3]);
});

test('LatestWins passes the callers of a superseded run to the next run', async () => {
  const newer = Promise.withResolvers<void>();
  const worker = new LatestWins<number, string>(async (input, superseded) => {
    if (input === 1) await newer.promise;
    return superseded() ? SUPERSEDED : `did ${input}`;
  });

  const answers = [worker.run(1), worker.run(2)];
  newer.resolve();

  assert.deepEqual(await Promise.all(answers), ['did 2', 'did 2']);
});

test('LatestWins rejects only the callers of a failed run and runs the next input', async () => {
  const worker = new LatestWins<number, number>(async (input) => {
    if (input === 1) throw new Error('no');
    return input;
  });

  const failing = worker.run(1);
  const working = worker.run(2);

  await assert.rejects(failing, /no/);
  assert.equal(await working, 2);
  assert.equal(await worker.run(3), 3);
});
