import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
import type { CatalogReader, CrawlRecords, Judgement } from './types.ts';
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

test('a repository is its number: renamed, transferred or with more stars it stays one template', (context) => {
  const { records, reader } = openBoth(context);
  saveTemplate(records, sampleRepository(1, { owner: 'acme', name: 'chat' }));
  records.publish(SAMPLE_PASS);

  records.saveRepository(sampleRepository(1, { owner: 'umbrella', name: 'talk', stars: 5 }), null);
  assert.equal(records.publish(SAMPLE_PASS), 2);

  assert.equal(reader.template('acme', 'chat'), null);
  assert.equal(reader.releases('acme', 'chat'), null);
  assert.equal(reader.template('Umbrella', 'Talk')?.stars, 5);
  assert.deepEqual(names(reader), ['talk']);
  assert.deepEqual(names(reader, { q: 'chat' }), []);
  assert.deepEqual(records.known(), [{ id: 1, nodeId: null, owner: 'umbrella', name: 'talk' }]);
});

test('what is hidden is nowhere, and back with everything when it is not hidden any more', (context) => {
  const { records, reader } = openBoth(context);
  saveTemplate(records, sampleRepository(1, { topics: ['web'] }));
  records.saveIcon('a'.repeat(64), Buffer.from('png'));
  records.publish(SAMPLE_PASS);
  const before = reader.template('acme', 'app-1');

  records.hide(1, 'gone');
  assert.equal(records.publish(SAMPLE_PASS), 2);
  records.hide(1, 'gone');
  assert.equal(records.publish(SAMPLE_PASS), 2);

  assert.deepEqual(names(reader), []);
  assert.deepEqual(names(reader, { q: 'app' }), []);
  assert.deepEqual(reader.topics(), []);
  assert.equal(reader.template('acme', 'app-1'), null);
  assert.equal(reader.releases('acme', 'app-1'), null);
  assert.equal(reader.manifest('acme', 'app-1', '1.0.0'), null);
  assert.equal(reader.icon(1, 'c'.repeat(40)), null);
  assert.equal(records.recorded(1).length, 1);

  records.saveRepository(sampleRepository(1, { topics: ['web'] }), null);
  assert.equal(records.publish(SAMPLE_PASS), 3);

  assert.deepEqual(reader.template('acme', 'app-1'), before);
  assert.deepEqual(names(reader, { q: 'app', tag: 'web' }), ['app-1']);
});

test('the newest accepted release is the listed one; of one moment the one that was recorded last', (context) => {
  const { records, reader } = openBoth(context);
  const at = (tag: string, day: string, commit = 'c') =>
    sampleRelease(tag, { publishedAt: `2026-01-${day}T00:00:00Z`, commit: commit.repeat(40) });
  records.saveRepository(sampleRepository(1), null);
  records.saveRelease(1, at('2.0.0', '02'), sampleAccepted({ manifest: '2' }), 1);
  records.saveRelease(1, at('1.0.0', '01'), sampleAccepted({ manifest: '1' }), 1);
  records.saveRelease(1, at('3.0.0', '03'), SAMPLE_REJECTED, 1);
  records.saveRelease(1, at('2.0.1', '02'), sampleAccepted({ manifest: '2.0.1' }), 1);
  records.publish(SAMPLE_PASS);

  assert.equal(reader.template('acme', 'app-1')?.release.tag, '2.0.1');
  assert.equal(reader.manifest('acme', 'app-1', null), '2.0.1');
  assert.equal(reader.manifest('acme', 'app-1', '1.0.0'), '1');
  assert.equal(reader.manifest('acme', 'app-1', '3.0.0'), null);
  assert.equal(reader.manifest('acme', 'app-1', '4.0.0'), null);
  const tags = reader.releases('acme', 'app-1')?.map(({ tag, status }) => `${tag} ${status}`);
  assert.deepEqual(tags, ['3.0.0 rejected', '2.0.1 accepted', '2.0.0 accepted', '1.0.0 accepted']);
});

test('a tag that moved is a release of its own, and the older one stays', (context) => {
  const { records, reader } = openBoth(context);
  records.saveIcon('a'.repeat(64), Buffer.from('old'));
  records.saveIcon('b'.repeat(64), Buffer.from('new'));
  saveTemplate(records, sampleRepository(1), { judgement: sampleAccepted({ manifest: 'old' }) });
  const moved = sampleRelease('1.0.0', { commit: 'd'.repeat(40) });
  records.saveRelease(1, moved, sampleAccepted({ manifest: 'new', icon: 'b'.repeat(64) }), 1);
  records.publish(SAMPLE_PASS);

  assert.equal(reader.template('acme', 'app-1')?.release.commit, moved.commit);
  assert.equal(reader.manifest('acme', 'app-1', '1.0.0'), 'new');
  assert.equal(reader.releases('acme', 'app-1')?.length, 2);
  assert.equal(Buffer.from(reader.icon(1, 'c'.repeat(40)) ?? []).toString(), 'old');
  assert.equal(Buffer.from(reader.icon(1, 'd'.repeat(40)) ?? []).toString(), 'new');
  assert.equal(reader.icon(2, 'c'.repeat(40)), null);
  assert.equal(reader.icon(1, 'e'.repeat(40)), null);
});

