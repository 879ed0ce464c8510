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
import { database, made, TABLES, take, takeOnTime } from '../support/data-world.ts';
import type { Kinds, TaskWorld } from '../support/task-world.ts';

const DAY = 86_400_000;

/** Makes servers report these databases in addition to the recorded one. */
function withBesides(world: TaskWorld, besides: readonly string[]): void {
  const { psql } = postgresPrograms(world.engine.controls.rows);
  world.engine.controls.program('psql', async (run) => {
    if (psql === undefined) throw new TypeError('there is no psql');
    let said = '';
    async function* heard() {
      for await (const piece of run.stdin) {
        said += Buffer.from(piece).toString();
        yield piece;
      }
    }
    const exitCode = await psql({ ...run, stdin: heard() });
    if (said.includes("datname NOT IN ('postgres'")) for (const name of besides) await run.write(`${name}\n`);
    return exitCode;
  });
}

test('a backup in use by a restore is deleted neither by retention nor by a user', async () => {
  await using world = await made();
  const schedule = BackupSchedulePut.parse({ cron: '0 3 1 1 *', keep: 1 });
  await putBackupSchedule(world.core, world.ctx, database(world), schedule);
  const old = await takeOnTime(world);
  const gate = world.engine.controls.pause('createGroup');
  const restore = await restoreBackup(world.core, world.ctx, old, { into: 'shop/production/again' });
  await gate.reached;

  // The schedule keeps only one backup, and this one is newer.
  await takeOnTime(world);
  const refused = await deleteBackup(world.core, world.ctx, old, 'main').catch((error: unknown) => error);
  gate.open();
  const { status, error } = await world.ended(restore);

  assert.ok(refused instanceof DavitError, 'it was deleted');
  assert.deepEqual([refused.code, status, error], ['conflict', 'succeeded', null]);
  assert.match(refused.message, /\(backup\.restore\) uses backup/);
  assert.deepEqual(world.engine.controls.rows.get(database(world, 'again').volume), TABLES);
  await takeOnTime(world);
  assert.equal(backupById(world.core.store, old.id), undefined);
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
  await using world = await made();
  const backup = await take(world);
  await world.crash(DYING_AT_ITS_END);
  const restore = await restoreBackup(world.core, world.ctx, backup, { into: 'shop/production/again' });
  await world.tasks.settled();
  const { volume } = database(world, 'again');
  const written = { 'public.goods': 1, 'public.since': 5 };
  world.engine.controls.rows.set(volume, written);

  await world.crash();
  const { status, error } = await world.ended(restore);

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(world.engine.controls.rows.get(volume), written);
});

test('keeps a database in the trash if its restore fails after the retention has expired', async () => {
  await using world = await made();
  const { id, volume } = database(world);
  deleteDatabase(world.core, world.ctx, database(world), 'main');
  await world.reconcile();
  const { expires_at } = databaseById(world.core.store, id) ?? assert.fail('it is gone');
  world.clock = (expires_at ?? 0) - 10_000;
  const gate = world.engine.controls.pause('createGroup');
  const restore = restoreDatabase(world.core, world.ctx, String(id));
  await gate.reached;
  world.clock += DAY;
  world.engine.controls.fail('start');
  gate.open();
  assert.equal((await world.ended(restore)).status, 'failed');

  await world.reconcile();

  assert.notEqual(databaseById(world.core.store, id)?.deleted_at ?? null, null);
  assert.ok((await world.engine.volumes()).some(({ name }) => name === volume));
  assert.equal((await world.ended(restoreDatabase(world.core, world.ctx, String(id)))).status, 'succeeded');
});

test('records the new container of a database restored during the removal of its old container', async () => {
  await using world = await made();
  const { id } = database(world);
  deleteDatabase(world.core, world.ctx, database(world), 'main');
  const gate = world.engine.controls.pause('remove');
  const pass = world.reconcile();
  await gate.reached;

  const { status, error } = await world.ended(restoreDatabase(world.core, world.ctx, String(id)));
  gate.open();
  await pass;

  assert.deepEqual([status, error], ['succeeded', null]);
  const row = databaseById(world.core.store, id) ?? assert.fail('it is gone');
  const running = world.engine.controls.containers().filter(({ state }) => state === 'running');
  assert.deepEqual(
    running.map((one) => one.id),
    [row.container_id],
  );
  assert.notEqual(row.address, null);
});

