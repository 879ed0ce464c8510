import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '@davit/service';
import { isHeld } from '../../test/support/held.ts';
import { startReconciler } from './reconciler.ts';

test('a reconciler settles and stops only after the slow work of its passes', async () => {
  const { promise: work, resolve: finish } = Promise.withResolvers<void>();
  const task = { name: 'slow', everyMs: null, run: async () => undefined, settled: () => work };
  const reconciler = startReconciler(task, createLogger({ level: 'error' }));
  reconciler.nudge();

  const ends = [reconciler.settled(), Promise.resolve(reconciler[Symbol.asyncDispose]())];

  assert.deepEqual(await Promise.all(ends.map(isHeld)), [true, true]);
  finish();
  await Promise.all(ends);
});
