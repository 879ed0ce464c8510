/** Tests the lookup of known repositories that the listing no longer contains. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SimulatedRepository } from '@davit/testkit/github';
import { type KnownRepository, SourceUnavailable } from '../src/source/source.ts';
import { startSource } from './support/github-source.ts';

function known({ id, nodeId, owner, name }: SimulatedRepository): KnownRepository {
  return { id, nodeId, owner: owner.login, name };
}

describe('lookup of a repository missing from the listing', () => {
  it('finds a renamed and transferred repository under its new name', async () => {
    await using test = await startSource();
    const { world: state } = test.github;
    const before = known(state.add({ id: 1, owner: 'acme', name: 'wiki', topics: [] }));
    state.move(1, { name: 'notes' });
    state.move(1, { owner: 'globex' });

    const found = (await test.lookUp([before])).get(1);
    assert.deepEqual([found?.owner, found?.name, found?.id], ['globex', 'notes', 1]);
    assert.notEqual(found?.ownerId, 100);
  });

  it('reports a deleted or private repository as gone', async () => {
    await using test = await startSource();
    const { world: state } = test.github;
    const both = [known(state.add({ id: 1 })), known(state.add({ id: 2 }))];
    state.remove(1);
    state.get(2).private = true;

    assert.deepEqual(
      [...(await test.lookUp(both))],
      [
        [1, null],
        [2, null],
      ],
    );
  });

  it('finds a repository that is public again', async () => {
    await using test = await startSource();
    const repository = test.github.world.add({ id: 1, private: true });
    assert.deepEqual([...(await test.lookUp([known(repository)]))], [[1, null]]);
    repository.private = false;

    assert.equal((await test.lookUp([known(repository)])).get(1)?.name, repository.name);
  });

  it('returns the topics of a repository that lost its listing topic', async () => {
    await using test = await startSource();
    const repository = test.github.world.add({ id: 1, topics: ['other'] });

    assert.deepEqual((await test.lookUp([known(repository)])).get(1)?.topics, ['other']);
  });

  it('reports a repository without a node ID as gone without a request', async () => {
    await using test = await startSource();
    const answers = await test.lookUp([{ id: 5, nodeId: null, owner: 'a', name: 'b' }]);

    assert.deepEqual([...answers], [[5, null]]);
    assert.equal(test.github.requests.length, 0);
  });

  it('requests fifty repositories in each query', async () => {
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
    it(`does not report a repository as gone after ${JSON.stringify(error)}`, async () => {
      await using test = await startSource();
      const repository = known(test.github.world.add());
      test.github.misbehave({ kind: 'changed', change: () => ({ data: { nodes: [null] }, errors: [error] }) });

      await assert.rejects(test.lookUp([repository]), SourceUnavailable);
    });
  }

  for (const [name, node] of [
    ['null', null],
    ['an object of another type', {}],
    ['another repository', 'other'],
  ] as const) {
    it(`returns no answer for a repository if GitHub returns ${name} instead`, async () => {
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
