/** Tests that the reconciler of databases restores each database after failures of its container. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { takenAddresses } from '../../src/db/tables/instance.ts';
import { allDatabases, type DatabaseRow, databaseById, setDatabase } from '../../src/db/tables/managed-database.ts';
import { databasePasswordsTask } from '../../src/reconcilers/database-passwords.ts';
import { managedServicesTask } from '../../src/reconcilers/managed-services.ts';
import { deleteDatabase, stopDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { databaseStatus } from '../../src/resources/databases/database.ts';
import { DATABASE } from '../../src/resources/databases/managed-service.ts';
import { RULES_DUE } from '../../src/resources/databases/rules.ts';
import { isHeld } from '../support/held.ts';
import { TaskHarness } from '../support/task-harness.ts';

/** Number of slow databases. It is larger than the number of databases that one pass handles at the same time. */
const SLOW = 6;
const VOLUME = 'davit-testtest-db1';

async function made(engine = 'postgres'): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  await make(harness, engine, 'db');
  return harness;
}

async function make(harness: TaskHarness, engine: string, name: string): Promise<void> {
  const input = DatabaseCreate.parse({ project: 'shop', name, engine });
  assert.equal((await harness.ended(await createDatabase(harness.core, harness.ctx, input))).status, 'succeeded');
}

function row(harness: TaskHarness, id = 1): DatabaseRow {
  const found = databaseById(harness.core.store, id);
  if (found === undefined) throw new Error('the database is gone');
  return found;
}

const keeping = (harness: TaskHarness) => managedServicesTask('databases', DATABASE, harness.core, harness.ctx.log);
const containers = (harness: TaskHarness) => harness.engine.controls.containers();

for (const engine of ['postgres', 'mysql', 'mariadb', 'redis', 'mongodb']) {
  test(`${engine}: replaces a removed container with a new container of the same data`, async () => {
    await using harness = await made(engine);
    const [before] = containers(harness);
    await harness.engine.remove(before?.id ?? '');

    await harness.reconcile();

    const [now] = containers(harness);
    assert.deepEqual(
      [now?.state, now?.restartPolicy, now?.volumes, now?.address],
      ['running', 'unless-stopped', before?.volumes, before?.address],
    );
    assert.equal(databaseStatus(row(harness)), 'running');
    assert.deepEqual(harness.engine.controls.resolve('db.db.production.shop.internal'), [now?.address]);
  });
}

test('starts a killed database container again and reports the exit code until then', async () => {
  await using harness = await made();
  const [container] = containers(harness);
  await harness.engine.stop(container?.id ?? '', { signal: 'SIGKILL', graceS: 0 });
  const task = keeping(harness);

  await task.run(new AbortController().signal);

  assert.equal(row(harness).observed, 'down');
  assert.match(row(harness).reason ?? '', /code 137.*restarts/);
  await task.run(new AbortController().signal);
  assert.equal(databaseStatus(row(harness)), 'running');
  assert.equal(row(harness).reason, null);
});

test('restarts a repeatedly failing database with increasing delays', async () => {
  await using harness = await made();
  const task = keeping(harness);
  const pass = async () => {
    const [container] = containers(harness);
    if (container?.state === 'running') await harness.engine.stop(container.id, { signal: 'SIGKILL', graceS: 0 });
    const before = harness.engine.controls.count('start');
    await task.run(new AbortController().signal);
    return harness.engine.controls.count('start') - before;
  };
  assert.equal(await pass(), 1);
  assert.equal(await pass(), 0, 'not at once');
  harness.clock += 10_000;
  assert.equal(await pass(), 1);
  harness.clock += 10_000;
  assert.equal(await pass(), 0, 'not as soon as the first time');
  harness.clock += 10_000;
  assert.equal(await pass(), 1);
});

test('replaces a removed container while rule updates of other databases are slow', async () => {
  await using harness = await made();
  const [, ...others] = Array.from({ length: SLOW }, (_, at) => `db${at}`);
  for (const name of others) await make(harness, 'postgres', name);
  harness.core.store.tx((tx) => allDatabases(tx).map(({ id }) => setDatabase(tx, id, { rules: RULES_DUE })));
  await make(harness, 'redis', 'other');
  const [removed] = containers(harness).slice(-1);
  await harness.engine.remove(removed?.id ?? '');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let queryCount = 0;
  harness.engine.controls.program('psql', async () => {
    queryCount += 1;
    await gate;
    return 0;
  });
  const task = keeping(harness);
  const { signal } = new AbortController();

  await task.run(signal);
  await task.run(signal);

  const now = containers(harness).find(({ address }) => address === removed?.address);
  assert.deepEqual([now?.state, queryCount], ['running', SLOW]);
  const settled = task.settled?.() ?? assert.fail('nothing waits for work of earlier passes');
  assert.equal(await isHeld(settled), true);
  open();
  await settled;
});

