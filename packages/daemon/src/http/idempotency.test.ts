import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { DavitError } from '@davit/api';
import { createLogger } from '@davit/service';
import type { Actor } from '../auth/context.ts';
import { Sealer } from '../db/seal.ts';
import { Store } from '../db/store.ts';
import { writeSetting } from '../db/tables/settings.ts';
import type { Exchange } from './exchange.ts';
import { Idempotency } from './idempotency.ts';

/** Creates a request with the fields that this test needs. */
function request(rights: Partial<Pick<Actor, 'role' | 'projects'>> = {}): Exchange {
  const actor = { userId: 1, role: 'admin', projects: [1, 2], ...rights };
  const signedIn = { actor, credential: { kind: 'key', restricted: false } };
  const headers = { 'idempotency-key': 'k' };
  const fields = { method: 'POST', isApi: true, path: '/api/x', queryText: '', bytes: null, headers };
  return { ...fields, caller: signedIn, signedIn, isReplayed: false } as unknown as Exchange;
}

function open(store: Store) {
  const log = createLogger({ level: 'error', destination: { write: () => undefined } });
  return new Idempotency({ store, sealer: new Sealer(randomBytes(32)), now: () => 1_000_000_000, log });
}

test('a refusal after a change is replayed without repeating the change', async () => {
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

for (const [change, rights, isSent] of [
  ['lost access to a project', { projects: [1] }, false],
  ['lost access to all projects', { projects: [] }, false],
  ['got another role', { role: 'member' }, false],
  ['got access to another project', { projects: [1, 2, 3] }, true],
  ['got access to all projects', { projects: null }, true],
] as const)
  test(`the stored response for a caller that ${change} is ${isSent ? 'sent again' : 'withheld, and the request is audited'}`, async () => {
    for (const answer of [() => ({ status: 200, body: 'of project 2' }), refuses]) {
      using store = new Store(':memory:');
      const keys = open(store);
      let changes = 0;
      const work = () => {
        store.tx((tx) => writeSetting(tx, 'changes', String(++changes)));
        return answer();
      };
      const first = await settled(keys.carryOut(request(), work));
      const again = request(rights as Partial<Actor>);
      const repeated = await settled(keys.carryOut(again, work));

      if (isSent) assert.deepEqual(repeated, first);
      else assert.deepEqual([repeated.status, (repeated.reason as DavitError).code], ['rejected', 'forbidden']);
      assert.deepEqual([again.isReplayed, changes], [isSent, 1]);
    }
  });

function refuses(): never {
  throw new DavitError('conflict', 'Project 2 is in use.');
}

async function settled(promise: Promise<unknown>): Promise<{ status: string; value?: unknown; reason?: unknown }> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome ?? assert.fail();
}

test('an error after a change prevents a repetition with the same key', async () => {
  using store = new Store(':memory:');
  const keys = open(store);
  const work = () => {
    store.tx((tx) => writeSetting(tx, 'changed', 'yes'));
    throw new DavitError('unavailable', 'The engine is away.');
  };
  await assert.rejects(keys.carryOut(request(), work), /engine is away/);
  await assert.rejects(keys.carryOut(request(), work), {
    code: 'conflict',
    message: /The result of the first request .* is unknown/,
  });
});

test('a rolled-back change releases its key for another attempt', async () => {
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

test('a response that is too large to store does not allow a repetition', async () => {
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
