import assert from 'node:assert/strict';
import test from 'node:test';
import {
  openStore,
  SAMPLE_PASS,
  SAMPLE_REJECTED,
  sampleAccepted,
  sampleRelease,
  sampleRepository,
  saveTemplate,
} from '../../test/support/sample-store.ts';

test('the newest accepted release is listed, and the last recorded release breaks ties', (context) => {
  const { records, reader } = openStore(context);
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

test('a moved tag creates another release and keeps the old release', (context) => {
  const { records, reader } = openStore(context);
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

test('records return known repositories, recorded releases, accepted files and icons', (context) => {
  const { records } = openStore(context);
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

test('block and unblock ignore the case of owner and repository names', (context) => {
  const { records } = openStore(context);
  records.block('Spammer', 'spam');
  records.block('spammer', 'more spam');
  records.block('acme/Chat', 'asked to');

  records.unblock('SPAMMER');

  assert.deepEqual(records.blocked(), new Set(['acme/chat']));
});