test('checks the passwords of a database while the server of another database does not respond', async () => {
  await using harness = await made();
  await make(harness, 'postgres', 'other');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let queryCount = 0;
  harness.engine.controls.program('psql', async () => {
    queryCount += 1;
    await gate;
    return 0;
  });
  const task = databasePasswordsTask(harness.core, harness.ctx.log);

  await task.run(new AbortController().signal);

  assert.equal(queryCount, 2);
  open();
  await task.settled?.();
});

test('marks an unresponsive database as degraded without replacing its container', async () => {
  await using harness = await made();
  const [container] = containers(harness);
  harness.engine.controls.program('pg_isready', async () => 1);
  harness.core.store.tx((tx) => setDatabase(tx, 1, { observed: 'unknown' }));

  await harness.reconcile();

  assert.equal(databaseStatus(row(harness)), 'degraded');
  assert.equal(containers(harness)[0]?.id, container?.id);
  harness.engine.controls.program('pg_isready', async () => 0);
  await harness.reconcile();
  assert.equal(databaseStatus(row(harness)), 'running');
});

test('keeps a stopped database stopped after its container was started manually', async () => {
  await using harness = await made();
  await harness.ended(stopDatabase(harness.core, harness.ctx, row(harness)));
  await harness.engine.start(containers(harness)[0]?.id ?? '');

  await harness.reconcile();

  assert.equal(containers(harness)[0]?.state, 'exited');
  assert.equal(databaseStatus(row(harness)), 'stopped');
});

test('keeps the recorded state of a database while the engine is unavailable', async () => {
  await using harness = await made();
  harness.engine.controls.setAvailable(false);
  assert.equal(await keeping(harness).run(new AbortController().signal), 1_000);
  assert.equal(databaseStatus(row(harness)), 'running');
  harness.engine.controls.setAvailable(true);
  await harness.reconcile();
  assert.equal(databaseStatus(row(harness)), 'running');
});

test('removes the container of a trashed database immediately and its volume after the retention', async () => {
  await using harness = await made();
  const { expires_at } = row(harness);
  assert.equal(expires_at, null);
  deleteDatabase(harness.core, harness.ctx, row(harness), 'db');
  const task = keeping(harness);

  await task.run(new AbortController().signal);

  assert.deepEqual(containers(harness), []);
  assert.deepEqual(takenAddresses(harness.core.store, row(harness).environment_id), []);
  assert.deepEqual(
    (await harness.engine.volumes()).map(({ name }) => name),
    [VOLUME],
  );
  harness.clock = (row(harness).expires_at ?? 0) + 1;
  await task.run(new AbortController().signal);
  assert.deepEqual(await harness.engine.volumes(), []);
  assert.deepEqual(allDatabases(harness.core.store), []);
});

test('keeps the volume of a database container without a record', async () => {
  await using harness = await made();
  harness.core.store.tx((tx) => setDatabase(tx, 1, { volume: 'davit-testtest-db7', container_id: null }));
  const task = keeping(harness);

  await task.run(new AbortController().signal);

  assert.ok((await harness.engine.volumes()).some(({ name }) => name === VOLUME));
});

test('leaves database containers unchanged during app inspection and app cleanup', async () => {
  await using harness = await made();
  const [before] = containers(harness);
  await harness.look();
  await harness.deploys.removeDeleted();
  assert.deepEqual(
    containers(harness).map(({ id, state }) => [id, state]),
    [[before?.id, 'running']],
  );
  assert.equal((await harness.engine.networks()).length, 1);
});

test('removes the container, volume and record of a database whose creation failed', async () => {
  await using harness = await made();
  harness.core.store.tx((tx) => setDatabase(tx, 1, { state: 'failed' }));
  assert.equal(databaseStatus(row(harness)), 'failed');

  await harness.reconcile();

  assert.deepEqual(
    [containers(harness), await harness.engine.volumes(), allDatabases(harness.core.store)],
    [[], [], []],
  );
});

test('fetches a removed image again for the next database container', async () => {
  await using harness = await made('mysql');
  const before = row(harness).image_id;
  await harness.engine.remove(containers(harness)[0]?.id ?? '');
  harness.engine.controls.forgetImage('mysql:8.4');
  const image = harness.engine.controls.addImage('mysql:8.4');

  await harness.reconcile();

  assert.notEqual(image.id, before);
  assert.deepEqual([containers(harness)[0]?.state, containers(harness)[0]?.imageId], ['running', image.id]);
});
