/**
 * Tests the listing of GitHub repositories: each repository with a listing topic occurs once, with all its releases.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SimulatedGitHubState } from '@davit/testkit/github';
import { inLong } from '../../../test/support/tiers.ts';
import { startSource } from './support/github-source.ts';

const START = Date.UTC(2020, 0, 1);

/** Adds repositories with increasing creation times from a start time. GitHub stores times in whole seconds. */
function fill(state: SimulatedGitHubState, count: number, { from = START, stepMs = 1_000, firstId = 1 } = {}): void {
  for (let n = 0; n < count; n += 1) {
    const createdAt = new Date(from + n * stepMs).toISOString().replace(/\.\d+Z$/, 'Z');
    state.add({ id: firstId + n, createdAt });
  }
}

/** Moves a repository to the end of the search results. This can happen between two pages of a search. */
function moveToTheEnd(state: SimulatedGitHubState, id: number): void {
  state.remove(id);
  state.add({ id });
}

const ids = (repositories: { id: number }[]) => repositories.map(({ id }) => id).sort((one, other) => one - other);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a GitHub listing', () => {
  it('returns a repository with all its fields and releases', async () => {
    await using test = await startSource();
    const { world: state } = test.github;
    state.add({ id: 7, owner: 'Acme', name: 'wiki', description: null, stars: 3, topics: ['davit-template', 'notes'] });
    const { commit } = state.release(7, { tag: 'v1.0', name: null, createdAt: '2026-01-02T03:04:05Z' });

    const url = 'https://github.com/Acme/wiki';
    assert.deepEqual(await test.list(), [
      {
        id: 7,
        nodeId: state.get(7).nodeId,
        owner: 'Acme',
        ownerId: 100,
        name: 'wiki',
        description: '',
        url,
        avatarUrl: 'https://avatars.githubusercontent.com/u/100?v=4',
        stars: 3,
        topics: ['davit-template', 'notes'],
        private: false,
        releases: [
          { tag: 'v1.0', name: 'v1.0', url: `${url}/releases/tag/v1.0`, commit, publishedAt: '2026-01-02T03:04:05Z' },
        ],
      },
    ]);
  });

  it('reads further pages of fifty repositories sequentially', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 120);

    assert.deepEqual(ids(await test.list()), upTo(120));
    assert.equal(test.github.mostAtOnce, 1);
    assert.deepEqual(test.operations(), ['Search', 'Search', 'Search']);
  });

  it('returns each repository with any of the topics exactly once', async () => {
    await using test = await startSource();
    test.github.world.add({ id: 1, topics: ['davit-template', 'cubeship-template'] });
    test.github.world.add({ id: 2, topics: ['cubeship-template'] });
    test.github.world.add({ id: 3, topics: ['davit-template'] });
    test.github.world.add({ id: 4, topics: ['davit'] });

    assert.deepEqual(ids(await test.list()), [1, 2, 3]);
  });

  it('removes duplicates of a repository that moves between pages', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 60);
    const found: number[] = [];
    for await (const page of test.source.repositories(test.signal)) {
      if (found.length === 0) moveToTheEnd(test.github.world, 1);
      found.push(...page.map(({ id }) => id));
    }
    assert.equal(new Set(found).size, found.length);
  });

  it('omits inaccessible private repositories and marks accessible private repositories', async () => {
    await using test = await startSource();
    test.github.world.add({ id: 1, private: true });
    test.github.world.add({ id: 2, private: true, shared: true });

    const [only, ...more] = await test.list();
    assert.deepEqual([only?.id, only?.private, more], [2, true, []]);
  });

  it('reads all topics of a repository with more than a hundred topics', async () => {
    await using test = await startSource();
    const topics = ['davit-template', ...Array.from({ length: 140 }, (_, index) => `topic-${index}`)];
    test.github.world.add({ topics });

    const [only] = await test.list();
    assert.deepEqual(only?.topics, topics);
  });
});

