/**
 * What holds for every kind of task, proven for every step of it: doing a step twice is doing it once; a failure at any step
 * leaves the world as it was; a crash at any step, or in the middle of an undo, ends as if there had been none.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inLong } from '../../../../test/support/tiers.ts';
import type { Core } from '../../src/composition/core.ts';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';
import { stepsOfTask } from '../../src/db/tables/task-step.ts';
import type { AnyTaskKind, TaskStep } from '../../src/resources/tasks/kind.ts';
import { Interrupted } from '../../src/workflow/interrupted.ts';
import type { Kinds, TaskWorld } from './task-world.ts';

type Step = TaskStep<unknown, Core>;

export interface TaskCase {
  kind: string;
  /** The names of its steps, in order, in this case. */
  steps: readonly string[];
  /** A world in which it can be asked for. */
  prepare: () => Promise<TaskWorld>;
  /** Asks for it; answers its number. */
  ask: (world: TaskWorld) => number | Promise<number>;
  /** Everything that it may change, in a form to be compared; the same in two worlds that are alike. */
  snapshot: (world: TaskWorld) => Promise<object>;
  /** Steps after which a failure undoes nothing. */
  final?: readonly string[];
  /** All of the kinds that there are in the world; those of the product unless given. */
  kinds?: Kinds;
}

/** Declares the cases of one kind of task in one situation. */
export function taskMatrix(title: string, of: TaskCase): void {
  const { steps, final = [] } = of;
  describe(title, () => {
    test('does the same when every step is done twice', () => doneTwice(of));
    for (const [at, name] of steps.entries()) {
      const isPast = final.some((last) => steps.indexOf(last) <= steps.indexOf(name));
      for (const moment of ['before', 'after'] as const) {
        // What has been done is what may be left behind, or be done again. In the quick tier one step fails, the next dies.
        const tier = (isTurn: boolean) => (moment === 'after' && isTurn ? {} : inLong);
        const dies = tier(isPast || at % 2 === 1);
        if (!isPast)
          test(`leaves the world as it was when it fails ${moment} ${name}`, tier(at % 2 === 0), () =>
            failing(of, name, moment),
          );
        test(`comes to the same end when the process dies ${moment} ${name}`, dies, () => dying(of, name, moment));
      }
      if (!isPast)
        test(`leaves the world as it was when it is cancelled in ${name}`, inLong, () => cancelled(of, name));
    }
    if (final.length === 0)
      test('undoes everything again when the process dies while undoing it', () => dyingInUndo(of));
  });
}

async function doneTwice(of: TaskCase): Promise<void> {
  const calm = await undisturbed(of);
  await using world = await of.prepare();
  await world.crash(
    changed(
      of,
      () => true,
      (step) => ({
        ...step,
        run: async (work, signal) => {
          await step.run(work, signal);
          // What shows outside is not repeated once it has finished; the others may be.
          if (!step.once) await step.run(work, signal);
        },
      }),
    ),
  );
  const { status, error } = await world.ended(await of.ask(world));
  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(await settled(of, world), calm);
}

async function failing(of: TaskCase, name: string, moment: 'before' | 'after'): Promise<void> {
  await using world = await of.prepare();
  const before = await settled(of, world);
  await world.crash(
    changed(of, only(name), (step) => ({
      ...step,
      run: async (work, signal) => {
        if (moment === 'after') await step.run(work, signal);
        throw new Error(`told to fail ${moment} ${name}`);
      },
    })),
  );

  const row = await world.ended(await of.ask(world));

  assert.equal(row.status, 'failed');
  assert.match(row.error ?? '', /log has the details/);
  assert.deepEqual(await settled(of, world), before);
}

async function dying(of: TaskCase, name: string, moment: 'before' | 'after'): Promise<void> {
  const calm = await undisturbed(of);
  await using world = await of.prepare();
  const died = Promise.withResolvers<void>();
  await world.crash(
    changed(of, only(name), (step) => ({
      ...step,
      run: async (work, signal) => {
        if (moment === 'after') await step.run(work, signal);
        died.resolve();
        throw new Interrupted();
      },
    })),
  );
  const id = await of.ask(world);
  await orEnded(world, id, died.promise);

  await world.crash(of.kinds);

  const { status, error } = await world.ended(id);
  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(await settled(of, world), calm);
}

async function cancelled(of: TaskCase, name: string): Promise<void> {
  await using world = await of.prepare();
  const before = await settled(of, world);
  const there = Promise.withResolvers<void>();
  await world.crash(
    changed(of, only(name), (step) => ({
      ...step,
      run: async (work, signal) => {
        await step.run(work, signal);
        there.resolve();
        await aborted(signal);
      },
    })),
  );
  const id = await of.ask(world);
  await orEnded(world, id, there.promise);

  await world.tasks.cancel(id);

  assert.equal(world.row(id).status, 'cancelled');
  assert.deepEqual(await settled(of, world), before);
}

async function dyingInUndo(of: TaskCase): Promise<void> {
  await using world = await of.prepare();
  const before = await settled(of, world);
  const last = of.steps.at(-1);
  const died = Promise.withResolvers<void>();
  await world.crash(
    changed(
      of,
      () => true,
      (step) => ({
        ...step,
        run: async (work, signal) => {
          await step.run(work, signal);
          if (step.name === last) throw new Error('told to fail after the last step');
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
  const id = await of.ask(world);
  // One without anything to be undone has ended by then.
  await orEnded(world, id, died.promise);

  await world.crash(of.kinds);

  assert.equal((await world.ended(id)).status, 'failed');
  assert.deepEqual(await settled(of, world), before);
}

/** What it comes to when nothing happens to it; also that its steps are those that the case names. */
async function undisturbed(of: TaskCase): Promise<object> {
  await using world = await of.prepare();
  const { id, status, error } = await world.ended(await of.ask(world));
  assert.deepEqual([status, error], ['succeeded', null], world.errors.join('\n'));
  assert.deepEqual(
    stepsOfTask(world.core.store, id).map(({ name }) => name),
    of.steps,
  );
  return settled(of, world);
}

async function settled(of: TaskCase, world: TaskWorld): Promise<object> {
  await world.reconcile();
  return of.snapshot(world);
}

const only = (name: string) => (step: Step) => step.name === name;

/** All kinds, with some steps of the one that is looked at changed. */
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

/** Also for a task that ended before it came there: what is looked at next says why. */
async function orEnded(world: TaskWorld, id: number, reached: Promise<void>): Promise<void> {
  const given = new AbortController();
  const ended = world.tasks.ended(id, given.signal);
  ended.catch(() => undefined);
  await Promise.race([reached, ended]);
  given.abort(new Error('nobody waits any more'));
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
