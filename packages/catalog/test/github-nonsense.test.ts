/**
 * Tests responses of GitHub with invalid data. The source skips the repository and still lists the other repositories.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startSource, type TestSource } from './support/github-source.ts';

const idsOf = async (test: TestSource) => (await test.list()).map(({ id }) => id);

describe('a GitHub repository with invalid data', () => {
  const changes: [string, (node: Record<string, unknown>) => void][] = [
    ['without an ID', (node) => Object.assign(node, { databaseId: null })],
    ['with an ID that is a string', (node) => Object.assign(node, { databaseId: '1' })],
    ['with the name ..', (node) => Object.assign(node, { name: '..' })],
    ['with a path in its name', (node) => Object.assign(node, { name: 'a/../../b?c' })],
    ['with a URL that runs a script', (node) => Object.assign(node, { url: 'javascript:alert(1)' })],
    ['without an owner', (node) => Object.assign(node, { owner: null })],
    ['with a negative number of stars', (node) => Object.assign(node, { stargazerCount: -1 })],
    ['with releases that are not a list', (node) => Object.assign(node, { releases: { totalCount: 1 } })],
    ['with topics that are a list', (node) => Object.assign(node, { repositoryTopics: [] })],
  ];
  for (const [name, change] of changes) {
    it(`is skipped alone: a repository ${name}`, async () => {
      await using test = await startSource({ topics: ['davit-template'] });
      for (const id of [1, 2, 3]) test.github.world.add({ id });
      const changed = (document: { data: { search: { nodes: Record<string, unknown>[] } } }) => {
        change(document.data.search.nodes[1] ?? {});
        return document;
      };
      test.github.misbehave({ kind: 'changed', change: changed });

      assert.deepEqual(await idsOf(test), [1, 3]);
      assert.match(test.lines.join(''), /github returned no usable data about a repository/);
    });
  }

  it('is skipped alone if its owner forbids the token', async () => {
    await using test = await startSource();
    for (const id of [1, 2, 3]) test.github.world.add({ id });
    test.github.world.get(2).forbidden = true;

    assert.deepEqual(await idsOf(test), [1, 3]);
    assert.equal((await test.lookUp([{ ...test.github.world.get(2), owner: 'acme' }])).has(2), false);
  });
});
