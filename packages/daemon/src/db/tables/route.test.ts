import assert from 'node:assert/strict';
import test from 'node:test';
import { CoreWorld } from '../../../test/support/core-world.ts';
import { slotFor } from './route.ts';

test('slotFor keeps the number of a target and reuses the lowest free number', () => {
  using world = CoreWorld.withApp();
  for (const name of ['b', 'c']) world.addApp(name);
  const slot = (app: string, port: number | null, protocol: 'http' | 'h2c') =>
    world.core.store.tx((tx) => slotFor(tx, world.app(app).id, port, protocol));

  assert.deepEqual([slot('web', null, 'http'), slot('b', null, 'http'), slot('c', null, 'http')], [1, 2, 3]);
  assert.deepEqual([slot('web', null, 'h2c'), slot('web', 80, 'http'), slot('web', null, 'h2c')], [4, 5, 4]);
  world.core.store.tx((tx) => tx.run('DELETE FROM apps WHERE id = ?', world.app('b').id));
  assert.deepEqual([slot('c', 80, 'http'), slot('c', 81, 'http')], [2, 6]);
});

test('slotFor assigns number 1 again after its release', () => {
  using world = CoreWorld.withApp();
  world.addApp('b');
  world.core.store.tx((tx) => tx.run('DELETE FROM routes WHERE slot = 1'));

  assert.equal(
    world.core.store.tx((tx) => slotFor(tx, world.app().id, 9, 'http')),
    1,
  );
});
