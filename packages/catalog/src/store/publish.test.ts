import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import {
  everything,
  namesIn,
  openStore,
  SAMPLE_PASS,
  SAMPLE_REJECTED,
  sampleAccepted,
  sampleRelease,
  sampleRepository,
  saveTemplate,
  temporaryFolder,
} from '../../test/support/sample-store.ts';
import { openReader } from './reader.ts';
import { openRecords } from './records.ts';
import type { Judgement } from './types.ts';
import { StoreUnavailable } from './unavailable.ts';

test('the reader has no index and refuses lookups before the first publication', (context) => {
  const { records, reader } = openStore(context);
  saveTemplate(records, sampleRepository(1));

  assert.equal(reader.index(), null);
  assert.equal(reader.lastPass(), null);
  assert.throws(() => reader.list(everything()), StoreUnavailable);
  assert.throws(() => reader.template('acme', 'app-1'), StoreUnavailable);
  assert.throws(() => reader.manifest('acme', 'app-1', null), StoreUnavailable);
  assert.throws(() => reader.releases('acme', 'app-1'), StoreUnavailable);
  assert.throws(() => reader.topics(), StoreUnavailable);
  assert.throws(() => reader.icon(1, 'c'.repeat(40)), StoreUnavailable);
  assert.throws(() => reader.count(), StoreUnavailable);
});

test('publishing an empty catalog creates an empty index', (context) => {
  const { records, reader } = openStore(context);

  assert.equal(records.publish(SAMPLE_PASS), 1);

  assert.equal(reader.index(), 1);
  assert.deepEqual(reader.list(everything()), { templates: [], next: null });
  assert.deepEqual(reader.topics(), []);
  assert.equal(reader.count(), 0);
  assert.equal(reader.template('acme', 'app-1'), null);
});

test('the reader shows recorded templates only after the publication', (context) => {
  const { records, reader } = openStore(context);
  records.publish(SAMPLE_PASS);
  saveTemplate(records, sampleRepository(1, { topics: ['web'] }));
  records.saveIcon('a'.repeat(64), Buffer.from('png'));

  assert.deepEqual(namesIn(reader), []);
  assert.equal(reader.icon(1, 'c'.repeat(40)), null);
  assert.equal(reader.index(), 1);

  assert.equal(records.publish(SAMPLE_PASS), 2);

  assert.deepEqual(namesIn(reader), ['app-1']);
  assert.deepEqual(reader.topics(), ['web']);
  assert.deepEqual(reader.icon(1, 'c'.repeat(40)), new Uint8Array(Buffer.from('png')));
  assert.equal(reader.index(), 2);
  assert.equal(reader.count(), 1);
});

test('publishing unchanged data keeps the index number', (context) => {
  const { records, reader } = openStore(context);
  const note = () => saveTemplate(records, sampleRepository(1));
  note();
  records.publish(SAMPLE_PASS);

  note();
  records.saveRepository(sampleRepository(1, { stars: 9 }), null);
  records.saveRepository(sampleRepository(1), null);

  assert.equal(records.publish({ ...SAMPLE_PASS, repositories: 7 }), 1);
  assert.equal(reader.lastPass()?.repositories, 7);
});

test('a failed pass is recorded but publishes no templates', (context) => {
  const { records, reader } = openStore(context);
  records.publish(SAMPLE_PASS);
  saveTemplate(records, sampleRepository(1));

  records.notePass({ ...SAMPLE_PASS, error: 'the host did not answer' });

  assert.equal(reader.lastPass()?.error, 'the host did not answer');
  assert.deepEqual(namesIn(reader), []);
});

test('the reader shows the previous result of a rechecked release until the publication', (context) => {
  const { path, records, reader } = openStore(context);
  const judge = (judgement: Judgement, validator: number) =>
    records.saveRelease(1, sampleRelease(), judgement, validator);
  saveTemplate(records, sampleRepository(1), { judgement: sampleAccepted({ manifest: 'first' }) });
  records.publish(SAMPLE_PASS);

  judge(sampleAccepted({ manifest: 'second' }), 2);
  judge(sampleAccepted({ manifest: 'third' }), 3);
  assert.equal(reader.manifest('acme', 'app-1', null), 'first');
  records.publish(SAMPLE_PASS);
  assert.equal(reader.manifest('acme', 'app-1', null), 'third');

  judge(SAMPLE_REJECTED, 4);
  assert.equal(reader.manifest('acme', 'app-1', null), 'third');
  assert.equal(records.accepted(1, '1.0.0', 'c'.repeat(40)), null);
  records.publish(SAMPLE_PASS);

  assert.deepEqual(namesIn(reader), []);
  assert.equal(reader.releases('acme', 'app-1')?.[0]?.status, 'rejected');
  using db = new DatabaseSync(path);
  assert.equal(db.prepare('SELECT count(*) AS count FROM contents').get()?.count, 0);
});

test('recorded templates survive reopening the database and can be published later', (context) => {
  const path = join(temporaryFolder(context), 'catalog.db');
  {
    using records = openRecords(path);
    saveTemplate(records, sampleRepository(1));
  }
  using records = openRecords(path);
  using reader = openReader(path);

  assert.equal(records.publish(SAMPLE_PASS), 1);

  assert.deepEqual(namesIn(reader), ['app-1']);
});

test('records.together saves nothing if the work throws an error', (context) => {
  const { records } = openStore(context);
  const failing = () => {
    saveTemplate(records, sampleRepository(1));
    throw new Error('no more');
  };

  assert.throws(() => records.together(failing), /no more/);

  assert.deepEqual(records.known(), []);
});

test('a publication writes all data to the database file and empties the WAL', (context) => {
  const { path, records, reader } = openStore(context);
  for (let id = 1; id <= 100; id += 1) saveTemplate(records, sampleRepository(id));
  reader.lastPass();

  records.publish(SAMPLE_PASS);

  assert.equal(statSync(`${path}-wal`).size, 0);
  assert.equal(reader.count(), 100);
});

test('the reader returns the previous index during an uncommitted publication', (context) => {
  const { path, records, reader } = openStore(context);
  saveTemplate(records, sampleRepository(1));
  records.publish(SAMPLE_PASS);
  using other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE; DELETE FROM templates; DELETE FROM recent_places; UPDATE indexes SET number = 2');

  assert.equal(reader.index(), 1);
  assert.deepEqual(namesIn(reader), ['app-1']);

  other.exec('ROLLBACK');
});
