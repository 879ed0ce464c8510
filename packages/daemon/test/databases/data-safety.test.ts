/** User data is not lost because of concurrent operations, nor because of failures at critical moments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackupSchedulePut, DavitError } from '@davit/api';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { postgresPrograms } from '../../src/adapters/engine/memory/postgres-programs.ts';
import { lookUp } from '../../src/authorization/lookup.ts';
import { TASK_KINDS } from '../../src/composition/task-kinds.ts';
import { backupById } from '../../src/db/tables/backup.ts';
import { databaseById, databaseByReference } from '../../src/db/tables/managed-database.ts';
import { backUpDatabase, restoreBackup } from '../../src/resources/backups/actions.ts';
import { deleteBackup } from '../../src/resources/backups/backup.ts';
import { upgradeDatabase } from '../../src/resources/backups/copies.ts';
import { listBackupCoverage } from '../../src/resources/backups/coverage.ts';
import { putBackupSchedule } from '../../src/resources/backups/schedule.ts';
import { deleteDatabase } from '../../src/resources/databases/change.ts';
import { rotatePassword } from '../../src/resources/databases/login.ts';
import { listTrashedDatabases, restoreDatabase } from '../../src/resources/databases/trash.ts';
import { createEnvironment, deleteEnvironment } from '../../src/resources/environments/environment.ts';
import { Interrupted } from '../../src/workflow/interrupted.ts';
import { database, made, TABLES, take, takeOnTime } from '../support/data-setup.ts';
import type { Kinds, TaskHarness } from '../support/task-harness.ts';

const DAY = 86_400_000;

/** Makes servers report these databases in addition to the recorded one. */
function withBesides(harness: TaskHarness, besides: readonly string[]): void {
  const { psql } = postgresPrograms(harness.engine.controls.rows);
  harness.engine.controls.program('psql', async (run) => {
    if (psql === undefined) throw new TypeError('there is no psql');
    let said = '';
    async function* recordedInput() {
      for await (const piece of run.stdin) {
        said += Buffer.from(piece).toString();
        yield piece;
      }
    }
    const exitCode = await psql({ ...run, stdin: recordedInput() });
    if (said.includes("datname NOT IN ('postgres'")) for (const name of besides) await run.write(`${name}\n`);
    return exitCode;
  });
}

test('a backup in use by a restore is deleted neither by retention nor by a user', async () => {
  await using harness = await made();
  const schedule = BackupSchedulePut.parse({ cron: '0 3 1 1 *', keep: 1 });
  await putBackupSchedule(harness.core, harness.ctx, database(harness), schedule);
  const old = await takeOnTime(harness);
  const gate = harness.engine.controls.pause('createGroup');
  const restore = await restoreBackup(harness.core, harness.ctx, old, { into: 'shop/production/again' });
  await gate.reached;

  // The schedule keeps only one backup, and this one is newer.
  await takeOnTime(harness);
  const refused = await deleteBackup(harness.core, harness.ctx, old, 'main').catch((error: unknown) => error);
  gate.open();
  const { status, error } = await harness.ended(restore);

  assert.ok(refused instanceof DavitError, 'it was deleted');
  assert.deepEqual([refused.code, status, error], ['conflict', 'succeeded', null]);
  assert.match(refused.message, /\(backup\.restore\) uses backup/);
  assert.deepEqual(harness.engine.controls.rows.get(database(harness, 'again').volume), TABLES);
  await takeOnTime(harness);
  assert.equal(backupById(harness.core.store, old.id), undefined);
});

/** Task kinds whose process ends after a restored database is published and before the task records it. */
const DYING_AT_ITS_END: Kinds = TASK_KINDS.map((kind) => ({
  ...kind,
  steps: (work) =>
    kind.steps(work).map((step) => ({
      ...step,
      async run(at, signal) {
        await step.run(at, signal);
        if (step.name === 'publish') throw new Interrupted();
      },
    })),
}));

test('keeps data written into a restored database if the process crashes before the task ends', async () => {
  await using harness = await made();
  const backup = await take(harness);
  await harness.crash(DYING_AT_ITS_END);
  const restore = await restoreBackup(harness.core, harness.ctx, backup, { into: 'shop/production/again' });
  await harness.tasks.settled();
  const { volume } = database(harness, 'again');
  const written = { 'public.goods': 1, 'public.since': 5 };
  harness.engine.controls.rows.set(volume, written);

  await harness.crash();
  const { status, error } = await harness.ended(restore);

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(harness.engine.controls.rows.get(volume), written);
});

test('keeps a database in the trash if its restore fails after the retention has expired', async () => {
  await using harness = await made();
  const { id, volume } = database(harness);
  deleteDatabase(harness.core, harness.ctx, database(harness), 'main');
  await harness.reconcile();
  const { expires_at } = databaseById(harness.core.store, id) ?? assert.fail('it is gone');
  harness.clock = (expires_at ?? 0) - 10_000;
  const gate = harness.engine.controls.pause('createGroup');
  const restore = restoreDatabase(harness.core, harness.ctx, String(id));
  await gate.reached;
  harness.clock += DAY;
  harness.engine.controls.fail('start');
  gate.open();
  assert.equal((await harness.ended(restore)).status, 'failed');

  await harness.reconcile();

  assert.notEqual(databaseById(harness.core.store, id)?.deleted_at ?? null, null);
  assert.ok((await harness.engine.volumes()).some(({ name }) => name === volume));
  assert.equal((await harness.ended(restoreDatabase(harness.core, harness.ctx, String(id)))).status, 'succeeded');
});

