/**
 * Tests that the repository ID identifies a repository. A change of names or owners must not mix the data of two
 * repositories.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SimulatedGitHubState } from '@davit/testkit/github';
import { SourceUnavailable } from '../src/source/source.ts';
import { startSource } from './support/github-source.ts';

/**
 * Changes of names between two indexer passes. Each case lists the expected name of each repository ID, or `null` if
 * the repository no longer exists.
 */
const CONFUSIONS: [string, (world: SimulatedGitHubState) => void, Record<number, string | null>][] = [
  ['one repository is renamed', (w) => w.move(1, { name: 'c' }), { 1: 'x/c', 2: 'x/b' }],
  ['one repository is transferred', (w) => w.move(1, { owner: 'y' }), { 1: 'y/a', 2: 'x/b' }],
  ['one repository is transferred and renamed', (w) => w.move(1, { owner: 'y', name: 'c' }), { 1: 'y/c', 2: 'x/b' }],
  ['one repository is deleted', (w) => w.remove(1), { 1: null, 2: 'x/b' }],
  [
    'a new repository takes the name of a deleted repository',
    (w) => {
      w.remove(1);
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: null, 3: 'x/a' },
  ],
  [
    'a new repository takes the name of a renamed repository',
    (w) => {
      w.move(1, { name: 'c' });
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'x/c', 3: 'x/a' },
  ],
  [
    'a new repository takes the name of a transferred repository',
    (w) => {
      w.move(1, { owner: 'y' });
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'y/a', 3: 'x/a' },
  ],
  [
    'two repositories swap names',
    (w) => {
      w.move(1, { name: 't' });
      w.move(2, { name: 'a' });
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: 'x/a' },
  ],
  [
    'two repositories swap owners',
    (w) => {
      w.move(1, { owner: 'y' });
      w.move(2, { owner: 'y' });
      w.move(2, { owner: 'x' });
    },
    { 1: 'y/a', 2: 'x/b' },
  ],
  [
    'one repository takes the name of a deleted repository',
    (w) => {
      w.remove(2);
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: null },
  ],
  [
    'one repository takes the former name of a renamed repository',
    (w) => {
      w.move(2, { name: 'c' });
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: 'x/c' },
  ],
  [
    'one repository is renamed and then renamed back',
    (w) => {
      w.move(1, { name: 'c' });
      w.move(1, { name: 'a' });
    },
    { 1: 'x/a', 2: 'x/b' },
  ],
  [
    'one repository is transferred and transferred back',
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
    'the owner of both repositories is renamed',
    (w) => {
      w.move(1, { owner: 'z' });
      w.move(2, { owner: 'z' });
    },
    { 1: 'z/a', 2: 'z/b' },
  ],
  [
    'a new owner takes the name of a renamed owner',
    (w) => {
      w.move(1, { owner: 'z' });
      w.move(2, { owner: 'z' });
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'z/a', 2: 'z/b', 3: 'x/a' },
  ],
  [
    'one repository becomes private and a new repository takes its former name',
    (w) => {
      w.move(1, { name: 'c' });
      w.get(1).private = true;
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: null, 3: 'x/a' },
  ],
  [
    'one repository loses its topic and a new repository takes its former name',
    (w) => {
      w.move(1, { name: 'c' });
      w.get(1).topics = [];
      w.add({ id: 3, owner: 'x', name: 'a' });
    },
    { 1: 'x/c', 3: 'x/a' },
  ],
  [
    'each of three repositories takes the former name of the next',
    (w) => {
      w.add({ id: 3, owner: 'x', name: 'c' });
      w.move(3, { name: 'd' });
      w.move(2, { name: 'c' });
      w.move(1, { name: 'b' });
    },
    { 1: 'x/b', 2: 'x/c', 3: 'x/d' },
  ],
  [
    'two new repositories take the same former name one after another',
    (w) => {
      w.move(1, { name: 'c' });
      w.add({ id: 3, owner: 'x', name: 'a' });
      w.move(3, { name: 'd' });
      w.add({ id: 4, owner: 'x', name: 'a' });
    },
    { 1: 'x/c', 3: 'x/d', 4: 'x/a' },
  ],
];

describe('repository identity after changes of names and owners', () => {
  assert.equal(CONFUSIONS.length, 20);
  for (const [name, happen, expected] of CONFUSIONS) {
    it(name, async () => {
      await using test = await startSource();
      const { world: state } = test.github;
      for (const [id, repository] of [
        [1, 'a'],
        [2, 'b'],
      ] as const) {
        state.add({ id, owner: 'x', name: repository, stars: id });
        state.release(id, { tag: `of-${id}`, files: { 'template.yaml': `of ${id}` } });
      }
      const before = await test.list();
      happen(state);

      const after = await test.list();
      const shown = new Set(after.map(({ id }) => id));
      const missed = await test.lookUp(before.filter(({ id }) => !shown.has(id)));
      const all = new Map([...after.map((one) => [one.id, one] as const), ...missed]);
      for (const [id, expectedName] of Object.entries(expected)) {
        const found = all.get(Number(id)) ?? null;
        assert.equal(found && `${found.owner}/${found.name}`, expectedName);
        if (Number(id) < 3 && found) assert.deepEqual([found.stars, found.releases[0]?.tag], [Number(id), `of-${id}`]);
      }
      /*
       * With the old name, the source must return files of the right repository or report the repository as
       * unavailable.
       */
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
