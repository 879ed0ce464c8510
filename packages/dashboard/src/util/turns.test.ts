import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

function setup() {
  const scheduled: (() => void)[] = [];
  const done: string[] = [];
  const turns = new Turns((next) => scheduled.push(next));
  return { turns, scheduled, done, runTask: () => scheduled.shift()?.() };
}

test('runs one piece of work per task, in order', () => {
  const { turns, scheduled, done, runTask } = setup();
  for (const name of ['a', 'b', 'c']) turns.wait(() => done.push(name));
  assert.deepEqual(done, []);
  assert.equal(scheduled.length, 1);
  runTask();
  assert.deepEqual(done, ['a']);
  runTask();
  runTask();
  assert.deepEqual(done, ['a', 'b', 'c']);
  assert.equal(scheduled.length, 0);
});

test('skips work that was removed', () => {
  const { turns, scheduled, done, runTask } = setup();
  const remove = turns.wait(() => done.push('a'));
  turns.wait(() => done.push('b'));
  remove();
  runTask();
  assert.deepEqual(done, ['b']);
  assert.equal(scheduled.length, 0);
});

test('runs the rest after work that throws an error', () => {
  const { turns, done, runTask } = setup();
  turns.wait(() => {
    throw new Error('no canvas');
  });
  turns.wait(() => done.push('b'));
  assert.throws(runTask, /no canvas/);
  runTask();
  assert.deepEqual(done, ['b']);
});
