/** MACs of protected rows: Davit keeps them correct with each write, and detects each change outside of Davit. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { bootDaemon, seed, seedData, type TestDaemon } from '@davit/testkit';
import { findChangedRows, type RowFinding } from '../../src/db/macs/find-changed.ts';
import { PROTECTED_TABLES } from '../../src/db/macs/protected.ts';
import { Sealer } from '../../src/db/seal.ts';

function changedRows(db: DatabaseSync, key: Buffer): RowFinding[] {
  const check = findChangedRows(db, key);
  for (;;) {
    const { done, value } = check.next();
    if (done) return value;
  }
}

describe('the MACs of an instance with data', () => {
  let daemon: TestDaemon;
  let db: DatabaseSync;
  let key: Buffer;

  before(async () => {
    daemon = await bootDaemon();
    await seed(daemon);
    await seedData(daemon);
    const { client } = daemon;
    await client.createUser({ body: { username: 'grace', role: 'viewer', password: 'correct horse battery' } });
    await client.createProject({ body: { slug: 'gone' } });
    await client.deleteProject({ params: { project: 'gone' } });
    await daemon.settled();
    await daemon.restart();
    await daemon.stop();
    db = new DatabaseSync(join(daemon.dataDir, 'davit.db'));
    const text = readFileSync(join(daemon.dataDir, 'master.key'), 'utf8');
    key = new Sealer(Buffer.from(text, 'base64')).rowMacKey;
  });
  after(async () => {
    db.close();
    await daemon[Symbol.asyncDispose]();
  });

  /** Changes the database, returns the changed rows that the check finds, and undoes the change. */
  function found(sql: string): RowFinding[] | null {
    db.exec('PRAGMA foreign_keys = OFF; BEGIN');
    try {
      return db.prepare(sql).run().changes === 0 ? null : changedRows(db, key);
    } catch {
      // The changed value violates a constraint, so SQLite itself refuses it.
      return null;
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  }

  it('are correct after all changes through Davit', () => {
    assert.deepEqual(changedRows(db, key), []);
  });

  it('show a change of each protected column', () => {
    let checked = 0;
    for (const { name, columns, keyLength } of PROTECTED_TABLES) {
      for (const column of columns.slice(keyLength)) {
        // SQLite stores the text or number with one other byte, or a value instead of NULL.
        const changed = `CASE typeof("${column}") WHEN 'integer' THEN "${column}" + 1 WHEN 'null' THEN 1
          ELSE 'x' || substr("${column}", 2) END`;
        const rows = found(
          `UPDATE "${name}" SET "${column}" = ${changed} WHERE (${columns.slice(0, keyLength).join(', ')})
            IN (SELECT ${columns.slice(0, keyLength).join(', ')} FROM "${name}" LIMIT 1)`,
        );
        if (rows === null) continue;
        assert.deepEqual(
          rows.map(({ table, change }) => [table, change]),
          [[name, 'changed']],
          `${name}.${column}`,
        );
        checked += 1;
      }
    }
    assert.ok(checked > 60, `${checked} columns were checked`);
  });

  it('show added and removed rows, and a MAC of another row', () => {
    const user = `INSERT INTO users (username, password_hash, role, created_at) VALUES ('eve', 'x', 'admin', 1)`;
    const copied = `UPDATE row_macs SET mac = (SELECT mac FROM row_macs m WHERE m.table_name = 'users' AND m.row_key = '1')
      WHERE table_name = 'users' AND row_key = '2'`;

    assert.deepEqual(
      found(user)?.map(({ table, change }) => [table, change]),
      [['users', 'changed']],
    );
    assert.deepEqual(found("DELETE FROM users WHERE username = 'grace'"), [
      { table: 'users', row: '2', change: 'removed' },
    ]);
    assert.deepEqual(found(copied), [{ table: 'users', row: '2', change: 'changed' }]);
  });
});
