import assert from 'node:assert/strict';
import test from 'node:test';
import { unchecked } from './select.ts';
import { type CommittedEvent, Store } from './store.ts';

function open() {
  const store = new Store(':memory:', () => 1_000);
  const events: CommittedEvent[] = [];
  store.onEvent((event) => events.push(event));
  return { store, events, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

const keys = (store: Store) => store.all(unchecked<{ key: string }>('SELECT key FROM settings')).map(({ key }) => key);

test('the store emits an event after its transaction with number and time', () => {
  using harness = open();

  harness.store.tx((tx) => {
    tx.event({ kind: 'app', appId: 7, data: { change: 'created' } });
    assert.deepEqual(harness.events, []);
  });

  const scope = { projectId: null, app: null, deploymentId: null };
  const expected = { kind: 'app', appId: 7, data: { change: 'created' }, seq: 1, at: 1_000, ...scope };
  assert.deepEqual(harness.events, [expected]);
});

test('the store saves and emits nothing if a transaction throws', () => {
  using harness = open();

  assert.throws(() =>
    harness.store.tx((tx) => {
      tx.run("INSERT INTO settings (key, value) VALUES ('a', 'b')");
      tx.event({ kind: 'app', data: { change: 'changed' } });
      throw new Error('no');
    }),
  );

  assert.deepEqual(keys(harness.store), []);
  assert.deepEqual(harness.events, []);
});

test('the store refuses a nested transaction and rolls back the outer transaction', () => {
  using harness = open();

  assert.throws(
    () =>
      harness.store.tx((tx) => {
        tx.run("INSERT INTO settings (key, value) VALUES ('a', 'b')");
        harness.store.tx(() => undefined);
      }),
    /inside a transaction/,
  );

  assert.deepEqual(keys(harness.store), []);
});

test('memo reads a value again only after a committed change', () => {
  using harness = open();
  let reads = 0;
  const read = () => harness.store.memo('settings', () => ++reads);

  assert.deepEqual([read(), read()], [1, 1]);
  harness.store.tx((tx) => tx.run("INSERT INTO settings (key, value) VALUES ('a', 'b')"));
  assert.equal(read(), 2);
  assert.throws(() => harness.store.tx(() => harness.store.exists('nonsense')));
  assert.equal(read(), 2);
});

test('memo keeps a value after a transaction without changes', () => {
  using harness = open();
  let reads = 0;
  const read = () => harness.store.memo('settings', () => ++reads);

  read();
  harness.store.tx((tx) => tx.run("DELETE FROM settings WHERE key = 'nothing'"));

  assert.equal(read(), 1);
});

test('memoCopy returns a separate copy and reads again only after a change', () => {
  using harness = open();
  let reads = 0;
  const read = () => harness.store.memoCopy('app', () => ({ reads: ++reads, domains: ['a.example.com'] }));

  read().domains.push('changed');

  assert.deepEqual(read(), { reads: 1, domains: ['a.example.com'] });
  harness.store.tx((tx) => {
    tx.run("INSERT INTO settings (key, value) VALUES ('a', 'b')");
    assert.equal(
      tx.memoCopy('app', () => 'anew'),
      'anew',
    );
  });
  assert.equal(read().reads, 2);
});

test('memo and memoCopy do not cache a missing value', () => {
  using harness = open();
  let reads = 0;
  const nothing = () => void ++reads;

  for (let i = 0; i < 2; i += 1) {
    assert.equal(harness.store.memo('nothing', nothing), undefined);
    assert.equal(harness.store.memoCopy('nothing copied', nothing), undefined);
  }

  assert.equal(reads, 4);
});

test('memo discards a value read in a rolled-back transaction', () => {
  using harness = open();
  const count = () => harness.store.memo('count', () => keys(harness.store).length);

  assert.throws(() =>
    harness.store.tx((tx) => {
      tx.run("INSERT INTO settings (key, value) VALUES ('a', 'b')");
      assert.equal(count(), 1);
      throw new Error('no');
    }),
  );

  assert.equal(count(), 0);
});

test('the audit trail checks the rights of an entry only before its first change', () => {
  using harness = open();
  const { store } = harness;
  const write = (key: string) => store.tx((tx) => void tx.run("INSERT INTO settings (key, value) VALUES (?, '')", key));
  let hasRights = true;
  const entry = () => ({
    written: false,
    write: () => undefined,
    demandRights: () => {
      if (!hasRights) throw new Error('no rights');
    },
  });

  store.trail.during(entry(), () => {
    hasRights = false;
    assert.throws(() => write('refused'), /no rights/);
    assert.throws(
      () => store.trail.during({ written: false, write: () => undefined }, () => write('inner')),
      /no rights/,
    );
    store.trail.apart(() => write('apart'));
    hasRights = true;
    write('first');
    hasRights = false;
    write('second');
    assert.throws(() => store.trail.demandRights(), /no rights/);
  });
  store.trail.during(entry(), () => {
    hasRights = true;
    assert.throws(() =>
      store.tx(() => {
        throw new Error('undone');
      }),
    );
    hasRights = false;
    assert.throws(() => write('after one that was undone'), /no rights/);
    hasRights = true;
    store.trail.demandRights();
    hasRights = false;
    write('of an effect elsewhere');
  });

  assert.deepEqual(keys(store), ['apart', 'first', 'of an effect elsewhere', 'second']);
});
