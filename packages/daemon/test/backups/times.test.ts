/**
 * Tests that backups are taken and verified when they are due, even if the clock changes or the instance was stopped.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackupSchedulePut } from '@davit/api';
import { goodBackups, lastEndedBackup } from '../../src/db/tables/backup.ts';
import { moveBackupSchedule } from '../../src/db/tables/backup-schedule.ts';
import { putQuota } from '../../src/db/tables/quota.ts';
import { NO_QUOTA } from '../../src/quotas/quota.ts';
import { backupWarnings, listBackupCoverage } from '../../src/resources/backups/coverage.ts';
import { runDueBackups } from '../../src/resources/backups/run-due.ts';
import { putBackupSchedule, readBackupSchedule } from '../../src/resources/backups/schedule.ts';
import { restartDatabase } from '../../src/resources/databases/change.ts';
import { listTasks } from '../../src/resources/tasks/task.ts';
import { database, made, take } from '../support/data-setup.ts';
import type { TaskHarness } from '../support/task-harness.ts';

const DAY = 86_400_000;

test('a failed verification is retried after an hour, not at every check', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await take(harness);
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', verify_every_days: 7 });
  await putBackupSchedule(core, ctx, database(harness), input);
  const look = async () => {
    await runDueBackups(core);
    await harness.tasks.settled();
    return listTasks(core, ctx, { subject_kind: 'backup' }).items.map(({ status }) => status);
  };
  harness.engine.controls.fail('createGroup');

  assert.deepEqual(await look(), ['failed']);
  harness.clock += 120_000;
  assert.deepEqual(await look(), ['failed']);
  harness.clock += 3_600_000;
  assert.deepEqual(await look(), ['succeeded', 'failed']);
});

test('a verification that fails for a day is a problem and a warning', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await take(harness);
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', verify_every_days: 7 });
  await putBackupSchedule(core, ctx, database(harness), input);
  const look = async () => {
    await runDueBackups(core);
    await harness.tasks.settled();
    return listBackupCoverage(core, ctx, {}).items[0]?.problem ?? null;
  };
  harness.engine.controls.fail('createGroup');

  assert.equal(await look(), null);
  harness.clock += DAY;
  harness.engine.controls.fail('createGroup');
  assert.match(
    (await look()) ?? '',
    /verification of the backups has been overdue since 2026-01-01T.*Z\. .*simulated failure of Docker/,
  );
  assert.match(backupWarnings(core).join(), /shop\/production\/main.*verification of the backups/);
  harness.clock += 2 * 3_600_000;
  assert.equal(await look(), null);
  assert.deepEqual(backupWarnings(core), []);
});

test('a verification that a quota prevents for a day is a problem', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await take(harness);
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', verify_every_days: 7 });
  await putBackupSchedule(core, ctx, database(harness), input);
  const project = { id: database(harness).project_id, slug: 'shop' };
  core.store.tx((tx) => putQuota(tx, project, { ...NO_QUOTA, memory_bytes: 1 }));
  harness.clock += DAY + 1_000;

  await runDueBackups(core);

  const { problem } = listBackupCoverage(core, ctx, {}).items[0] ?? {};
  assert.match(problem ?? '', /overdue since 2026-01-01T.*Z\. .*quota/);
});

test('backups continue after a clock that was years ahead is corrected', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  const right = harness.clock;
  harness.clock = Date.parse('2036-05-05T12:00:00Z');
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse({ cron: '0 3 * * *' }));
  harness.clock = right;

  await runDueBackups(core);

  const { next_at } = readBackupSchedule(core.store, database(harness));
  assert.ok(Date.parse(next_at ?? '') - right <= DAY + 3_600_000, `the next one is at ${next_at}`);
});

test('a clock set back by seconds causes no duplicate backup', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse({ cron: '0 3 * * *' }));
  const time = Date.parse(readBackupSchedule(core.store, database(harness)).next_at ?? '');
  harness.clock = time;
  await runDueBackups(core);
  await harness.tasks.settled();

  harness.clock = time - 5_000;
  await runDueBackups(core);
  harness.clock = time + 5_000;
  await runDueBackups(core);
  await harness.tasks.settled();

  assert.equal(goodBackups(core.store, database(harness).id).length, 1);
});

test('a backup due during another task of the database is taken afterwards', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse({ cron: '0 3 * * *' }));
  const due = readBackupSchedule(core.store, database(harness)).next_at;
  const gate = harness.engine.controls.pause('stop');
  const restart = restartDatabase(core, ctx, database(harness));
  await gate.reached;
  harness.clock = Date.parse(due ?? '');
  const inMs = await runDueBackups(core);
  gate.open();
  await harness.ended(restart);

  await runDueBackups(core);
  await harness.tasks.settled();

  assert.ok((inMs ?? 0) >= 1_000, 'it is looked for without a pause');
  const { next_at, missed } = readBackupSchedule(core.store, database(harness));
  assert.deepEqual([goodBackups(core.store, database(harness).id).length, missed], [1, null]);
  assert.notEqual(next_at, due);
});

test('a backup blocked for over an hour is recorded as missed with the reason', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse({ cron: '0 3 * * *' }));
  const gate = harness.engine.controls.pause('stop');
  const restart = restartDatabase(core, ctx, database(harness));
  await gate.reached;
  harness.clock = Date.parse(readBackupSchedule(core.store, database(harness)).next_at ?? '') + 2 * 3_600_000;

  await runDueBackups(core);

  const { missed } = readBackupSchedule(core.store, database(harness));
  gate.open();
  await harness.ended(restart);
  assert.match(missed ?? '', /database\.restart\) of shop\/production\/main is in progress/);
});

const STARTING = {
  'whose server does not respond yet': {
    begin: async ({ engine }: TaskHarness) => engine.controls.program('pg_isready', async () => 1),
    end: async ({ engine }: TaskHarness) => engine.controls.program('pg_isready', async () => 0),
  },
  'whose container does not run yet': {
    begin: (harness: TaskHarness) => harness.engine.stop(containerOf(harness), { signal: 'SIGTERM', graceS: 0 }),
    end: (harness: TaskHarness) => harness.engine.start(containerOf(harness)),
  },
};

function containerOf(harness: TaskHarness): string {
  return database(harness).container_id ?? '';
}

for (const [what, { begin, end }] of Object.entries(STARTING)) {
  test(`a backup of a database ${what} is taken once the database responds, without a problem`, async () => {
    await using harness = await made();
    const { core } = harness;
    await putBackupSchedule(core, harness.ctx, database(harness), BackupSchedulePut.parse({ cron: '0 3 * * *' }));
    const due = readBackupSchedule(core.store, database(harness)).next_at;
    harness.clock = Date.parse(due ?? '');
    await begin(harness);

    const inMs = await runDueBackups(core);
    await harness.tasks.settled();

    assert.ok((inMs ?? 0) >= 1_000, 'it is looked for without a pause');
    const { next_at, missed } = readBackupSchedule(core.store, database(harness));
    assert.deepEqual([next_at, missed, backupWarnings(core)], [due, null, []]);
    assert.equal(lastEndedBackup(core.store, database(harness).id), undefined);

    await end(harness);
    await runDueBackups(core);
    await harness.tasks.settled();

    assert.equal(goodBackups(core.store, database(harness).id).length, 1);
    assert.deepEqual(backupWarnings(core), []);
  });
}

test('a backup of a database that does not respond for over an hour is recorded as missed', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse({ cron: '0 3 * * *' }));
  harness.engine.controls.program('pg_isready', async () => 1);
  harness.clock = Date.parse(readBackupSchedule(core.store, database(harness)).next_at ?? '') + 2 * 3_600_000;

  await runDueBackups(core);

  assert.match(readBackupSchedule(core.store, database(harness)).missed ?? '', /or the database did not respond/);
});

test('verifications continue after a clock that was years ahead is corrected', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await take(harness);
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', verify_every_days: 7 });
  await putBackupSchedule(core, ctx, database(harness), input);
  const right = harness.clock;
  harness.clock = Date.parse('2036-05-05T12:00:00Z');
  const look = async () => {
    await runDueBackups(core);
    await harness.tasks.settled();
    return listTasks(core, ctx, { subject_kind: 'backup' }).items.length;
  };
  assert.equal(await look(), 1);

  harness.clock = right + 8 * DAY;

  assert.equal(await look(), 2);
  assert.equal(await look(), 2);
});

test('a schedule without future times is a problem and a warning', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await take(harness);
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse({ cron: '0 3 * * *' }));
  assert.deepEqual(backupWarnings(core), []);

  // This state occurs if the time zone of the schedule no longer exists.
  core.store.tx((tx) => moveBackupSchedule(tx, database(harness).id, null, null));

  assert.match(listBackupCoverage(core, ctx, {}).items[0]?.problem ?? '', /never runs again/);
  assert.match(backupWarnings(core).join(), /shop\/production\/main.*never runs again/);
});

test('after weeks of downtime, a missed backup is recorded and the next runs on time', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse({ cron: '*/5 * * * *' }));
  harness.clock = Date.parse('2026-02-20T10:02:00Z');

  for (let looks = 0; looks < 3; looks += 1) {
    await runDueBackups(core);
    await harness.tasks.settled();
  }

  const { next_at, missed } = readBackupSchedule(core.store, database(harness));
  assert.match(missed ?? '', /was not running at 2026-01-01/);
  assert.equal(next_at, '2026-02-20T10:05:00.000Z');
  harness.clock = Date.parse('2026-02-20T10:05:00Z');
  await runDueBackups(core);
  await harness.tasks.settled();
  assert.equal(goodBackups(core.store, database(harness).id).length, 1);
});
