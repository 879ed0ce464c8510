/** A repository is its number: names come and go, and never carry anything from one repository to another. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { World, WorldRepository } from '@davit/testkit/github';
import { type KnownRepository, SourceUnavailable } from '../src/source/source.ts';
import { startSource } from './support/github-source.ts';

function known({ id, nodeId, owner, name }: WorldRepository): KnownRepository {
  return { id, nodeId, owner: owner.login, name };
}

describe('a known repository that the listing does not show', () => {
  it('is found under its new name and its new owner', async () => {
    await using test = await startSource();
    const { world } = test.github;
    const before = known(world.add({ id: 1, owner: 'acme', name: 'wiki', topics: [] }));
    world.move(1, { name: 'notes' });
    world.move(1, { owner: 'globex' });

    const found = (await test.lookUp([before])).get(1);
    assert.deepEqual([found?.owner, found?.name, found?.id], ['globex', 'notes', 1]);
    assert.notEqual(found?.ownerId, 100);
  });

  it('is gone once it is deleted or private', async () => {
    await using test = await startSource();
    const { world } = test.github;
    const both = [known(world.add({ id: 1 })), known(world.add({ id: 2 }))];
    world.remove(1);
    world.get(2).private = true;

    assert.deepEqual(
      [...(await test.lookUp(both))],
      [
        [1, null],
        [2, null],
      ],
    );
  });

  it('is back with all there is once it is public again', async () => {
    await using test = await startSource();
    const repository = test.github.world.add({ id: 1, private: true });
    assert.deepEqual([...(await test.lookUp([known(repository)]))], [[1, null]]);
    repository.private = false;

    assert.equal((await test.lookUp([known(repository)])).get(1)?.name, repository.name);
  });

  it('tells that it has lost its topic', async () => {
    await using test = await startSource();
    const repository = test.github.world.add({ id: 1, topics: ['other'] });

    assert.deepEqual((await test.lookUp([known(repository)])).get(1)?.topics, ['other']);
  });

  it('is gone where it was never seen at this host', async () => {
    await using test = await startSource();
    const answers = await test.lookUp([{ id: 5, nodeId: null, owner: 'a', name: 'b' }]);

    assert.deepEqual([...answers], [[5, null]]);
    assert.equal(test.github.requests.length, 0);
  });

  it('is asked for together with fifty others', async () => {
    await using test = await startSource();
    const all = Array.from({ length: 120 }, () => known(test.github.world.add({ topics: [] })));
    test.github.world.remove(all[60]?.id ?? 0);

    const answers = await test.lookUp(all);
    assert.equal(answers.size, 120);
    assert.deepEqual([...answers].filter(([, repository]) => repository === null).length, 1);
    assert.deepEqual(test.operations(), ['LookUp', 'LookUp', 'LookUp']);
  });

  for (const error of [
    { type: 'FORBIDDEN', message: 'no' },
    { type: 'INTERNAL', path: ['nodes', 0], message: 'no' },
    { type: 'NOT_FOUND', path: ['viewer'], message: 'no' },
    { message: 'no' },
  ]) {
    it(`is not gone because of ${JSON.stringify(error)}`, async () => {
      await using test = await startSource();
      const repository = known(test.github.world.add());
      test.github.misbehave({ kind: 'changed', change: () => ({ data: { nodes: [null] }, errors: [error] }) });

      await assert.rejects(test.lookUp([repository]), SourceUnavailable);
    });
  }

  for (const [name, node] of [
    ['nothing', null],
    ['another kind of thing', {}],
    ['another repository', 'other'],
  ] as const) {
    it(`has no answer where ${name} stands in its place`, async () => {
      await using test = await startSource();
      const repository = known(test.github.world.add());
      test.github.world.add();
      const change = ({ data }: { data: { nodes: { databaseId: number }[] } }) => {
        const other = { ...data.nodes[0], databaseId: 99 };
        return { data: { nodes: [node === 'other' ? other : node] } };
      };
      test.github.misbehave({ kind: 'changed', change });

      assert.equal((await test.lookUp([repository])).size, 0);
    });
  }
});

/** What may happen to names between two passes; the answer is which name each number has then. */
const CONFUSIONS: [string, (world: World) => void, Record<number, string | null>][] = [
  ['one is renamed', (w) => w.move(1, { name: 'c' }), { 1: 'x/c', 2: 'x/b' }],
  ['one is given away', (w) => w.move(1, { owner: 'y' }), { 1: 'y/a', 2: 'x/b' }],
  ['one is given away and renamed', (w) => w.move(1, { owner: 'y', name: 'c' }), { 1: 'y/c', 2: 'x/b' }],
  ['one is deleted', (w) => w.remove(1), { 1: null, 2: 'x/b' }],
  [
    'another takes the name of a deleted one',
    (w) => {
      w.remove(1);
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: null, 3: 'x/a' },
  ],
  [
    'another takes the name of a renamed one',
    (w) => {
      w.move(1, { name: 'c' });
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'x/c', 3: 'x/a' },
  ],
  [
    'another takes the name of one given away',
    (w) => {
      w.move(1, { owner: 'y' });
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'y/a', 3: 'x/a' },
  ],
  [
    'two swap names',
    (w) => {
      w.move(1, { name: 't' });
      w.move(2, { name: 'a' });
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: 'x/a' },
  ],
  [
    'two swap owners',
    (w) => {
      w.move(1, { owner: 'y' });
      w.move(2, { owner: 'y' });
      w.move(2, { owner: 'x' });
    },
    { 1: 'y/a', 2: 'x/b' },
  ],
  [
    'one takes the name of another that was deleted',
    (w) => {
      w.remove(2);
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: null },
  ],
  [
    'one takes the name of another that moved on',
    (w) => {
      w.move(2, { name: 'c' });
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: 'x/c' },
  ],
  [
    'one goes and comes back',
    (w) => {
      w.move(1, { name: 'c' });
      w.move(1, { name: 'a' });
    },
    { 1: 'x/a', 2: 'x/b' },
  ],
  [
    'one is given away and back',
    (w) => {
      w.move(1, { owner: 'y' });
      w.move(1, { owner: 'x' });
    },
    { 1: 'x/a', 2: 'x/b' },
  ],
  [
    'only the case of a name changes',
    (w) => {
      w.move(1, { name: 't' });
      w.move(1, { name: 'A' });
    },
    { 1: 'x/A', 2: 'x/b' },
  ],
  [
    'the owner is renamed with all of it',
    (w) => {
      w.move(1, { owner: 'z' });
      w.move(2, { owner: 'z' });
    },
    { 1: 'z/a', 2: 'z/b' },
  ],
  [
    'somebody takes the name of a renamed owner',
    (w) => {
      w.move(1, { owner: 'z' });
      w.move(2, { owner: 'z' });
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'z/a', 2: 'z/b', 3: 'x/a' },
  ],
  [
    'one turns private and another takes its old name',
    (w) => {
      w.move(1, { name: 'c' });
      w.get(1).private = true;
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: null, 3: 'x/a' },
  ],
  [
    'one loses its topic and another takes its old name',
    (w) => {
      w.move(1, { name: 'c' });
      w.get(1).topics = [];
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'x/c', 3: 'x/a' },
  ],
  [
    'three move up in a row',
    (w) => {
      w.add({ id: 3, owner: 'x', name: 'c' });
      w.move(3, { name: 'd' });
      w.move(2, { name: 'c' });
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: 'x/c', 3: 'x/d' },
  ],
  [
    'a name is taken twice over',
    (w) => {
      w.move(1, { name: 'c' });
      w.add({ id: 3, owner: 'x', name: 'a' });
      w.move(3, { name: 'd' });
      w.add({ id: 4, owner: 'x', name: 'a' });
    },
    { 1: 'x/c', 3: 'x/d', 4: 'x/a' },
  ],
];

