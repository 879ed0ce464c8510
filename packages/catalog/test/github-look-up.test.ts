/** What became of repositories that a listing does not show any more. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WorldRepository } from '@davit/testkit/github';
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
