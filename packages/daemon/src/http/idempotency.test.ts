import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { DavitError } from '@davit/api';
import { createLogger } from '@davit/service';
import { Sealer } from '../db/seal.ts';
import { Store } from '../db/store.ts';
import { writeSetting } from '../db/tables/settings.ts';
import type { Exchange } from './exchange.ts';
import { Idempotency } from './idempotency.ts';

/** Creates a request with the fields that this test needs. */
function request(): Exchange {
  const signedIn = { actor: { userId: 1 }, credential: { kind: 'key', restricted: false } };
  const headers = { 'idempotency-key': 'k' };
  const asked = { method: 'POST', isApi: true, path: '/api/x', queryText: '', bytes: null, headers };
  return { ...asked, caller: signedIn, signedIn, isReplayed: false } as unknown as Exchange;
}

function open(store: Store) {
  const log = createLogger({ level: 'error', destination: { write: () => undefined } });
  return new Idempotency({ store, sealer: new Sealer(randomBytes(32)), now: () => 1_000_000_000, log });
}

test('what was refused after a change is refused the same, and not carried out again', async () => {
  using store = new Store(':memory:');
  const keys = open(store);
  let changes = 0;
  const work = () => {
    store.tx((tx) => writeSetting(tx, 'changes', String(++changes)));
    throw new DavitError('conflict', 'Half of it is done.');
  };

  await assert.rejects(keys.carryOut(request(), work), /Half of it/);
  const again = request();
  await assert.rejects(keys.carryOut(again, work), { code: 'conflict', message: 'Half of it is done.' });

  assert.equal(again.isReplayed, true);
  assert.equal(changes, 1);
});

test('what failed after a change is not carried out again', async () => {
  using store = new Store(':memory:');
  const keys = open(store);
  const work = () => {
    store.tx((tx) => writeSetting(tx, 'changed', 'yes'));
    throw new DavitError('unavailable', 'The engine is away.');
  };
  await assert.rejects(keys.carryOut(request(), work), /engine is away/);
  await assert.rejects(keys.carryOut(request(), work), { code: 'conflict', message: /begun and how it ended/ });
});

test('a change that is undone takes its key with it', async () => {
  using store = new Store(':memory:');
  const keys = open(store);
  let fails = true;
  const work = () => {
    store.tx((tx) => {
      writeSetting(tx, 'changed', 'yes');
      if (fails) throw new DavitError('conflict', 'Not now.');
    });
    return { status: 204 };
  };
  await assert.rejects(keys.carryOut(request(), work), /Not now/);
  fails = false;
  assert.deepEqual(await keys.carryOut(request(), work), { status: 204 });
  const again = request();
  assert.deepEqual(await keys.carryOut(again, work), { status: 204 });
  assert.equal(again.isReplayed, true);
});

test('an answer that cannot be kept does not undo the change, nor let it be repeated', async () => {
  using store = new Store(':memory:');
  const keys = open(store);
  let changes = 0;
  const work = () => {
    store.tx((tx) => writeSetting(tx, 'changes', String(++changes)));
    return { status: 200, body: 'x'.repeat(2 * 1024 * 1024) };
  };
  assert.equal((await keys.carryOut(request(), work)).status, 200);
  await assert.rejects(keys.carryOut(request(), work), { code: 'conflict' });
  assert.equal(changes, 1);
});