describe('twenty confusions of names mix up nothing', () => {
  assert.equal(CONFUSIONS.length, 20);
  for (const [name, happen, expected] of CONFUSIONS) {
    it(name, async () => {
      await using test = await startSource();
      const { world } = test.github;
      for (const [id, repository] of [
        [1, 'a'],
        [2, 'b'],
      ] as const) {
        world.add({ id, owner: 'x', name: repository, stars: id });
        world.release(id, { tag: `of-${id}`, files: { 'template.yaml': `of ${id}` } });
      }
      const before = await test.list();
      happen(world);

      const after = await test.list();
      const shown = new Set(after.map(({ id }) => id));
      const missed = await test.lookUp(before.filter(({ id }) => !shown.has(id)));
      const all = new Map([...after.map((one) => [one.id, one] as const), ...missed]);
      for (const [id, place] of Object.entries(expected)) {
        const found = all.get(Number(id)) ?? null;
        assert.equal(found && `${found.owner}/${found.name}`, place);
        if (Number(id) < 3 && found) assert.deepEqual([found.stars, found.releases[0]?.tag], [Number(id), `of-${id}`]);
      }
      // Who still knows only the old names reads the files of the right repository, or nothing.
      for (const old of before) {
        const [release] = old.releases;
        const read = test.source.readFile(old, release?.commit ?? '', 'template.yaml', 100, test.signal);
        const answer = await read.catch((error: unknown) => error);
        if (answer instanceof SourceUnavailable) continue;
        assert.deepEqual(answer, { kind: 'found', bytes: new TextEncoder().encode(`of ${old.id}`) });
      }
    });
  }
});
