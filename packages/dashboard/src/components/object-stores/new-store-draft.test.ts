import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ObjectStoreCreate } from '@davit/api';
import { keepStoreDraft, missingInStore, newStore, storeArgs, storeDraftAgain } from './new-store-draft.ts';

describe('managed object store draft', () => {
  it('sends a valid request for the selected environment', () => {
    const draft = { ...newStore('shop/production'), name: 'files', memory: '1 GiB', description: ' Pictures ' };
    const { params, body } = storeArgs(draft);
    assert.deepEqual(params, { project: 'shop', environment: 'production' });
    assert.deepEqual(body, {
      ...{ name: 'files', description: 'Pictures' },
      limits: { cpu: null, memory_bytes: 1024 ** 3 },
    });
    assert.ok(ObjectStoreCreate.safeParse(body).success);
    assert.equal(storeArgs({ ...draft, version: '3.80' }).body?.version, '3.80');
  });

  it('reports a missing project or name and an invalid memory limit', () => {
    assert.match(missingInStore(newStore('')) ?? '', /project/);
    assert.match(missingInStore(newStore('shop/production')) ?? '', /name/);
    assert.match(missingInStore({ ...newStore('shop/production'), name: 'files', memory: 'much' }) ?? '', /512 MiB/);
    assert.equal(missingInStore({ ...newStore('shop/production'), name: 'files' }), null);
  });

  it('returns with all values after a failed creation, or with the name if the values are unknown', () => {
    const draft = { ...newStore('shop/staging'), name: 'files', version: '3.80' };
    keepStoreDraft(draft);
    assert.deepEqual(storeDraftAgain('files', 'shop/production'), draft);
    const unknown = { ...newStore('shop/production'), name: 'other' };
    assert.deepEqual(storeDraftAgain('other', 'shop/production'), unknown);
  });
});
