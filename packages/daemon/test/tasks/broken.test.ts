/**
 * Tests tasks whose encrypted input was changed on disk while the instance was stopped. Each task ends, and later tasks
 * for the same resource are possible.
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
import { demandNothingLeft, main, newestBackup, TABLES, withBackup } from '../support/database-setup.ts';
import type { Kinds, TaskHarness } from '../support/task-harness.ts';

type TaskRequest = (world: TaskHarness) => number | Promise<number>;

const TASK_REQUESTS: Record<string, TaskRequest> = {
  'backup.take': (harness) => backUpDatabase(harness.core, harness.ctx, main(harness), {}),
  'backup.verify': (harness) => verifyBackup(harness.core, { by: 'ada', via: 'api' }, newestBackup(harness)),
  'backup.restore': (harness) =>
    restoreBackup(harness.core, harness.ctx, newestBackup(harness), { into: 'shop/production/again' }),
  'backup.restore-in-place': (harness) =>
    restoreBackup(harness.core, harness.ctx, newestBackup(harness), { in_place: true, confirm: 'main' }),
  'database.clone': (harness) =>
    cloneDatabase(harness.core, harness.ctx, main(harness), { into: 'shop/production/clone' }),
  'database.upgrade': (harness) =>
    upgradeDatabase(harness.core, harness.ctx, main(harness), { version: main(harness).version, confirm: 'main' }),
  'database.rotate': (harness) => rotatePassword(harness.core, harness.ctx, main(harness)),
  'database.restart': (harness) => restartDatabase(harness.core, harness.ctx, main(harness)),
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

for (const [kind, request] of Object.entries(TASK_REQUESTS)) {
  describe(`a ${kind} task with corrupted data`, () => {
    for (const sealed of ['input', 'state'] as const) {
      // Without its input, the task cannot find what it created.
      const tier = sealed === 'input' ? {} : inLong;
      test(`ends at every step if its ${sealed} is corrupted`, tier, async () => {
        for (let step = 0; await broken(kind, request, step, sealed); step++);
      });
    }
  });
}

/**
 * Runs one case.
 * @returns `false` if there is no such step
 */
async function broken(kind: string, request: TaskRequest, step: number, sealed: 'input' | 'state'): Promise<boolean> {
  await using harness = await withBackup();
  const died = Promise.withResolvers<boolean>();
  await harness.crash(dyingAt(kind, step, () => died.resolve(true)));
  const id = await request(harness);
  const isThere = await Promise.race([
    died.promise,
    harness.tasks.ended(id, new AbortController().signal).then(() => false),
  ]);
  if (!isThere) return false;
  harness.core.store.tx((tx) =>
    tx.run(`UPDATE tasks SET ${sealed} = 'v1.' || substr(${sealed}, 4, 20) || 'x.y' WHERE id = ?`, id),
  );

  await harness.crash();

  const { status, error } = await harness.ended(id);
  const where = `${kind} before step ${step}: ${error}`;
  if (sealed === 'input') {
    assert.equal(status, 'failed', where);
    assert.match(error ?? '', /changed outside Davit\. Start the task again\.$/, where);
  } else {
    assert.notEqual(status, 'running', where);
    if (status === 'failed') assert.match(error ?? '', /changed outside Davit/, where);
  }
  await harness.reconcile();
  assert.deepEqual(openTasks(harness.core.store), []);
  await demandNothingLeft(harness);
  assert.ok(hasRows(harness), where);
  return true;
}

/** Returns whether the database serves its rows, or has them in the trash. */
function hasRows(harness: TaskHarness): boolean {
  return allDatabases(harness.core.store).some(
    ({ volume }) => JSON.stringify(harness.engine.controls.rows.get(volume)) === JSON.stringify(TABLES),
  );
}
