/**
 * Tasks whose encrypted input was changed on disk while the instance was stopped: each task ends, and its subject is
 * free again.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inLong } from '../../../../test/support/tiers.ts';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';
import { allDatabases } from '../../src/db/tables/managed-database.ts';
import { openTasks } from '../../src/db/tables/task.ts';
import { backUpDatabase, restoreBackup, verifyBackup } from '../../src/resources/backups/actions.ts';
import { cloneDatabase, upgradeDatabase } from '../../src/resources/backups/copies.ts';
import { restartDatabase } from '../../src/resources/databases/change.ts';
import { rotatePassword } from '../../src/resources/databases/login.ts';
import { Interrupted } from '../../src/workflow/interrupted.ts';
import { demandNothingLeft, main, newestBackup, TABLES, withBackup } from '../support/database-world.ts';
import type { Kinds, TaskWorld } from '../support/task-world.ts';

type Ask = (world: TaskWorld) => number | Promise<number>;

const ASKS: Record<string, Ask> = {
  'backup.take': (world) => backUpDatabase(world.core, world.ctx, main(world), {}),
  'backup.verify': (world) => verifyBackup(world.core, { by: 'ada', via: 'api' }, newestBackup(world)),
  'backup.restore': (world) =>
    restoreBackup(world.core, world.ctx, newestBackup(world), { into: 'shop/production/again' }),
  'backup.restore-in-place': (world) =>
    restoreBackup(world.core, world.ctx, newestBackup(world), { in_place: true, confirm: 'main' }),
  'database.clone': (world) => cloneDatabase(world.core, world.ctx, main(world), { into: 'shop/production/clone' }),
  'database.upgrade': (world) =>
    upgradeDatabase(world.core, world.ctx, main(world), { version: main(world).version, confirm: 'main' }),
  'database.rotate': (world) => rotatePassword(world.core, world.ctx, main(world)),
  'database.restart': (world) => restartDatabase(world.core, world.ctx, main(world)),
};

/** Returns the task kinds of Davit. For the named kind, the process ends before the step with this number. */
function dyingAt(kind: string, at: number, died: () => void): Kinds {
  return TASK_KINDS.map((one) => ({
    ...one,
    steps: (work) =>
      one.steps(work).map((step, i) => {
        if (one.kind !== kind || i !== at) return step;
        const run = async () => {
          died();
          throw new Interrupted();
        };
        return { ...step, run };
      }),
  }));
}

for (const [kind, ask] of Object.entries(ASKS)) {
  describe(`a ${kind} task with corrupted data`, () => {
    for (const sealed of ['input', 'state'] as const) {
      // Without its input, the task cannot find what it created.
      const tier = sealed === 'input' ? {} : inLong;
      test(`ends at every step if its ${sealed} is corrupted`, tier, async () => {
        for (let step = 0; await broken(kind, ask, step, sealed); step++);
      });
    }
  });
}

/**
 * Runs one case.
 * @returns `false` if there is no such step
 */
async function broken(kind: string, ask: Ask, step: number, sealed: 'input' | 'state'): Promise<boolean> {
  await using world = await withBackup();
  const died = Promise.withResolvers<boolean>();
  await world.crash(dyingAt(kind, step, () => died.resolve(true)));
  const id = await ask(world);
  const isThere = await Promise.race([
    died.promise,
    world.tasks.ended(id, new AbortController().signal).then(() => false),
  ]);
  if (!isThere) return false;
  world.core.store.tx((tx) =>
    tx.run(`UPDATE tasks SET ${sealed} = 'v1.' || substr(${sealed}, 4, 20) || 'x.y' WHERE id = ?`, id),
  );

  await world.crash();

  const { status, error } = await world.ended(id);
  const where = `${kind} before step ${step}: ${error}`;
  if (sealed === 'input') {
    assert.equal(status, 'failed', where);
    assert.match(error ?? '', /changed outside Davit\. Start the task again\.$/, where);
  } else {
    assert.notEqual(status, 'running', where);
    if (status === 'failed') assert.match(error ?? '', /changed outside Davit/, where);
  }
  await world.reconcile();
  assert.deepEqual(openTasks(world.core.store), []);
  await demandNothingLeft(world);
  assert.ok(hasRows(world), where);
  return true;
}

/** Returns whether the database serves its rows, or has them in the trash. */
function hasRows(world: TaskWorld): boolean {
  return allDatabases(world.core.store).some(
    ({ volume }) => JSON.stringify(world.engine.controls.rows.get(volume)) === JSON.stringify(TABLES),
  );
}
