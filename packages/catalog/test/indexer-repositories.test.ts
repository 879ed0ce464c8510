import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { IndexerHarness, releaseOf, TOPIC } from './support/indexer-harness.ts';

describe('a repository in the indexer', () => {
  let harness: IndexerHarness;
  beforeEach(async () => {
    harness = await IndexerHarness.make();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  const publish = async (repository: string, description: object = {}) => {
    await harness.folder.release(repository, releaseOf('v1'));
    await harness.folder.describe(repository, description);
  };
  const remove = async (repository: string) => {
    await rm(harness.folder.gitDir(repository), { recursive: true });
    await rm(join(harness.folder.path, `${repository}.json`), { force: true });
  };
  const move = async (from: string, to: string) => {
    await rename(harness.folder.gitDir(from), harness.folder.gitDir(to));
    await rename(join(harness.folder.path, `${from}.json`), join(harness.folder.path, `${to}.json`));
  };

  it('is hidden while absent and later listed again without new reads', async () => {
    await publish('acme/demo');
    await publish('acme/stays');
    await harness.pass();
    const aside = join(harness.folder.path, 'aside');
    await rename(harness.folder.gitDir('acme/demo'), aside);
    const { report } = await harness.pass();
    assert.equal(report.hidden, 1);
    assert.deepEqual(harness.listed(), ['acme/stays v1']);
    assert.equal(harness.reader.releases('acme', 'demo'), null);
    const reads = harness.source.reads.length;
    await rename(aside, harness.folder.gitDir('acme/demo'));
    await harness.pass();
    assert.equal(harness.listed().length, 2);
    assert.equal(harness.source.reads.length, reads, 'what was read once is not read again');
  });

  it('is hidden after becoming private', async () => {
    await publish('acme/demo');
    await harness.pass();
    await harness.folder.describe('acme/demo', { private: true });
    assert.equal((await harness.pass()).report.hidden, 1);
    assert.deepEqual(harness.listed(), []);
  });

  it('is listed only while carrying a listing topic', async () => {
    harness.source.listsByTopic = true;
    await publish('acme/demo', { topics: [TOPIC] });
    await harness.pass();
    assert.deepEqual(harness.listed(), ['acme/demo v1']);
    await harness.folder.describe('acme/demo', { topics: ['other'] });
    assert.equal((await harness.pass()).report.hidden, 1);
    assert.deepEqual(harness.listed(), []);
    await harness.folder.describe('acme/demo', { topics: [TOPIC] });
    await harness.pass();
    assert.deepEqual(harness.listed(), ['acme/demo v1']);
  });

  it('is neither read nor listed if blocked directly or by owner', async () => {
    harness.records.block('acme/one', 'spam');
    harness.records.block('evil', 'malware');
    for (const name of ['Acme/One', 'acme/two', 'Evil/three']) await publish(name);
    const { report } = await harness.pass();
    assert.equal(report.hidden, 2);
    assert.deepEqual(harness.listed(), ['acme/two v1']);
    assert.ok(harness.source.reads.every((what) => what.startsWith('acme/two ')));
    harness.records.unblock('evil');
    harness.records.block('acme', 'all of it');
    await harness.pass();
    assert.deepEqual(harness.listed(), ['Evil/three v1']);
  });

  it('keeps its ID and needs no new reads after a rename or transfer', async () => {
    await publish('acme/demo', { id: 5, stars: 3 });
    await harness.pass();
    const reads = harness.source.reads.length;
    await harness.folder.release('other/x', releaseOf('v1'));
    await move('acme/demo', 'other/moved');
    await harness.pass();
    assert.equal(harness.reader.template('acme', 'demo'), null);
    assert.equal(harness.reader.template('other', 'moved')?.id, 5);
    assert.equal(harness.source.reads.length - reads, 3, 'only the new one is read');
  });

  it('inherits nothing from a deleted repository with the same name', async () => {
    await publish('acme/demo', { id: 5, stars: 300 });
    await harness.folder.release('acme/demo', releaseOf('v2', {}, 1));
    await harness.pass();
    await remove('acme/demo');
    await publish('acme/demo', { id: 6, stars: 1 });
    await harness.pass();
    const found = harness.reader.template('acme', 'demo');
    assert.deepEqual([found?.id, found?.stars, found?.release.tag], [6, 1, 'v1']);
    assert.equal(harness.reader.releases('acme', 'demo')?.length, 1);
    assert.deepEqual(harness.listed(), ['acme/demo v1']);
  });

  it('exists beside the renamed repository that had its name before', async () => {
    await publish('acme/demo', { id: 5, stars: 300 });
    await harness.pass();
    await move('acme/demo', 'acme/moved');
    await publish('acme/demo', { id: 6 });
    await harness.pass();
    assert.deepEqual(
      [harness.reader.template('acme', 'demo'), harness.reader.template('acme', 'moved')].map((one) => [
        one?.id,
        one?.stars,
      ]),
      [
        [6, 0],
        [5, 300],
      ],
    );
  });

  it('keeps its listing if unreadable and does not block other repositories', async () => {
    await publish('acme/demo');
    await harness.pass();
    await harness.folder.describe('acme/demo', '{');
    await publish('acme/new');
    const { report } = await harness.pass();
    assert.equal(report.error, null);
    assert.deepEqual(harness.listed().sort(), ['acme/demo v1', 'acme/new v1']);
    await harness.folder.describe('acme/demo', {});
    await writeFile(join(harness.folder.gitDir('acme/demo'), 'HEAD'), 'nothing');
    await harness.pass();
    assert.deepEqual(harness.listed().sort(), ['acme/demo v1', 'acme/new v1']);
  });

  it('shows changed fields with the next index', async () => {
    await publish('acme/demo', { stars: 1, topics: ['a'] });
    assert.equal((await harness.pass()).index, 1);
    await harness.folder.describe('acme/demo', { stars: 2, topics: ['b'], description: 'New' });
    assert.equal((await harness.pass()).index, 2);
    const found = harness.reader.template('acme', 'demo');
    assert.deepEqual([found?.stars, found?.topics, found?.description], [2, ['b'], 'New']);
  });
});

describe('an indexer pass', () => {
  let harness: IndexerHarness;
  beforeEach(async () => {
    harness = await IndexerHarness.make();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  it('publishes an empty index for an empty folder', async () => {
    assert.equal(harness.reader.index(), null);
    const { report, index } = await harness.pass();
    assert.deepEqual([report.repositories, report.error, index], [0, null, 1]);
    assert.deepEqual(harness.listed(), []);
  });

  it('publishes nothing if the listing fails, and the next pass resumes', async () => {
    await harness.folder.release('acme/a', releaseOf('v1'));
    await harness.pass();
    await harness.folder.release('acme/b', releaseOf('v1', {}, 1));
    await harness.folder.release('acme/z', releaseOf('v1', {}, 2));
    harness.source.failsToList = ({ name }) => name === 'z';
    const broken = await harness.pass();
    assert.equal(broken.index, null);
    assert.match(broken.report.error ?? '', /^The source cannot be listed: .+\.$/);
    assert.equal(harness.reader.lastPass()?.error, broken.report.error);
    assert.deepEqual(harness.listed(), ['acme/a v1']);
    harness.source.failsToList = () => false;
    const reads = harness.source.reads.length;
    await harness.pass();
    assert.deepEqual(harness.listed(), ['acme/z v1', 'acme/b v1', 'acme/a v1']);
    assert.ok(harness.source.reads.slice(reads).every((what) => what.startsWith('acme/z ')));
  });

  it('leaves readers without an index if the first listing fails', async () => {
    await harness.folder.release('acme/a', releaseOf('v1'));
    harness.source.failsToList = () => true;
    await harness.pass();
    assert.equal(harness.reader.index(), null);
  });

  it('ends immediately on abort and records nothing, although the host hangs', async () => {
    await harness.folder.release('acme/a', releaseOf('v1'));
    const { promise: hangs, resolve: reached } = Promise.withResolvers<void>();
    harness.source.beforeRead = () => {
      reached();
      return new Promise(() => undefined);
    };
    const stopping = new AbortController();
    const passing = harness.pass({}, stopping.signal);
    await hangs;
    stopping.abort(new Error('stopping'));
    const { report, index } = await passing;
    assert.deepEqual([report.error, index], ['The indexer was stopped.', null]);
    assert.equal(harness.reader.lastPass(), null);
    harness.source.beforeRead = async () => undefined;
    assert.equal((await harness.pass()).report.accepted, 1);
  });

  it('ends with an error after its time limit, and the next pass succeeds', async () => {
    await harness.folder.release('acme/a', releaseOf('v1'));
    harness.source.beforeRead = () => new Promise(() => undefined);
    const { report, index } = await harness.pass({ config: { topics: [TOPIC], intervalS: 10.2 }, readingMs: 1e9 });
    assert.equal(index, null);
    assert.match(report.error ?? '', /took longer than/);
    assert.equal(harness.reader.lastPass()?.error, report.error);
    harness.source.beforeRead = async () => undefined;
    assert.equal((await harness.pass()).report.accepted, 1);
  });

  it('stops reading releases if late and publishes the existing results', async () => {
    await harness.folder.release('acme/a', releaseOf('v1'));
    await harness.folder.release('acme/b', releaseOf('v1'));
    const { report, index } = await harness.pass({ config: { topics: [TOPIC], intervalS: 3600 }, readingMs: 0 });
    assert.deepEqual([report.accepted, report.failed, report.error, index], [0, 0, null, 1]);
    assert.equal(harness.source.reads.length, 0);
    assert.equal((await harness.pass()).report.accepted, 2);
  });

  it('logs its counts at the end', async () => {
    await harness.folder.release('acme/a', releaseOf('v1'));
    await harness.pass();
    const line = harness.lines.find(({ msg }) => msg === 'indexing run finished');
    assert.deepEqual([line?.repositories, line?.accepted, line?.rejected, line?.failed, line?.left], [1, 1, 0, 0, 0]);
  });
});
