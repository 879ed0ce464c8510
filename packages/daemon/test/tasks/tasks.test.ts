/** Tests of the task runner with a simple kind of task that adds words to a list and removes them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import { EngineUnavailable } from '../../src/adapters/engine/errors.ts';
import type { Core } from '../../src/composition/core.ts';
import { eventsAfter } from '../../src/db/tables/event.ts';
import { sealedOfTask } from '../../src/db/tables/task.ts';
import { stepsOfTask } from '../../src/db/tables/task-step.ts';
import {
  type AnyTaskKind,
  anyKind,
  TaskFailed,
  type TaskKind,
  type TaskStep,
  type TaskWork,
} from '../../src/resources/tasks/kind.ts';
import { listTasks, readTask } from '../../src/resources/tasks/task.ts';
import { Interrupted } from '../../src/workflow/interrupted.ts';
import { refusal } from '../support/core-harness.ts';
import { TaskHarness } from '../support/task-harness.ts';
import { taskMatrix } from '../support/task-matrix.ts';

type Words = Set<string>;
type Step = TaskStep<{ secret: string }, Core>;

/** Lists that the steps of an environment change. */
const lists = new WeakMap<Core, Words>();
const listOf = (core: Core): Words => {
  const list = lists.get(core) ?? new Set();
  lists.set(core, list);
  return list;
};

const word = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  run: async ({ core }) => void listOf(core).add(name),
  undo: async ({ core }) => void listOf(core).delete(name),
  ...more,
});

function kind(steps: readonly Step[], more: Partial<TaskKind<{ secret: string }, Core>> = {}): AnyTaskKind<Core> {
  return anyKind({ kind: 'test.words', steps: () => steps, ...more } satisfies TaskKind<{ secret: string }, Core>);
}

const subject = { kind: 'install', name: 'blog' } as const;

function startTask(harness: TaskHarness, name: string = subject.name): number {
  const request = { kind: 'test.words', subject: { ...subject, name }, projectId: null } as const;
  return harness.tasks.start({ ...request, input: { secret: 'sesame' }, by: 'ada', via: 'api' });
}

const STEPS = [word('one'), word('two', { once: true }), word('three')];

taskMatrix('a task of three words', {
  kind: 'test.words',
  steps: ['one', 'two', 'three'],
  kinds: [kind(STEPS)],
  prepare: () => TaskHarness.make([kind(STEPS)]),
  ask: startTask,
  snapshot: async ({ core }) => [...listOf(core)].sort(),
});

taskMatrix('a task with a step from which there is no way back', {
  kind: 'test.words',
  steps: ['one', 'two', 'three'],
  final: ['two'],
  kinds: [kind([word('one'), word('two', { final: true }), word('three')])],
  prepare: () => TaskHarness.make([kind([word('one'), word('two', { final: true }), word('three')])]),
  ask: startTask,
  snapshot: async ({ core }) => [...listOf(core)].sort(),
});

/** Returns a step that waits until the test continues or aborts it. */
function gate(): { step: Step; reached: Promise<void>; open: () => void } {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = async (_work: TaskWork<{ secret: string }, Core>, signal: AbortSignal) => {
    reached.resolve();
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    await Promise.race([opened.promise, promise]);
  };
  return { step: { name: 'gate', run }, reached: reached.promise, open: opened.resolve };
}

test('a second task for a subject is refused with the number of the open task', async () => {
  const { step, reached, open } = gate();
  await using harness = await TaskHarness.make([kind([step])]);
  const first = startTask(harness);
  await reached;

  assert.throws(() => startTask(harness), refusal('conflict', new RegExp(`Task ${first} .*blog`)));
  const other = startTask(harness, 'shop');
  open();

  assert.equal((await harness.ended(first)).status, 'succeeded');
  assert.equal((await harness.ended(other)).status, 'succeeded');
  assert.equal((await harness.ended(startTask(harness))).status, 'succeeded');
});

test('the input and state of a task are encrypted and deleted at its end', async () => {
  const { step, reached, open } = gate();
  await using harness = await TaskHarness.make([
    kind([{ ...word('one'), run: async ({ state }) => state.set({ seen: 'sesame' }) }, step]),
  ]);
  const id = startTask(harness);
  await reached;

  const sealed = sealedOfTask(harness.core.store, id);
  assert.match(sealed?.input ?? '', /^v1\./);
  assert.match(sealed?.state ?? '', /^v1\./);
  open();
  await harness.ended(id);
  assert.deepEqual(sealedOfTask(harness.core.store, id), { input: null, state: null });
});

test('the state of a step is available to later steps, even after a crash', async () => {
  let found: unknown;
  const { step, reached } = gate();
  const first: Step = { name: 'first', once: true, run: async ({ state }) => state.set({ chosen: 7 }) };
  const last: Step = {
    name: 'last',
    run: async ({ state, input }) => {
      found = { ...state.get(), ...input };
    },
  };
  await using harness = await TaskHarness.make([kind([first, step, last])]);
  const id = startTask(harness);
  await reached;

  await harness.crash([kind([first, last])]);
  await harness.ended(id);

  assert.deepEqual(found, { chosen: 7, secret: 'sesame' });
});

