import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectStore } from '@davit/api';
import { whyNotStore } from './store-may.ts';

const ALL = { operate: null, administer: null };
const store = (more: Partial<ObjectStore> = {}) =>
  ({ name: 'files', kind: 'managed', status: 'running', task: null, ...more }) as ObjectStore;

describe('what can be done with an object store', () => {
  it('is everything but starting it and replacing its keys while it runs here', () => {
    const { start, keys, ...rest } = whyNotStore(store(), ALL);
    assert.equal(start, 'files is running.');
    assert.equal(keys, 'Davit generates the keys of this store, so you cannot replace them.');
    assert.deepEqual(new Set(Object.values(rest)), new Set([null]));
  });

  it('is no running of it where somebody else runs it', () => {
    const not = whyNotStore(store({ kind: 'linked', status: 'linked' }), ALL);
    for (const action of ['start', 'stop', 'expose'] as const)
      assert.equal(not[action], 'This object store is linked: another service runs the store, not Davit.');
    assert.deepEqual([not.use, not.keys, not.delete], [null, null, null]);
  });

  it('waits for the task that is open', () => {
    const not = whyNotStore(store({ task: 7 }), ALL);
    for (const action of ['stop', 'expose', 'delete'] as const) assert.match(not[action] ?? '', /Task 7 is running/);
    assert.deepEqual([not.use, not.describe], [null, null]);
  });

  it('is to be brought back or deleted for good, in the trash', () => {
    const not = whyNotStore(store({ status: 'trash' }), ALL);
    assert.deepEqual([not.start, not.use], ['files is trash.', 'files is trash.']);
    assert.match(not.describe ?? '', /in the trash/);
    assert.equal(not.delete, null);
  });

  it('says first that somebody may not', () => {
    const not = whyNotStore(store({ task: 7 }), { operate: 'no viewer', administer: 'admins only' });
    assert.deepEqual([not.start, not.expose, not.delete], ['no viewer', 'admins only', 'admins only']);
  });
});
