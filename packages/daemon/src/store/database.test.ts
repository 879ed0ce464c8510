import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { DatabaseUnusable } from '@davit/service';
import { openDatabase } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

function databaseFile(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-database-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'davit.db');
}

const schemaOf = (db: DatabaseSync) => db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
const value = (db: DatabaseSync, sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];

test('an empty file gets every migration, each counted', () => {
  using db = openDatabase(':memory:');

  assert.equal(value(db, 'PRAGMA user_version'), MIGRATIONS.length);
  assert.ok(schemaOf(db).length > 10);
});

test('a database of any earlier version ends with the schema of a new one', (context) => {
  using fresh = openDatabase(':memory:');
  for (let version = 0; version <= MIGRATIONS.length; version++) {
    const file = databaseFile(context);
    openDatabase(file, MIGRATIONS.slice(0, version)).close();

    using migrated = openDatabase(file);

    assert.deepEqual(schemaOf(migrated), schemaOf(fresh));
  }
});

test('a migration that fails leaves nothing of itself', (context) => {
  const file = databaseFile(context);
  const broken = [
    'CREATE TABLE a (x) STRICT;',
    'CREATE TABLE a (x INTEGER) STRICT;',
    'CREATE TABLE b (x INTEGER) STRICT; nonsense;',
  ];

  assert.throws(() => openDatabase(file, broken.slice(1)), DatabaseUnusable);

  using db = openDatabase(file, broken.slice(1, 2));
  assert.deepEqual(
    schemaOf(db).map((row) => row.name),
    ['a'],
  );
});

test('what is committed is on disk, on every open and not only on the first', (context) => {
  const file = databaseFile(context);
  for (let open = 0; open < 3; open++) {
    using db = openDatabase(file);
    assert.equal(value(db, 'PRAGMA synchronous'), 2);
    assert.equal(value(db, 'PRAGMA journal_mode'), 'wal');
    assert.equal(value(db, 'PRAGMA foreign_keys'), 1);
  }
});

test('a database of a newer version is refused, and says which to start', (context) => {
  const file = databaseFile(context);
  openDatabase(file, [...MIGRATIONS, 'CREATE TABLE later (x INTEGER) STRICT;']).close();

  assert.throws(() => openDatabase(file), /written by a newer Davit/);
});

test('a file that is no database is refused and left as it is', (context) => {
  const file = databaseFile(context);
  const content = 'not a database, but somebody’s only copy of something\n'.repeat(100);
  writeFileSync(file, content);

  assert.throws(() => openDatabase(file), DatabaseUnusable);

  assert.equal(readFileSync(file, 'utf8'), content);
});

test('only its owner can read the database and what SQLite writes beside it', (context) => {
  const file = databaseFile(context);
  using db = openDatabase(file);
  db.exec('INSERT INTO settings (key, value) VALUES (1, 2)');

  for (const name of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(name).mode & 0o777, 0o600, name);
});