test('starts no second server on a database volume while the old server cannot be stopped', async () => {
  await using world = await made();
  const { id, version, volume } = database(world);
  const servers = () =>
    world.engine.controls
      .containers()
      .filter(({ state, volumes }) => state === 'running' && volumes.some(({ name }) => name === volume));
  world.engine.controls.program('pg_dump', async () => {
    // From here on, all stops fail. The upgrade fails at this point.
    world.engine.controls.fail('stop', { times: 1_000 });
    return 1;
  });
  const upgrade = await upgradeDatabase(world.core, world.ctx, database(world), { version, confirm: 'main' });
  assert.equal((await world.ended(upgrade)).status, 'failed');

  assert.equal(servers().length, 1);
  await world.reconcile().catch((error: unknown) => assert.ok(error instanceof EngineRefused));
  assert.equal(servers().length, 1);
  world.engine.controls.clearFailures();
  await world.reconcile();

  assert.deepEqual(
    servers().map((one) => one.id),
    [databaseById(world.core.store, id)?.container_id],
  );
});

test('reports additional databases on the same server and fails the upgrade', async () => {
  await using world = await made();
  withBesides(world, ['analytics', 'queue']);

  const task = await world.ended(await backUpDatabase(world.core, world.ctx, database(world), {}));
  const { version } = database(world);
  const upgrade = await world.ended(
    await upgradeDatabase(world.core, world.ctx, database(world), { version, confirm: 'main' }),
  );

  assert.match(task.log ?? '', /other databases on the same server: analytics, queue/);
  const [covered] = listBackupCoverage(world.core, world.ctx, {}).items;
  assert.match(covered?.problem ?? '', /analytics, queue/);
  assert.equal(upgrade.status, 'failed');
  assert.match(upgrade.error ?? '', /same server: analytics, queue/);
  assert.deepEqual([database(world).observed, database(world).container_id !== null], ['ready', true]);
});

test('refuses a restore into an environment that is deleted while the restore is prepared', async () => {
  await using world = await made();
  const project = lookUp(world.core.store, world.ctx.actor, 'read', 'project', { project: 'shop' });
  createEnvironment(world.core, world.ctx, project, { slug: 'trial' });
  const trial = lookUp(world.core.store, world.ctx.actor, 'read', 'environment', {
    project: 'shop',
    environment: 'trial',
  });
  const backup = await take(world);

  const asked = restoreBackup(world.core, world.ctx, backup, { into: 'shop/trial/again' });
  const [outcome] = await Promise.allSettled([asked, deleteEnvironment(world.core, world.ctx, trial)]);

  assert.equal(outcome.status, 'rejected');
  assert.equal(databaseByReference(world.core.store, 'shop/trial/again'), undefined);
});

test('keeps the new password out of the error and the log of a failed rotation', async () => {
  await using world = await made();
  let said = '';
  world.engine.controls.program('psql', async (run) => {
    const told = Buffer.concat(await Array.fromAsync(run.stdin)).toString();
    // A client's error message quotes the connection string.
    const password = /host=127\.0\.0\.1 .*password=\W*(\w{32})/.exec(told)?.[1];
    if (password === undefined) return 0;
    said = password;
    run.complain(`connection failed: ${told}`);
    return 2;
  });

  const { status, error, log } = await world.ended(rotatePassword(world.core, world.ctx, database(world)));

  assert.equal(status, 'failed');
  assert.match(said, /^\w{32}$/);
  assert.ok(!`${error} ${log}`.includes(said), `${error}`);
});

test('keeps the previous data restorable from the trash if an in-place restore fails to publish', async () => {
  await using world = await made();
  const { core, ctx } = world;
  const backup = await take(world);
  const before = database(world).volume;
  world.engine.controls.rows.set(before, { 'public.goods': 9 });
  world.engine.controls.fail('publishNames');

  const { status } = await world.ended(await restoreBackup(core, ctx, backup, { in_place: true, confirm: 'main' }));
  await world.reconcile();

  assert.equal(status, 'failed');
  assert.deepEqual(world.engine.controls.rows.get(database(world).volume), TABLES);
  const [former] = listTrashedDatabases(core, ctx, {}).items;
  const number = String(former?.id ?? assert.fail('it is not in the trash'));
  assert.equal(databaseById(core.store, Number(number))?.rules, 0, 'its logins are to be looked at again');
  assert.throws(() => restoreDatabase(core, ctx, number), /name: A new name is required, because/);
  await world.ended(restoreDatabase(core, ctx, number, { name: 'former' }));
  const { volume } = database(world, 'former');
  assert.deepEqual([volume, world.engine.controls.rows.get(volume)], [before, { 'public.goods': 9 }]);
});
