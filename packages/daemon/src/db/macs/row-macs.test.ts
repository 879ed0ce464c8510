import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryStore } from '../../../test/support/memory-store.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { deleteSetting, readSetting, writeSetting } from '../tables/settings.ts';
import { deleteUser, insertUser, touchUser } from '../tables/user.ts';
import { protectRows } from './protect-rows.ts';

const KEY = Buffer.alloc(32, 7);
const USER = { username: 'ada', passwordHash: 'hash', role: 'admin', projects: null, at: 1 } as const;

/** Runs SQL without the triggers, like a change of the file. */
function changeOutside(store: ReturnType<typeof memoryStore>, sql: string): void {
  store.tx((tx) => {
    for (const change of ['update', 'delete']) tx.run(`DROP TRIGGER IF EXISTS temp.mac_settings_${change}`);
    tx.run(sql);
  });
}

describe('protected rows', () => {
  it('stay valid after inserts, updates, deletions and failed transactions', () => {
    using store = memoryStore();
    assert.deepEqual(protectRows(store, KEY, false), []);
    const id = store.tx((tx) => insertUser(tx, USER));
    store.tx((tx) => touchUser(tx, id, 2));
    store.tx((tx) => writeSetting(tx, 'a', '1'));
    store.tx((tx) => writeSetting(tx, 'a', '2'));
    assert.throws(() =>
      store.tx((tx) => {
        writeSetting(tx, 'a', '3');
        throw new Error('stop');
      }),
    );
    store.tx((tx) => insertUser(tx, { ...USER, username: 'grace' }));
    store.tx((tx) => deleteUser(tx, id));
    store.tx((tx) => writeSetting(tx, 'b', '1'));
    store.tx((tx) => deleteSetting(tx, 'b'));

    assert.deepEqual(protectRows(store, KEY, false), []);
  });

  it('are refused with another key', () => {
    using store = memoryStore();
    protectRows(store, KEY, false);

    assert.equal(protectRows(store, Buffer.alloc(32, 8), false).length > 0, true);
  });

  it('are accepted again only on request', () => {
    using store = memoryStore();
    protectRows(store, KEY, false);
    store.tx((tx) => writeSetting(tx, 'a', '1'));
    changeOutside(store, "UPDATE settings SET value = '2' WHERE key = 'a'");

    const changed = [{ table: 'settings', row: 'a', change: 'changed' }];
    assert.deepEqual(protectRows(store, KEY, false), changed);
    assert.deepEqual(protectRows(store, KEY, true), []);
    assert.equal(readSetting(store, 'a'), '2');
    assert.deepEqual(protectRows(store, KEY, false), []);
  });

  it('are checked in slices, also for removed rows', () => {
    using store = memoryStore();
    protectRows(store, KEY, false);
    store.tx((tx) => {
      for (let n = 1_000; n < 3_500; n += 1) writeSetting(tx, `key ${n}`, 'value');
    });
    changeOutside(store, "DELETE FROM settings WHERE key = 'key 3400'");
    store.tx((tx) => tx.run("INSERT INTO row_macs VALUES ('variables', 'no JSON', x'00')"));

    let slices = 1;
    const check = store.changedRows();
    let step = check.next();
    for (; !step.done; step = check.next()) slices += 1;

    assert.deepEqual(step.value, [
      { table: 'variables', row: 'no JSON', change: 'removed' },
      { table: 'settings', row: 'key 3400', change: 'removed' },
    ]);
    assert.ok(slices >= 5, 'two interruptions while rows are read, and two while MACs are read');
  });

  it('are sealed again after a migration, but not after a change of the schema version in the settings', () => {
    using store = memoryStore();
    protectRows(store, KEY, false);
    store.tx((tx) => writeSetting(tx, 'row_macs', String(MIGRATIONS.length - 1)));
    changeOutside(store, "UPDATE settings SET value = 'x' WHERE key = 'a'");
    assert.deepEqual(protectRows(store, KEY, false), []);
    assert.equal(readSetting(store, 'row_macs'), String(MIGRATIONS.length));

    changeOutside(store, "UPDATE settings SET value = '1' WHERE key = 'row_macs'");
    assert.deepEqual(protectRows(store, KEY, false), [{ table: 'settings', row: 'row_macs', change: 'changed' }]);
  });
});
