/**
 * Tests for every step of every kind of task. Running a step twice has the same result as running it once. A failure at
 * any step restores the previous state. A crash at any step, or during a rollback, does not change the result.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inLong } from '../../../../test/support/tiers.ts';
import type { Core } from '../../src/composition/core.ts';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';
import { stepsOfTask } from '../../src/db/tables/task-step.ts';
import type { AnyTaskKind, TaskStep } from '../../src/resources/tasks/kind.ts';
import { Interrupted } from '../../src/workflow/interrupted.ts';
import type { Kinds, TaskHarness } from './task-harness.ts';

type Step = TaskStep<unknown, Core>;

export interface TaskCase {
  kind: string;
  /** Names of the steps in this case, in order. */
  steps: readonly string[];
  /** Creates an environment in which the task can be requested. */
  prepare: () => Promise<TaskHarness>;
  /**
   * Requests the task.
   * @returns its number
   */
  ask: (world: TaskHarness) => number | Promise<number>;
  /** Returns everything that the task may change, in a comparable form. Equal environments have equal snapshots. */
  snapshot: (world: TaskHarness) => Promise<object>;
  /** Steps after which a failure does not cause a rollback. */
  final?: readonly string[];
  /** Kinds of tasks in the environment. Default: all kinds of Davit. */
  kinds?: Kinds;
}

/** Declares the cases of one kind of task in one situation. */
export function taskMatrix(title: string, of: TaskCase): void {
  const { steps, final = [] } = of;
  describe(title, () => {
    test('has the same result if every step runs twice', () => doneTwice(of));
    for (const [at, name] of steps.entries()) {
      const isPast = final.some((last) => steps.indexOf(last) <= steps.indexOf(name));
      for (const moment of ['before', 'after'] as const) {
        /*
         * After a step has run, its effect may stay or the step may run again. In the quick tier, failures and crashes
         * alternate between the steps.
         */
        const tier = (isTurn: boolean) => (moment === 'after' && isTurn ? {} : inLong);
        const dies = tier(isPast || at % 2 === 1);
        if (!isPast)
          test(`restores the previous state if the task fails ${moment} ${name}`, tier(at % 2 === 0), () =>
            failing(of, name, moment),
          );
        test(`has the same result if the process crashes ${moment} ${name}`, dies, () => dying(of, name, moment));
      }
      if (!isPast)
        test(`restores the previous state if the task is canceled in ${name}`, inLong, () => cancelled(of, name));
    }
    if (final.length === 0)
      test('restores the previous state if the process crashes during the rollback', () => dyingInUndo(of));
  });
}

async function doneTwice(of: TaskCase): Promise<void> {
  const calm = await undisturbed(of);
  await using harness = await of.prepare();
  await harness.crash(
    changed(
      of,
      () => true,
      (step) => ({
        ...step,
        run: async (work, signal) => {
          await step.run(work, signal);
          /*
           * A finished step with `once` is not repeated, because its effect is visible outside. Other steps may be
           * repeated.
           */
          if (!step.once) await step.run(work, signal);
        },
      }),
    ),
  );
  const { status, error } = await harness.ended(await of.ask(harness));
  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(await settled(of, harness), calm);
}

async function failing(of: TaskCase, name: string, moment: 'before' | 'after'): Promise<void> {
  await using harness = await of.prepare();
  const before = await settled(of, harness);
  await harness.crash(
    changed(of, only(name), (step) => ({
      ...step,
      run: async (work, signal) => {
        if (moment === 'after') await step.run(work, signal);
        throw new Error(`the test made the step fail ${moment} ${name}`);
      },
    })),
  );

  const row = await harness.ended(await of.ask(harness));

  assert.equal(row.status, 'failed');
  assert.match(row.error ?? '', /in the log of the instance/);
  assert.deepEqual(await settled(of, harness), before);
}

async function dying(of: TaskCase, name: string, moment: 'before' | 'after'): Promise<void> {
  const calm = await undisturbed(of);
  await using harness = await of.prepare();
  const died = Promise.withResolvers<void>();
  await harness.crash(
    changed(of, only(name), (step) => ({
      ...step,
      run: async (work, signal) => {
        if (moment === 'after') await step.run(work, signal);
        died.resolve();
        throw new Interrupted();
      },
    })),
  );
  const id = await of.ask(harness);
  await orEnded(harness, id, died.promise);

  await harness.crash(of.kinds);

  const { status, error } = await harness.ended(id);
  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(await settled(of, harness), calm);
}

async function cancelled(of: TaskCase, name: string): Promise<void> {
  await using harness = await of.prepare();
  const before = await settled(of, harness);
  const there = Promise.withResolvers<void>();
  await harness.crash(
    changed(of, only(name), (step) => ({
      ...step,
      run: async (work, signal) => {
        await step.run(work, signal);
        there.resolve();
        await aborted(signal);
      },
    })),
  );
  const id = await of.ask(harness);
  await orEnded(harness, id, there.promise);

  await harness.tasks.cancel(id);

  assert.equal(harness.row(id).status, 'cancelled');
  assert.deepEqual(await settled(of, harness), before);
}

async function dyingInUndo(of: TaskCase): Promise<void> {
  await using harness = await of.prepare();
  const before = await settled(of, harness);
  const last = of.steps.at(-1);
  const died = Promise.withResolvers<void>();
  await harness.crash(
    changed(
      of,
      () => true,
      (step) => ({
        ...step,
        run: async (work, signal) => {
          await step.run(work, signal);
          if (step.name === last) throw new Error('the test made the step fail after the last step');
        },
        ...(step.undo && {
          undo: async (work) => {
            await step.undo?.(work);
            died.resolve();
            throw new Interrupted();
          },
        }),
      }),
    ),
  );
  const id = await of.ask(harness);
  // A task without anything to roll back has already ended.
  await orEnded(harness, id, died.promise);

  await harness.crash(of.kinds);

  assert.equal((await harness.ended(id)).status, 'failed');
  assert.deepEqual(await settled(of, harness), before);
}

/** Returns the snapshot after an undisturbed run. Also checks that the task has the steps that the case names. */
async function undisturbed(of: TaskCase): Promise<object> {
  await using harness = await of.prepare();
  const { id, status, error } = await harness.ended(await of.ask(harness));
  assert.deepEqual([status, error], ['succeeded', null], harness.errors.join('\n'));
  assert.deepEqual(
    stepsOfTask(harness.core.store, id).map(({ name }) => name),
    of.steps,
  );
  return settled(of, harness);
}

async function settled(of: TaskCase, harness: TaskHarness): Promise<object> {
  await harness.reconcile();
  return of.snapshot(harness);
}

const only = (name: string) => (step: Step) => step.name === name;

/** Returns all kinds, with some steps of the tested kind changed. */
function changed(
  { kind: name, kinds = TASK_KINDS }: TaskCase,
  isMeant: (step: Step) => boolean,
  change: (step: Step) => Step,
): Kinds {
  return kinds.map(
    (kind): AnyTaskKind<Core> =>
      kind.kind !== name
        ? kind
        : { ...kind, steps: (work) => kind.steps(work).map((step) => (isMeant(step) ? change(step) : step)) },
  );
}

/**
 * Waits until the task reaches a point or ends before it. In the second case, the next check of the test shows the
 * reason.
 */
async function orEnded(harness: TaskHarness, id: number, reached: Promise<void>): Promise<void> {
  const given = new AbortController();
  const ended = harness.tasks.ended(id, given.signal);
  ended.catch(() => undefined);
  await Promise.race([reached, ended]);
  given.abort(new Error('the test has ended'));
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