test('the log and progress of a task are recorded, and events are emitted', async () => {
  const { step, reached, open } = gate();
  const say: Step = {
    name: 'say',
    run: async ({ log, progress }) => {
      log('half of it');
      progress(1, 2, 'words');
    },
  };
  const stay: Step = {
    ...step,
    name: 'say',
    run: async (work, signal) => {
      await say.run(work, signal);
      await step.run(work, signal);
    },
  };
  await using harness = await TaskHarness.make([kind([stay])]);
  const id = startTask(harness);
  await reached;

  const task = await readTask(harness.core, harness.ctx, harness.row(id), false);
  assert.deepEqual([task.progress, task.log], [{ done: 1, total: 2, unit: 'words' }, ['half of it']]);
  open();
  await harness.ended(id);

  const taskEvents = eventsAfter(harness.core.store, 0, 100).filter((event) => event.kind === 'task');
  assert.deepEqual(
    taskEvents.map(({ data }) => [data.status, (data.step as { state?: string } | null)?.state ?? null]),
    [
      ['pending', null],
      ['running', null],
      ['running', 'started'],
      ['running', null],
      ['running', 'finished'],
      ['succeeded', null],
    ],
  );
});

test('a failed step sets the task’s error, and its lines are in the log', async () => {
  const failing: Step = {
    name: 'fail',
    run: async () => {
      throw new TaskFailed('The milk is sour.', ['tasted it']);
    },
  };
  await using harness = await TaskHarness.make([kind([word('one'), failing])]);

  const row = await harness.ended(startTask(harness));

  assert.deepEqual([row.status, row.error], ['failed', 'The milk is sour.']);
  assert.deepEqual(
    stepsOfTask(harness.core.store, row.id).map(({ name, error }) => [name, error]),
    [
      ['one', null],
      ['fail', 'The milk is sour.'],
    ],
  );
  assert.deepEqual((await readTask(harness.core, harness.ctx, row, false)).log, ['tasted it']);
  assert.deepEqual([...listOf(harness.core)], []);
});

test('a step is repeated if the engine becomes unavailable', async () => {
  let calls = 0;
  const flaky: Step = {
    name: 'flaky',
    run: async () => {
      calls += 1;
      if (calls === 1) throw new EngineUnavailable('it restarts');
    },
  };
  await using harness = await TaskHarness.make([kind([flaky])]);
  assert.equal((await harness.ended(startTask(harness))).status, 'succeeded');
  assert.equal(calls, 2);
});

test('a failed rollback of a step does not prevent the other rollbacks', async () => {
  let isClean: boolean | undefined;
  const stuck = word('stuck', {
    undo: async () => {
      throw new Error('it is stuck');
    },
  });
  const failing: Step = { name: 'fail', run: async () => Promise.reject(new Error('no')) };
  const ended = (_tx: unknown, _work: unknown, { clean }: { clean: boolean }) => {
    isClean = clean;
  };
  await using harness = await TaskHarness.make([kind([word('one'), stuck, failing], { ended })]);

  assert.equal((await harness.ended(startTask(harness))).status, 'failed');

  assert.deepEqual([...listOf(harness.core)], ['stuck']);
  assert.equal(isClean, false);
});

test('a task kind can skip the rollback after a failure', async () => {
  const failing: Step = { name: 'fail', run: async () => Promise.reject(new TaskFailed('No.')) };
  await using harness = await TaskHarness.make([kind([word('one'), failing], { undoes: () => false })]);
  await harness.ended(startTask(harness));
  assert.deepEqual([...listOf(harness.core)], ['one']);
});

test('a task cannot be canceled during a final step or after its end', async () => {
  const { step, reached, open } = gate();
  await using harness = await TaskHarness.make([kind([{ ...step, final: true }])]);
  const id = startTask(harness);
  await reached;

  await assert.rejects(harness.tasks.cancel(id), refusal('conflict', /can no longer be canceled/));
  open();
  await harness.ended(id);
  await assert.rejects(harness.tasks.cancel(id), refusal('conflict', /has already ended/));
});

test('a waiting caller is interrupted when the instance stops, and the task stays running', async () => {
  const { step, reached } = gate();
  await using harness = await TaskHarness.make([kind([step])]);
  const id = startTask(harness);
  await reached;
  const waiting = assert.rejects(harness.tasks.ended(id, patience()), Interrupted);

  await harness.tasks[Symbol.asyncDispose]();

  await waiting;
  assert.equal(harness.row(id).status, 'running');
});

test('a task of an unknown kind fails at the next start', async () => {
  const { step, reached } = gate();
  await using harness = await TaskHarness.make([kind([step])]);
  const id = startTask(harness);
  await reached;

  await harness.crash([]);

  const row = await harness.ended(id);
  assert.deepEqual(
    [row.status, row.error],
    ['failed', 'Another version of Davit started the task, and this version cannot continue it. Start the task again.'],
  );
});

test('a failed inner task fails the outer task with the same error', async () => {
  const inner: AnyTaskKind<Core> = {
    kind: 'test.inner',
    steps: () => [{ name: 'fail', run: async () => Promise.reject(new TaskFailed('The inner one failed.')) }],
  };
  const outer: Step = {
    name: 'inner',
    run: async ({ core }, signal) => {
      const request = {
        kind: 'test.inner',
        subject: { kind: 'database', name: 'x' },
        projectId: null,
        input: null,
      } as const;
      await core.tasks.succeeded(core.tasks.start({ ...request, by: 'ada', via: 'api' }), signal);
    },
  };
  await using harness = await TaskHarness.make([kind([outer]), inner]);
  assert.equal((await harness.ended(startTask(harness))).error, 'The inner one failed.');
});

test('only the newest task records within the retention limit are kept', async () => {
  await using harness = await TaskHarness.make([kind([word('one')])]);
  const settings = harness.core.settings();
  harness.core.settings = () => ({ ...settings, tasks: { kept: 3 } });
  for (let i = 0; i < 5; i++) await harness.ended(startTask(harness));
  assert.deepEqual(
    listTasks(harness.core, harness.ctx, {}).items.map(({ id }) => id),
    [5, 4, 3],
  );
});
