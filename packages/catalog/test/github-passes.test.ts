/** Tests complete indexer passes over a simulated GitHub, with and without failures, and the published index. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import type { Misbehaviour, NewRelease, SimulatedEntry } from '@davit/testkit/github';
import { inLong } from '../../../test/support/tiers.ts';
import { createIconEncoder } from '../src/icons/icon-encoder.ts';
import { createIndexer, type PassOutcome } from '../src/indexer/indexer.ts';
import { openReader } from '../src/store/reader.ts';
import { openRecords } from '../src/store/records.ts';
import { startSource, TOPICS } from './support/github-source.ts';
import { releaseOf } from './support/indexer-harness.ts';

/** Returns the files of a valid release. `given` replaces or adds files. */
function files(given: Record<string, SimulatedEntry> = {}): Record<string, SimulatedEntry> {
  return { ...releaseOf('').files, ...given };
}

/** Starts a simulated GitHub, an indexer for it, and a reader of the published index. */
async function startCatalog() {
  await using stack = new AsyncDisposableStack();
  const test = stack.use(await startSource());
  const folder = mkdtempSync(join(tmpdir(), 'davit-github-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const database = join(folder, 'catalog.db');
  const records = stack.use(openRecords(database));
  const reader = stack.use(openReader(database));
  const icons = stack.use(createIconEncoder());
  const log = createLogger({ level: 'error', destination: { write: (line) => void test.lines.push(line) } });
  const { source, signal } = test;
  const indexer = createIndexer({ config: { topics: TOPICS, intervalS: 300 }, source, records, icons, log });
  const { world: state } = test.github;
  const owned = stack.move();
  return {
    github: test.github,
    world: state,
    reader,
    operations: test.operations,
    pass: (): Promise<PassOutcome> => indexer.passOnce(signal),
    publish: (name: string, release: NewRelease = {}) => {
      const { id } = state.named('acme', name) ?? state.add({ owner: 'acme', name });
      return { id, ...state.release(id, { files: files(), ...release }) };
    },
    /** Returns the listed templates as `owner/name tag`, sorted by name. */
    listed: () => {
      const query = { q: null, tag: null, sort: 'recent', limit: 48, after: null } as const;
      const { templates } = reader.list(query);
      return templates.map(({ owner, name, release }) => `${owner}/${name} ${release.tag}`).sort();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('a pass over GitHub', () => {
  it('lists valid releases and reports the problems of invalid releases', async () => {
    await using catalog = await startCatalog();
    catalog.publish('wiki', { tag: 'v1' });
    catalog.publish('broken', {
      tag: 'v1',
      files: files({ 'template.yaml': 'version: 2\n', 'icon.png': 'no picture' }),
    });
    catalog.publish('bare', { tag: 'v1', files: { 'template.yml': 'version: 1\n' } });

    const { report } = await catalog.pass();
    assert.deepEqual([report.error, report.accepted, report.rejected, report.failed], [null, 1, 2, 0]);
    assert.deepEqual(catalog.listed(), ['acme/wiki v1']);
    const codes = (name: string) => catalog.reader.releases('acme', name)?.[0]?.problems.map(({ code }) => code) ?? [];
    assert.ok(codes('broken').includes('schema.invalid_value') && codes('broken').includes('icon.not-png'));
    assert.deepEqual(codes('bare').sort(), [
      'release.icon-missing',
      'release.readme-missing',
      'release.template-missing',
    ]);
  });

  it('does not read known releases again', async () => {
    await using catalog = await startCatalog();
    catalog.publish('wiki');
    catalog.publish('bare', { files: {} });
    await catalog.pass();
    catalog.operations();

    await catalog.pass();
    assert.deepEqual(catalog.operations(), ['Search', 'Search']);
  });

  it('records all releases of a repository with 35 releases', inLong, async () => {
    await using catalog = await startCatalog();
    for (let n = 0; n < 35; n += 1) catalog.publish('wiki', { tag: `v${n}` });
    await catalog.pass();

    assert.equal(catalog.reader.releases('acme', 'wiki')?.length, 35);
    assert.deepEqual(catalog.listed(), ['acme/wiki v34']);
  });

  it('reads older releases again if reading failed before', inLong, async () => {
    await using catalog = await startCatalog();
    for (let n = 0; n < 20; n += 1) catalog.publish('wiki', { tag: `v${n}` });
    catalog.github.misbehave({ kind: 'status', status: 451 }, { target: 'rest', times: 60 });
    assert.equal((await catalog.pass()).report.failed, 20);
    catalog.github.behave();

    await catalog.pass();
    assert.equal(catalog.reader.releases('acme', 'wiki')?.length, 20);
  });

  it('keeps both commits of a moved tag', async () => {
    await using catalog = await startCatalog();
    const { id, commit } = catalog.publish('wiki', { tag: 'v1' });
    await catalog.pass();
    const moved = catalog.world.moveTag(id, 'v1', files({ 'README.md': '# Moved' }));
    await catalog.pass();

    const commits = catalog.reader.releases('acme', 'wiki')?.map((release) => release.commit);
    assert.deepEqual(commits?.sort(), [commit, moved].sort());
  });
});

describe('a repository on GitHub', () => {
  it('keeps its template after a rename and a transfer without reading files again', async () => {
    await using catalog = await startCatalog();
    const { id } = catalog.publish('wiki', { tag: 'v1' });
    await catalog.pass();
    catalog.operations();
    catalog.world.move(id, { owner: 'globex', name: 'notes' });
    await catalog.pass();

    assert.deepEqual(catalog.listed(), ['globex/notes v1']);
    assert.equal(catalog.reader.template('acme', 'wiki'), null);
    assert.ok(!catalog.operations().includes(null), 'no file is read again');
  });

  it('passes no data to another repository that takes its name', async () => {
    await using catalog = await startCatalog();
    const { id } = catalog.publish('wiki', { tag: 'v1' });
    catalog.world.get(id).stars = 900;
    await catalog.pass();
    catalog.world.remove(id);
    const other = catalog.publish('wiki', { tag: 'v2' });
    await catalog.pass();

    assert.notEqual(other.id, id);
    const detail = catalog.reader.template('acme', 'wiki');
    assert.deepEqual([detail?.id, detail?.stars, detail?.release.tag], [other.id, 0, 'v2']);
    assert.deepEqual(
      catalog.reader.releases('acme', 'wiki')?.map(({ tag }) => tag),
      ['v2'],
    );
  });

  const losses: [
    string,
    (world: Awaited<ReturnType<typeof startCatalog>>['world'], id: number, back: boolean) => void,
  ][] = [
    [
      'its topic',
      (state, id, back) => Object.assign(state.get(id), { topics: back ? ['cubeship-template'] : ['other'] }),
    ],
    ['its public visibility', (state, id, back) => Object.assign(state.get(id), { private: !back })],
    [
      'its public visibility while the token keeps access',
      (state, id, back) => Object.assign(state.get(id), { private: !back, shared: true }),
    ],
  ];
  for (const [what, change] of losses) {
    it(`is hidden after the loss of ${what} and listed again later`, async () => {
      await using catalog = await startCatalog();
      const { id } = catalog.publish('wiki', { tag: 'v1' });
      await catalog.pass();
      change(catalog.world, id, false);
      await catalog.pass();
      assert.deepEqual(catalog.listed(), []);
      assert.equal(catalog.reader.releases('acme', 'wiki'), null);
      catalog.operations();
      change(catalog.world, id, true);
      await catalog.pass();

      assert.deepEqual(catalog.listed(), ['acme/wiki v1']);
      assert.ok(!catalog.operations().includes(null), 'no file is read again');
    });
  }
});

describe('an hour of GitHub failures', () => {
  const hour: Misbehaviour[] = [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 502 },
    { kind: 'hang-up' },
    { kind: 'half-body' },
    { kind: 'malformed' },
    { kind: 'bad-credentials' },
    { kind: 'graphql-errors', errors: [{ message: 'Something went wrong while executing your query.' }] },
    { kind: 'changed', change: () => ({ data: { search: { repositoryCount: 0, nodes: null } } }) },
    { kind: 'secondary-limit', retryAfterS: 1 },
    { kind: 'too-many', retryAfterS: 1 },
    { kind: 'rate-limit', resetInS: 1 },
    { kind: 'redirect', to: 'https://evil.example/' },
  ];

  it('keeps the published index, limits requests and ends with a successful pass', async () => {
    await using catalog = await startCatalog();
    catalog.publish('wiki', { tag: 'v1' });
    await catalog.pass();
    const index = catalog.reader.index();
    catalog.publish('wiki', { tag: 'v2' });
    catalog.publish('new', { tag: 'v1' });

    for (const behaviour of hour) {
      catalog.operations();
      catalog.github.behave();
      catalog.github.misbehave(behaviour, { times: 1_000 });
      const { report, index: published } = await catalog.pass();
      assert.equal(published, null);
      assert.match(report.error ?? '', /^The source cannot be listed: Repository search: /);
      assert.deepEqual([catalog.listed(), catalog.reader.index()], [['acme/wiki v1'], index]);
      assert.equal(catalog.github.mostAtOnce, 1);
      // After a 502 response, the source requests smaller pages and therefore sends more queries.
      const most = behaviour.kind === 'status' && behaviour.status === 502 ? 9 : 3;
      assert.ok(catalog.operations().length <= most, JSON.stringify(behaviour));
    }
    catalog.github.behave();
    const { report } = await catalog.pass();
    assert.deepEqual([report.error, report.accepted], [null, 2]);
    assert.deepEqual(catalog.listed(), ['acme/new v1', 'acme/wiki v2']);
  });

  it('in file requests records no release until the next successful pass', async () => {
    await using catalog = await startCatalog();
    catalog.publish('wiki', { tag: 'v1' });
    catalog.github.misbehave({ kind: 'half-body' }, { target: 'rest', times: 1_000 });
    const { report } = await catalog.pass();
    assert.deepEqual([report.error, report.failed, report.rejected], [null, 1, 0]);
    assert.deepEqual(catalog.reader.releases('acme', 'wiki'), []);
    catalog.github.behave();

    assert.equal((await catalog.pass()).report.accepted, 1);
    assert.deepEqual(catalog.listed(), ['acme/wiki v1']);
  });
});
