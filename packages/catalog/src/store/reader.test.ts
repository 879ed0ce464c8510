import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import {
  everything,
  SAMPLE_PASS,
  sampleRepository,
  saveTemplate,
  temporaryFolder,
} from '../../test/support/sample-store.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openReader } from './reader.ts';
import { openRecords } from './records.ts';
import type { CatalogReader } from './types.ts';
import { StoreUnavailable } from './unavailable.ts';

/** Creates a database file with one template and closes it. */
function writtenFile(context: TestContext, name = 'catalog.db', description = 'chat for teams'): string {
  const path = join(temporaryFolder(context), name);
  using records = openRecords(path);
  saveTemplate(records, sampleRepository(1, { description }));
  records.publish(SAMPLE_PASS);
  return path;
}

function readerOf(context: TestContext, path: string): CatalogReader {
  const reader = openReader(path);
  context.after(() => reader[Symbol.dispose]());
  return reader;
}

const found = (reader: CatalogReader) => reader.list(everything({ q: 'chat' })).templates.map(({ name }) => name);

test('the reader opens a database file as soon as the file exists', (context) => {
  const path = writtenFile(context);
  const reader = readerOf(context, `${path}.later`);

  assert.equal(reader.index(), null);
  assert.equal(reader.lastPass(), null);
  assert.throws(() => found(reader), StoreUnavailable);

  renameSync(path, `${path}.later`);

  assert.deepEqual(found(reader), ['app-1']);
});

test('the reader has no index while the database file is empty', (context) => {
  const path = join(temporaryFolder(context), 'catalog.db');
  writeFileSync(path, '');
  const reader = readerOf(context, path);

  assert.equal(reader.index(), null);
  assert.throws(() => found(reader), StoreUnavailable);

  using records = openRecords(path);
  records.publish(SAMPLE_PASS);

  assert.equal(reader.index(), 1);
});

test('the reader reports a missing database file and opens a replacement file', (context) => {
  const path = writtenFile(context);
  const other = writtenFile(context, 'other.db', 'nothing to talk with');
  const reader = readerOf(context, path);
  assert.deepEqual(found(reader), ['app-1']);

  rmSync(path);
  assert.throws(() => found(reader), StoreUnavailable);

  renameSync(other, path);
  assert.deepEqual(found(reader), []);
  assert.equal(reader.count(), 1);
});

test('the reader reports a damaged database file and recovers after its replacement', (context) => {
  const path = writtenFile(context);
  const whole = `${path}.whole`;
  copyFileSync(path, whole);
  const { size } = statSync(path);
  const damages = [
    () => writeFileSync(path, 'no database '.repeat(1_000)),
    () => truncateSync(path, 4_096),
    () => writeFileSync(path, Buffer.alloc(size - 4_096, 0x5a), { flag: 'r+' }),
    () => writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(size, 0xff)])),
  ];

  for (const damage of damages) {
    damage();
    const reader = readerOf(context, path);
    assert.throws(() => found(reader), StoreUnavailable);

    copyFileSync(whole, `${path}.again`);
    renameSync(`${path}.again`, path);
    assert.deepEqual(found(reader), ['app-1']);
  }
});

test('the reader reports a locked database file and recovers after the lock ends', (context) => {
  const path = writtenFile(context);
  const reader = readerOf(context, path);
  const greedy = new DatabaseSync(path);
  greedy.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM passes; ROLLBACK');

  assert.throws(() => found(reader), StoreUnavailable);
  greedy.close();

  assert.deepEqual(found(reader), ['app-1']);
});

test('the reader does not open a database file of another schema version', (context) => {
  const path = writtenFile(context);
  const reader = readerOf(context, path);
  using writer = new DatabaseSync(path);
  writer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);

  assert.throws(() => found(reader), StoreUnavailable);
  assert.throws(() => reader.index(), StoreUnavailable);

  writer.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  assert.deepEqual(found(reader), ['app-1']);
});

test('a database copy made between publications contains the published index alone', async (context) => {
  const folder = temporaryFolder(context);
  const [path, copy] = [join(folder, 'catalog.db'), join(folder, 'copy.db')];
  using records = openRecords(path);
  saveTemplate(records, sampleRepository(1, { description: 'chat' }));
  records.publish(SAMPLE_PASS);
  saveTemplate(records, sampleRepository(2, { description: 'chat' }));
  {
    using source = new DatabaseSync(path, { readOnly: true });
    await backup(source, copy);
  }
  records.publish(SAMPLE_PASS);

  const reader = readerOf(context, copy);

  assert.equal(reader.index(), 1);
  assert.deepEqual(found(reader), ['app-1']);
  assert.deepEqual(found(readerOf(context, path)), ['app-2', 'app-1']);
});

test('the reader does not change the database file', (context) => {
  const path = writtenFile(context);
  const before = statSync(path).mtimeMs;
  const reader = readerOf(context, path);

  found(reader);
  reader[Symbol.dispose]();

  assert.equal(statSync(path).mtimeMs, before);
  assert.deepEqual(found(reader), ['app-1']);
});
