import assert from 'node:assert/strict';
import test from 'node:test';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import { slotFor } from './route.ts';

test('slotFor keeps the number of a target and reuses the lowest free number', () => {
  using harness = CoreHarness.withApp();
  for (const name of ['b', 'c']) harness.addApp(name);
  const slot = (app: string, port: number | null, protocol: 'http' | 'h2c') =>
    harness.core.store.tx((tx) => slotFor(tx, harness.app(app).id, port, protocol));

  assert.deepEqual([slot('web', null, 'http'), slot('b', null, 'http'), slot('c', null, 'http')], [1, 2, 3]);
  assert.deepEqual([slot('web', null, 'h2c'), slot('web', 80, 'http'), slot('web', null, 'h2c')], [4, 5, 4]);
  harness.core.store.tx((tx) => tx.run('DELETE FROM apps WHERE id = ?', harness.app('b').id));
  assert.deepEqual([slot('c', 80, 'http'), slot('c', 81, 'http')], [2, 6]);
});

test('slotFor assigns number 1 again after its release', () => {
  using harness = CoreHarness.withApp();
  harness.addApp('b');
  harness.core.store.tx((tx) => tx.run('DELETE FROM routes WHERE slot = 1'));

  assert.equal(
    harness.core.store.tx((tx) => slotFor(tx, harness.app().id, 9, 'http')),
    1,
  );
});
