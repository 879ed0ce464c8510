import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectStore } from '@davit/api';
import { whyNotStore } from './store-may.ts';

const ALL = { operate: null, administer: null };
const store = (more: Partial<ObjectStore> = {}) =>
  ({ name: 'files', kind: 'managed', status: 'running', task: null, ...more }) as ObjectStore;

describe('actions on an object store', () => {
  it('allows everything except start and key replacement for a running managed store', () => {
    const { start, keys, ...rest } = whyNotStore(store(), ALL);
    assert.equal(start, 'files is running.');
    assert.equal(keys, 'Davit generates the keys of this store, so you cannot replace them.');
    assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
  });

  it('refuses start, stop and expose for a linked store', () => {
    const not = whyNotStore(store({ kind: 'linked', status: 'linked' }), ALL);
    for (const action of ['start', 'stop', 'expose'] as const)
      assert.equal(not[action], 'This object store is linked: another service runs the store, not Davit.');
    assert.deepEqual([not.use, not.keys, not.delete], [null, null, null]);
  });

  it('refuses stop, expose and delete while a task runs', () => {
    const not = whyNotStore(store({ task: 7 }), ALL);
    for (const action of ['stop', 'expose', 'delete'] as const) assert.match(not[action] ?? '', /Task 7 is running/);
    assert.deepEqual([not.use, not.describe], [null, null]);
  });

  it('refuses start and use of a store in the trash, but allows deletion', () => {
    const not = whyNotStore(store({ status: 'trash' }), ALL);
    assert.deepEqual([not.start, not.use], ['files is trash.', 'files is trash.']);
    assert.match(not.describe ?? '', /in the trash/);
    assert.equal(not.delete, null);
  });

  it('reports missing permissions before a running task', () => {
    const not = whyNotStore(store({ task: 7 }), { operate: 'no viewer', administer: 'admins only' });
    assert.deepEqual([not.start, not.expose, not.delete], ['no viewer', 'admins only', 'admins only']);
  });
});
