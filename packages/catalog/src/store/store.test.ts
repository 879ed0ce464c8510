import assert from 'node:assert/strict';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { openReader } from './reader.ts';
import { openRecords } from './records.ts';
import {
  everything,
  SAMPLE_PASS,
  SAMPLE_REJECTED,
  sampleAccepted,
  sampleRelease,
  sampleRepository,
  saveTemplate,
  temporaryFolder,
} from './testing.ts';
import type { CatalogReader, CrawlRecords } from './types.ts';
import { StoreUnavailable } from './unavailable.ts';

function openBoth(context: TestContext): { path: string; records: CrawlRecords; reader: CatalogReader } {
  const path = join(temporaryFolder(context), 'catalog.db');
  const records = openRecords(path);
  const reader = openReader(path);
  context.after(() => {
    reader[Symbol.dispose]();
    records[Symbol.dispose]();
  });
  return { path, records, reader };
}

const names = (reader: CatalogReader, query = {}) => reader.list(everything(query)).templates.map(({ name }) => name);

test('before the first publication there is no index, and everything else says so', (context) => {
  const { records, reader } = openBoth(context);
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

test('an empty index is an index', (context) => {
  const { records, reader } = openBoth(context);

  assert.equal(records.publish(SAMPLE_PASS), 1);

  assert.equal(reader.index(), 1);
  assert.deepEqual(reader.list(everything()), { templates: [], next: null });
  assert.deepEqual(reader.topics(), []);
  assert.equal(reader.count(), 0);
  assert.equal(reader.template('acme', 'app-1'), null);
});

test('nothing that is noted is seen before it is published, and then all of it', (context) => {
  const { records, reader } = openBoth(context);
  records.publish(SAMPLE_PASS);
  saveTemplate(records, sampleRepository(1, { topics: ['web'] }));
  records.saveIcon('a'.repeat(64), Buffer.from('png'));

  assert.deepEqual(names(reader), []);
  assert.equal(reader.icon(1, 'c'.repeat(40)), null);
  assert.equal(reader.index(), 1);

  assert.equal(records.publish(SAMPLE_PASS), 2);

  assert.deepEqual(names(reader), ['app-1']);
  assert.deepEqual(reader.topics(), ['web']);
  assert.deepEqual(reader.icon(1, 'c'.repeat(40)), new Uint8Array(Buffer.from('png')));
  assert.equal(reader.index(), 2);
  assert.equal(reader.count(), 1);
});

test('publishing what is as it was keeps the number of the index', (context) => {
  const { records, reader } = openBoth(context);
  const note = () => saveTemplate(records, sampleRepository(1));
  note();
  records.publish(SAMPLE_PASS);

  note();
  records.saveRepository(sampleRepository(1, { stars: 9 }), null);
  records.saveRepository(sampleRepository(1), null);

  assert.equal(records.publish({ ...SAMPLE_PASS, repositories: 7 }), 1);
  assert.equal(reader.lastPass()?.repositories, 7);
});

test('a pass that ended early is noted, and shows nothing of what it found', (context) => {
  const { records, reader } = openBoth(context);
  records.publish(SAMPLE_PASS);
  saveTemplate(records, sampleRepository(1));

  records.notePass({ ...SAMPLE_PASS, error: 'the host did not answer' });

  assert.equal(reader.lastPass()?.error, 'the host did not answer');
  assert.deepEqual(names(reader), []);
});

test('a template is told with everything that is known of it, whatever the case of its name', (context) => {
  const { records, reader } = openBoth(context);
  const repository = sampleRepository(7, { owner: 'Acme', name: 'Chat', topics: ['web', 'chat'], stars: 3 });
  const problems = [
    { severity: 'warning' as const, code: 'advice.no-limits', message: 'No limits.', path: ['apps', 0] },
  ];
  saveTemplate(records, repository, { judgement: sampleAccepted({ problems, manifestName: 'Chat!' }) });
  records.publish(SAMPLE_PASS);

  assert.deepEqual(reader.template('aCME', 'CHAT'), {
    id: 7,
    owner: 'Acme',
    ownerId: 1,
    name: 'Chat',
    description: '',
    url: 'https://github.com/Acme/Chat',
    avatarUrl: 'https://github.com/Acme.png',
    stars: 3,
    topics: ['chat', 'web'],
    manifestName: 'Chat!',
    release: sampleRelease(),
    readme: '# App\n',
    source: 'version: 1\n',
    manifest: '{"schema_version":1}',
    problems,
  });
  assert.equal(reader.manifest('acme', 'chat', null), '{"schema_version":1}');
});

test('a repository without an accepted release is visible, and not listed', (context) => {
  const { records, reader } = openBoth(context);
  records.saveRepository(sampleRepository(1), null);
  records.saveRepository(sampleRepository(2), null);
  records.saveRelease(2, sampleRelease(), SAMPLE_REJECTED, 1);
  records.publish(SAMPLE_PASS);

  assert.deepEqual(names(reader), []);
  assert.equal(reader.template('acme', 'app-1'), null);
  assert.deepEqual(reader.releases('acme', 'app-1'), []);
  assert.deepEqual(reader.releases('acme', 'app-2'), [{ ...sampleRelease(), ...SAMPLE_REJECTED }]);
  assert.equal(reader.manifest('acme', 'app-2', '1.0.0'), null);
  assert.equal(reader.releases('acme', 'app-3'), null);
});