test('of a name that two repositories were found under, the one that was checked last has it', (context) => {
  const { records, reader } = openBoth(context);
  const holder = () => reader.template('acme', 'app')?.id;
  const check = (id: number) => records.saveRepository(sampleRepository(id, { name: id === 1 ? 'App' : 'app' }), null);
  saveTemplate(records, sampleRepository(1, { name: 'App' }));
  saveTemplate(records, sampleRepository(2, { name: 'app' }));
  records.publish(SAMPLE_PASS);
  assert.equal(holder(), 2);

  check(1);
  assert.equal(records.publish(SAMPLE_PASS), 2);
  assert.equal(holder(), 1);

  check(2);
  check(1);
  assert.equal(records.publish(SAMPLE_PASS), 2);
  assert.equal(holder(), 1);

  records.hide(1, 'gone');
  assert.equal(records.publish(SAMPLE_PASS), 3);
  assert.equal(holder(), 2);
});

test('a release that is judged again is shown as it was until that is published', (context) => {
  const { path, records, reader } = openBoth(context);
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

  assert.deepEqual(names(reader), []);
  assert.equal(reader.releases('acme', 'app-1')?.[0]?.status, 'rejected');
  using db = new DatabaseSync(path);
  assert.equal(db.prepare('SELECT count(*) AS count FROM contents').get()?.count, 0);
});

test('what the next pass need not read again is known', (context) => {
  const { records } = openBoth(context);
  saveTemplate(records, sampleRepository(1, { nodeId: 'R_1' }));
  const twice = [...SAMPLE_REJECTED.problems, ...SAMPLE_REJECTED.problems];
  records.saveRelease(1, sampleRelease('2.0.0'), { status: 'rejected', problems: twice }, 2);

  assert.deepEqual(records.known(), [{ id: 1, nodeId: 'R_1', owner: 'acme', name: 'app-1' }]);
  const commit = 'c'.repeat(40);
  assert.deepEqual(records.recorded(1), [
    { tag: '1.0.0', commit, status: 'accepted', validator: 1, codes: [] },
    { tag: '2.0.0', commit, status: 'rejected', validator: 2, codes: ['yaml.empty'] },
  ]);
  assert.deepEqual(records.recorded(2), []);
  assert.deepEqual(records.accepted(1, '1.0.0', commit), {
    source: 'version: 1\n',
    readme: '# App\n',
    icon: 'a'.repeat(64),
  });
  assert.equal(records.hasIcon('a'.repeat(64)), false);
  records.saveIcon('a'.repeat(64), Buffer.from('png'));
  records.saveIcon('a'.repeat(64), Buffer.from('png'));
  assert.equal(records.hasIcon('a'.repeat(64)), true);
});

test('subjects are blocked and unblocked whatever the case of their letters', (context) => {
  const { records } = openBoth(context);
  records.block('Spammer', 'spam');
  records.block('spammer', 'more spam');
  records.block('acme/Chat', 'asked to');

  records.unblock('SPAMMER');

  assert.deepEqual(records.blocked(), new Set(['acme/chat']));
});

test('everything that was noted is there after the file is opened again, and published then', (context) => {
  const path = join(temporaryFolder(context), 'catalog.db');
  {
    using records = openRecords(path);
    saveTemplate(records, sampleRepository(1));
  }
  using records = openRecords(path);
  using reader = openReader(path);

  assert.equal(records.publish(SAMPLE_PASS), 1);

  assert.deepEqual(names(reader), ['app-1']);
});

test('what is noted together is noted as a whole', (context) => {
  const { records } = openBoth(context);
  const failing = () => {
    saveTemplate(records, sampleRepository(1));
    throw new Error('no more');
  };

  assert.throws(() => records.together(failing), /no more/);

  assert.deepEqual(records.known(), []);
});

test('topics are those of listed templates, in the order of code points', (context) => {
  const { records, reader } = openBoth(context);
  saveTemplate(records, sampleRepository(1, { topics: ['web', 'ﬀ', '🦀', 'Web', 'web'] }));
  records.saveRepository(sampleRepository(2, { topics: ['unlisted'] }), null);
  records.publish(SAMPLE_PASS);

  assert.deepEqual(reader.topics(), ['Web', 'web', 'ﬀ', '🦀']);
  assert.deepEqual(names(reader, { tag: 'Web' }), ['app-1']);
  assert.deepEqual(names(reader, { tag: 'WEB' }), []);
  assert.deepEqual(names(reader, { tag: 'unlisted' }), []);
});

test('names and descriptions are searched, each by itself, and nothing else', (context) => {
  const { records, reader } = openBoth(context);
  const given = {
    owner: 'owner',
    name: 'uptime-kuma',
    description: 'A self-hosted «monitor» 100%_\\',
    topics: ['topic1'],
  };
  saveTemplate(records, sampleRepository(1, given), {
    judgement: sampleAccepted({ manifestName: 'manifest', readme: 'readme', source: 'source' }),
  });
  records.publish(SAMPLE_PASS);
  const isFound = (q: string) => names(reader, { q }).length === 1;

  for (const q of ['uptime kuma', 'uptime_kuma', '-', ' ', 'self-hosted', '«', '%_\\', 'a', '100%'])
    assert.ok(isFound(q), q);
  for (const q of [
    'self hosted',
    'owner',
    'topic1',
    'manifest',
    'readme',
    'source',
    'app',
    '1.0.0',
    'kuma a',
    '" or "',
    '*',
  ])
    assert.ok(!isFound(q), q);
});
