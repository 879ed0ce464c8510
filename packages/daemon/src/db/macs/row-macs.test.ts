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
    tx.run('DROP TRIGGER IF EXISTS temp.mac_settings_update');
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
