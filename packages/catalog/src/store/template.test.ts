import assert from 'node:assert/strict';
import test from 'node:test';
import {
  namesIn,
  openStore,
  SAMPLE_PASS,
  SAMPLE_REJECTED,
  sampleAccepted,
  sampleRelease,
  sampleRepository,
  saveTemplate,
} from '../../test/support/sample-store.ts';

test('the reader returns a template with all its fields for any case of its name', (context) => {
  const { records, reader } = openStore(context);
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

test('a repository without an accepted release has a release list but is not listed', (context) => {
  const { records, reader } = openStore(context);
  records.saveRepository(sampleRepository(1), null);
  records.saveRepository(sampleRepository(2), null);
  records.saveRelease(2, sampleRelease(), SAMPLE_REJECTED, 1);
  records.publish(SAMPLE_PASS);

  assert.deepEqual(namesIn(reader), []);
  assert.equal(reader.template('acme', 'app-1'), null);
  assert.deepEqual(reader.releases('acme', 'app-1'), []);
  assert.deepEqual(reader.releases('acme', 'app-2'), [{ ...sampleRelease(), ...SAMPLE_REJECTED }]);
  assert.equal(reader.manifest('acme', 'app-2', '1.0.0'), null);
  assert.equal(reader.releases('acme', 'app-3'), null);
});

test('a repository keeps its template after a rename, transfer or new star count', (context) => {
  const { records, reader } = openStore(context);
  saveTemplate(records, sampleRepository(1, { owner: 'acme', name: 'chat' }));
  records.publish(SAMPLE_PASS);

  records.saveRepository(sampleRepository(1, { owner: 'umbrella', name: 'talk', stars: 5 }), null);
  assert.equal(records.publish(SAMPLE_PASS), 2);

  assert.equal(reader.template('acme', 'chat'), null);
  assert.equal(reader.releases('acme', 'chat'), null);
  assert.equal(reader.template('Umbrella', 'Talk')?.stars, 5);
  assert.deepEqual(namesIn(reader), ['talk']);
  assert.deepEqual(namesIn(reader, { q: 'chat' }), []);
  assert.deepEqual(records.known(), [{ id: 1, nodeId: null, owner: 'umbrella', name: 'talk' }]);
});

test('a hidden repository disappears from all reads and returns complete when shown again', (context) => {
  const { records, reader } = openStore(context);
  saveTemplate(records, sampleRepository(1, { topics: ['web'] }));
  records.saveIcon('a'.repeat(64), Buffer.from('png'));
  records.publish(SAMPLE_PASS);
  const before = reader.template('acme', 'app-1');

  records.hide(1, 'gone');
  assert.equal(records.publish(SAMPLE_PASS), 2);
  records.hide(1, 'gone');
  assert.equal(records.publish(SAMPLE_PASS), 2);

  assert.deepEqual(namesIn(reader), []);
  assert.deepEqual(namesIn(reader, { q: 'app' }), []);
  assert.deepEqual(reader.topics(), []);
  assert.equal(reader.template('acme', 'app-1'), null);
  assert.equal(reader.releases('acme', 'app-1'), null);
  assert.equal(reader.manifest('acme', 'app-1', '1.0.0'), null);
  assert.equal(reader.icon(1, 'c'.repeat(40)), null);
  assert.equal(records.recorded(1).length, 1);

  records.saveRepository(sampleRepository(1, { topics: ['web'] }), null);
  assert.equal(records.publish(SAMPLE_PASS), 3);

  assert.deepEqual(reader.template('acme', 'app-1'), before);
  assert.deepEqual(namesIn(reader, { q: 'app', tag: 'web' }), ['app-1']);
});

test('the repository checked last owns a name that two repositories share', (context) => {
  const { records, reader } = openStore(context);
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

test('topics include only topics of listed templates, sorted by code point', (context) => {
  const { records, reader } = openStore(context);
  saveTemplate(records, sampleRepository(1, { topics: ['web', 'ﬀ', '🦀', 'Web', 'web'] }));
  records.saveRepository(sampleRepository(2, { topics: ['unlisted'] }), null);
  records.publish(SAMPLE_PASS);

  assert.deepEqual(reader.topics(), ['Web', 'web', 'ﬀ', '🦀']);
  assert.deepEqual(namesIn(reader, { tag: 'Web' }), ['app-1']);
  assert.deepEqual(namesIn(reader, { tag: 'WEB' }), []);
  assert.deepEqual(namesIn(reader, { tag: 'unlisted' }), []);
});

test('a search matches only the repository name and the description', (context) => {
  const { records, reader } = openStore(context);
  const given = {
    owner: 'owner',
    name: 'uptime-kuma',
    description: 'A self-hosted “monitor” 100%_\\',
    topics: ['topic1'],
  };
  saveTemplate(records, sampleRepository(1, given), {
    judgement: sampleAccepted({ manifestName: 'manifest', readme: 'readme', source: 'source' }),
  });
  records.publish(SAMPLE_PASS);
  const isFound = (q: string) => namesIn(reader, { q }).length === 1;

  for (const q of ['uptime kuma', 'uptime_kuma', '-', ' ', 'self-hosted', '“', '%_\\', 'a', '100%'])
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