describe('a GitHub listing beyond the search limit', () => {
  it('is split by the creation date of repositories', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 2_600, { stepMs: 3_600_000 });

    assert.deepEqual(ids(await test.list()), upTo(2_600));
  });

  it('is split down to single seconds for repositories created together', inLong, async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 1_500, { stepMs: 2 });

    assert.deepEqual(ids(await test.list()), upTo(1_500));
  });

  it('stops at 1,000 repositories of the same second and logs a message', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 1_010, { stepMs: 0 });

    assert.equal((await test.list()).length, 1_000);
    assert.match(test.lines.join(''), /too many repositories were pushed in the same second/);
  });

  it('reuses the known split in the next pass without count queries', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 1_800, { stepMs: 3_600_000 });
    await test.list();
    assert.ok(test.operations().includes('Count'));

    assert.equal((await test.list()).length, 1_800);
    const again = test.operations();
    assert.ok(again.every((operation) => operation === 'Search'));
    assert.ok(again.length <= 1_800 / 50 + 4, `${again.length} requests`);
  });

  it('reuses the known split after a pass that ended early', inLong, async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 1_800, { stepMs: 3_600_000 });
    for await (const page of test.source.repositories(test.signal)) if (page.length > 0) break;
    assert.ok(test.operations().includes('Count'));

    assert.deepEqual(ids(await test.list()), upTo(1_800));
    assert.ok(!test.operations().includes('Count'));
  });

  it('splits again only the range that has grown', inLong, async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    fill(test.github.world, 1_800, { stepMs: 3_600_000 });
    await test.list();
    test.operations();
    fill(test.github.world, 1_100, { from: Date.UTC(2026, 0), stepMs: 60_000, firstId: 1_801 });

    assert.deepEqual(ids(await test.list()), upTo(2_900));
    assert.ok(test.operations().filter((operation) => operation === 'Count').length <= 6);
  });
});

describe('releases of a GitHub repository', () => {
  it('exclude drafts, prereleases and releases without a commit', async () => {
    await using test = await startSource();
    const { world: state } = test.github;
    state.add({ id: 1, private: true, shared: true });
    state.release(1, { tag: 'good' });
    state.release(1, { tag: 'draft', draft: true });
    state.release(1, { tag: 'early', prerelease: true });
    state.release(1, { tag: 'lost', commit: null });
    state.release(1, { tag: 'odd/tag #1 %', name: 'Odd', publishedAt: null, createdAt: '2030-01-01T00:00:00Z' });

    const [only] = await test.list();
    assert.deepEqual(
      only?.releases.map(({ tag, name, publishedAt }) => [tag, name, publishedAt]),
      [
        ['odd/tag #1 %', 'Odd', '2030-01-01T00:00:00Z'],
        ['good', 'good', state.get(1).releases.at(-1)?.publishedAt],
      ],
    );
  });

  it('are all read for a new repository with 230 releases', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    test.github.world.add({ id: 1 });
    for (let n = 0; n < 230; n += 1) test.github.world.release(1);

    const [only] = await test.list(() => []);
    assert.equal(only?.releases.length, 230);
    assert.deepEqual(test.operations(), ['Search', 'Further', 'Further', 'Further']);
  });

  it('need no further query in later passes until a new release appears', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    test.github.world.add({ id: 1 });
    for (let n = 0; n < 30; n += 1) test.github.world.release(1, { prerelease: n % 2 === 0 });
    const recorded = (await test.list(() => []))[0]?.releases ?? [];

    const passes: (string | null)[][] = [];
    for (let pass = 0; pass < 3; pass += 1) {
      test.operations();
      if (pass === 2) test.github.world.release(1);
      await test.list(() => recorded);
      passes.push(test.operations());
    }
    /*
     * GitHub also counts prereleases, which the indexer ignores. One extra query checks whether all other releases are
     * known.
     */
    assert.deepEqual(passes, [['Search', 'Further'], ['Search'], ['Search', 'Further']]);
  });

  it('are read again while some releases are not recorded', async () => {
    await using test = await startSource({ topics: ['davit-template'] });
    test.github.world.add({ id: 1 });
    for (let n = 0; n < 30; n += 1) test.github.world.release(1);
    const recorded = ((await test.list(() => []))[0]?.releases ?? []).slice(0, 20);

    const [only] = await test.list(() => recorded);
    assert.equal(only?.releases.length, 30);
  });

  it('contain the new commit of a moved tag', async () => {
    await using test = await startSource();
    test.github.world.add({ id: 1 });
    test.github.world.release(1, { tag: 'v1' });
    const before = (await test.list())[0]?.releases[0]?.commit;
    const commit = test.github.world.moveTag(1, 'v1', {});

    assert.equal((await test.list())[0]?.releases[0]?.commit, commit);
    assert.notEqual(before, commit);
  });
});
