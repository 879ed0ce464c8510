import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ObjectStoreCreate } from '@davit/api';
import { missingInStore, newStore, storeArgs } from './new-store-draft.ts';

describe('an object store that is to run here', () => {
  it('is sent as the contract takes it, to the environment that was chosen', () => {
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

  it('says what is missing', () => {
    assert.match(missingInStore(newStore('')) ?? '', /project/);
    assert.match(missingInStore(newStore('shop/production')) ?? '', /name/);
    assert.match(missingInStore({ ...newStore('shop/production'), name: 'files', memory: 'much' }) ?? '', /512 MiB/);
    assert.equal(missingInStore({ ...newStore('shop/production'), name: 'files' }), null);
  });
});
