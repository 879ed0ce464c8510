import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHeld } from '../../test/support/held.ts';
import { Lanes } from './lanes.ts';

const { signal } = new AbortController();
const ids = Array.from({ length: 20 }, (_, at) => at);

test('Lanes starts calls in order, at most four at the same time', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const lanes = new Lanes();
  const started: number[] = [];
  const work = async (id: number) => {
    started.push(id);
    await gate;
  };

  const running = lanes.run(ids, work, signal);

  assert.deepEqual(started, [0, 1, 2, 3]);
  open();
  await running;
  assert.deepEqual(started, ids);
});

test('Lanes starts no further calls after an error and throws the error', async () => {
  const lanes = new Lanes();
  const started: number[] = [];
  const work = async (id: number) => {
    started.push(id);
    if (id === 2) throw new Error('away');
  };

  await assert.rejects(lanes.run(ids, work, signal), /away/);

  await lanes.settled();
  assert.ok(started.length < ids.length, String(started.length));
});

test('Lanes starts no further calls after an abort and settles after running calls', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const lanes = new Lanes();
  const stopping = new AbortController();
  const started: number[] = [];
  const work = async (id: number) => {
    started.push(id);
    if (id === 0) await gate;
    else stopping.abort(new Error('stopping'));
  };

  await assert.rejects(lanes.run(ids, work, stopping.signal), /stopping/);

  assert.ok(started.length < ids.length, String(started.length));
  const settled = lanes.settled();
  assert.equal(await isHeld(settled), true);
  open();
  await settled;
});