test('records the new container of a database restored during the removal of its old container', async () => {
  await using harness = await made();
  const { id } = database(harness);
  deleteDatabase(harness.core, harness.ctx, database(harness), 'main');
  const gate = harness.engine.controls.pause('remove');
  const pass = harness.reconcile();
  await gate.reached;

  const { status, error } = await harness.ended(restoreDatabase(harness.core, harness.ctx, String(id)));
  gate.open();
  await pass;

  assert.deepEqual([status, error], ['succeeded', null]);
  const row = databaseById(harness.core.store, id) ?? assert.fail('it is gone');
  const running = harness.engine.controls.containers().filter(({ state }) => state === 'running');
  assert.deepEqual(
    running.map((one) => one.id),
    [row.container_id],
  );
  assert.notEqual(row.address, null);
});

test('starts no second server on a database volume while the old server cannot be stopped', async () => {
  await using harness = await made();
  const { id, version, volume } = database(harness);
  const servers = () =>
    harness.engine.controls
      .containers()
      .filter(({ state, volumes }) => state === 'running' && volumes.some(({ name }) => name === volume));
  harness.engine.controls.program('pg_dump', async () => {
    // From here on, all stops fail. The upgrade fails at this point.
    harness.engine.controls.fail('stop', { times: 1_000 });
    return 1;
  });
  const upgrade = await upgradeDatabase(harness.core, harness.ctx, database(harness), { version, confirm: 'main' });
  assert.equal((await harness.ended(upgrade)).status, 'failed');

  assert.equal(servers().length, 1);
  await harness.reconcile().catch((error: unknown) => assert.ok(error instanceof EngineRefused));
  assert.equal(servers().length, 1);
  harness.engine.controls.clearFailures();
  await harness.reconcile();

  assert.deepEqual(
    servers().map((one) => one.id),
    [databaseById(harness.core.store, id)?.container_id],
  );
});

test('reports additional databases on the same server and fails the upgrade', async () => {
  await using harness = await made();
  withBesides(harness, ['analytics', 'queue']);

  const task = await harness.ended(await backUpDatabase(harness.core, harness.ctx, database(harness), {}));
  const { version } = database(harness);
  const upgrade = await harness.ended(
    await upgradeDatabase(harness.core, harness.ctx, database(harness), { version, confirm: 'main' }),
  );

  assert.match(task.log ?? '', /other databases on the same server: analytics, queue/);
  const [covered] = listBackupCoverage(harness.core, harness.ctx, {}).items;
  assert.match(covered?.problem ?? '', /analytics, queue/);
  assert.equal(upgrade.status, 'failed');
  assert.match(upgrade.error ?? '', /same server: analytics, queue/);
  assert.deepEqual([database(harness).observed, database(harness).container_id !== null], ['ready', true]);
});

test('refuses a restore into an environment that is deleted while the restore is prepared', async () => {
  await using harness = await made();
  const project = lookUp(harness.core.store, harness.ctx.actor, 'read', 'project', { project: 'shop' });
  createEnvironment(harness.core, harness.ctx, project, { slug: 'trial' });
  const trial = lookUp(harness.core.store, harness.ctx.actor, 'read', 'environment', {
    project: 'shop',
    environment: 'trial',
  });
  const backup = await take(harness);

  const restoring = restoreBackup(harness.core, harness.ctx, backup, { into: 'shop/trial/again' });
  const [outcome] = await Promise.allSettled([restoring, deleteEnvironment(harness.core, harness.ctx, trial)]);

  assert.equal(outcome.status, 'rejected');
  assert.equal(databaseByReference(harness.core.store, 'shop/trial/again'), undefined);
});

test('keeps the new password out of the error and the log of a failed rotation', async () => {
  await using harness = await made();
  let said = '';
  harness.engine.controls.program('psql', async (run) => {
    const stdinText = Buffer.concat(await Array.fromAsync(run.stdin)).toString();
    // A client's error message quotes the connection string.
    const password = /host=127\.0\.0\.1 .*password=\W*(\w{32})/.exec(stdinText)?.[1];
    if (password === undefined) return 0;
    said = password;
    run.complain(`connection failed: ${stdinText}`);
    return 2;
  });

  const { status, error, log } = await harness.ended(rotatePassword(harness.core, harness.ctx, database(harness)));

  assert.equal(status, 'failed');
  assert.match(said, /^\w{32}$/);
  assert.ok(!`${error} ${log}`.includes(said), `${error}`);
});

test('keeps the previous data restorable from the trash if an in-place restore fails to publish', async () => {
  await using harness = await made();
  const { core, ctx } = harness;
  const backup = await take(harness);
  const before = database(harness).volume;
  harness.engine.controls.rows.set(before, { 'public.goods': 9 });
  harness.engine.controls.fail('publishNames');

  const { status } = await harness.ended(await restoreBackup(core, ctx, backup, { in_place: true, confirm: 'main' }));
  await harness.reconcile();

  assert.equal(status, 'failed');
  assert.deepEqual(harness.engine.controls.rows.get(database(harness).volume), TABLES);
  const [former] = listTrashedDatabases(core, ctx, {}).items;
  const number = String(former?.id ?? assert.fail('it is not in the trash'));
  assert.equal(databaseById(core.store, Number(number))?.rules, 0, 'its logins are to be looked at again');
  assert.throws(() => restoreDatabase(core, ctx, number), /name: A new name is required, because/);
  await harness.ended(restoreDatabase(core, ctx, number, { name: 'former' }));
  const { volume } = database(harness, 'former');
  assert.deepEqual([volume, harness.engine.controls.rows.get(volume)], [before, { 'public.goods': 9 }]);
});
