/** Descriptions of the steps of every kind of task. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { taskStepWords } from '@davit/api';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';

/** Row of a running database, from which kinds of tasks choose their steps. */
const ROW = { wanted: 'running', extensions: '[]', engine: 'postgres' };

/** Runs of a task, with which a kind of task returns all its possible steps. */
const WORKS = [{ goesOn: true }, { goesOn: false, restart: true }].map((more) => ({
  core: { store: { get: () => ROW, all: () => [] } },
  input: { database: 1, store: 1, extensions: [], ...more },
  state: { get: () => ({ generation: 1 }) },
}));

const PORT = ['port', 'container', 'ready', 'publish'];
/** Steps of the kinds whose steps depend on encrypted rows. */
const FROM_ROWS: Readonly<Record<string, readonly string[]>> = {
  'object_store.expose': PORT,
  'object_store.unexpose': PORT,
  'install.install': ['project', 'environment', 'databases', 'object_stores', 'apps', 'variables', 'deploy'],
};

const stepsOf = (kind: (typeof TASK_KINDS)[number]) =>
  FROM_ROWS[kind.kind] ?? [...new Set(WORKS.flatMap((work) => kind.steps(work as never).map(({ name }) => name)))];

const readable = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll(/[-_]/g, ' ')}`;

describe('the steps of every kind of task', () => {
  for (const kind of TASK_KINDS)
    it(`${kind.kind}: have descriptions that fit into the column of the command line`, () => {
      const words = taskStepWords(kind.kind);
      for (const name of stepsOf(kind)) {
        assert.notEqual(words(name), readable(name), `describe the step ${name} in packages/api/src/step-words.ts`);
        assert.match(words(name), /^[A-Z][a-z ]{1,47}$/);
      }
      const all = stepsOf(kind).map(words);
      assert.equal(new Set(all).size, all.length, `two steps have the same description: ${all.join(', ')}`);
    });

  it('describe a step by what the task does with it', () => {
    assert.equal(taskStepWords('database.rotate')('switch'), 'Give apps the new credentials');
    assert.equal(taskStepWords('backup.restore-in-place')('switch'), 'Stop the database and exchange its data');
  });
});
