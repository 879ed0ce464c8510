/** The reconciler of databases, whatever happens to their containers. */
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
import { TaskWorld } from '../support/task-world.ts';

/** Number of slow databases, which is more than a pass waits for at the same time. */
const SLOW = 6;
const VOLUME = 'davit-testtest-db1';

async function made(engine = 'postgres'): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  await make(world, engine, 'db');
  return world;
}

async function make(world: TaskWorld, engine: string, name: string): Promise<void> {
  const input = DatabaseCreate.parse({ project: 'shop', name, engine });
  assert.equal((await world.ended(await createDatabase(world.core, world.ctx, input))).status, 'succeeded');
}

function row(world: TaskWorld, id = 1): DatabaseRow {
  const found = databaseById(world.core.store, id);
  if (found === undefined) throw new Error('the database is gone');
  return found;
}

const keeping = (world: TaskWorld) => managedServicesTask('databases', DATABASE, world.core, world.ctx.log);
const containers = (world: TaskWorld) => world.engine.controls.containers();

for (const engine of ['postgres', 'mysql', 'mariadb', 'redis', 'mongodb']) {
  test(`${engine}: replaces a removed container with a new container of the same data`, async () => {
    await using world = await made(engine);
    const [before] = containers(world);
    await world.engine.remove(before?.id ?? '');

    await world.reconcile();

    const [now] = containers(world);
    assert.deepEqual(
      [now?.state, now?.restartPolicy, now?.volumes, now?.address],
      ['running', 'unless-stopped', before?.volumes, before?.address],
    );
    assert.equal(databaseStatus(row(world)), 'running');
    assert.deepEqual(world.engine.controls.resolve('db.db.production.shop.internal'), [now?.address]);
  });
}

test('starts a killed database container again and reports the exit code until then', async () => {
  await using world = await made();
  const [container] = containers(world);
  await world.engine.stop(container?.id ?? '', { signal: 'SIGKILL', graceS: 0 });
  const task = keeping(world);

  await task.run(new AbortController().signal);

  assert.equal(row(world).observed, 'down');
  assert.match(row(world).reason ?? '', /code 137.*restarts/);
  await task.run(new AbortController().signal);
  assert.equal(databaseStatus(row(world)), 'running');
  assert.equal(row(world).reason, null);
});

test('restarts a repeatedly failing database with increasing delays', async () => {
  await using world = await made();
  const task = keeping(world);
  const pass = async () => {
    const [container] = containers(world);
    if (container?.state === 'running') await world.engine.stop(container.id, { signal: 'SIGKILL', graceS: 0 });
    const before = world.engine.controls.count('start');
    await task.run(new AbortController().signal);
    return world.engine.controls.count('start') - before;
  };
  assert.equal(await pass(), 1);
  assert.equal(await pass(), 0, 'not at once');
  world.clock += 10_000;
  assert.equal(await pass(), 1);
  world.clock += 10_000;
  assert.equal(await pass(), 0, 'not as soon as the first time');
  world.clock += 10_000;
  assert.equal(await pass(), 1);
});

test('replaces a removed container while rule updates of other databases are slow', async () => {
  await using world = await made();
  const [, ...others] = Array.from({ length: SLOW }, (_, at) => `db${at}`);
  for (const name of others) await make(world, 'postgres', name);
  world.core.store.tx((tx) => allDatabases(tx).map(({ id }) => setDatabase(tx, id, { rules: RULES_DUE })));
  await make(world, 'redis', 'other');
  const [removed] = containers(world).slice(-1);
  await world.engine.remove(removed?.id ?? '');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let asked = 0;
  world.engine.controls.program('psql', async () => {
    asked += 1;
    await gate;
    return 0;
  });
  const task = keeping(world);
  const { signal } = new AbortController();

  await task.run(signal);
  await task.run(signal);

  const now = containers(world).find(({ address }) => address === removed?.address);
  assert.deepEqual([now?.state, asked], ['running', SLOW]);
  const settled = task.settled?.() ?? assert.fail('nothing waits for work of earlier passes');
  assert.equal(await isHeld(settled), true);
  open();
  await settled;
});

test('checks the passwords of a database while the server of another database does not respond', async () => {
  await using world = await made();
  await make(world, 'postgres', 'other');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let asked = 0;
  world.engine.controls.program('psql', async () => {
    asked += 1;
    await gate;
    return 0;
  });
  const task = databasePasswordsTask(world.core, world.ctx.log);

  await task.run(new AbortController().signal);

  assert.equal(asked, 2);
  open();
  await task.settled?.();
});

test('marks an unresponsive database as degraded without replacing its container', async () => {
  await using world = await made();
  const [container] = containers(world);
  world.engine.controls.program('pg_isready', async () => 1);
  world.core.store.tx((tx) => setDatabase(tx, 1, { observed: 'unknown' }));

  await world.reconcile();

  assert.equal(databaseStatus(row(world)), 'degraded');
  assert.equal(containers(world)[0]?.id, container?.id);
  world.engine.controls.program('pg_isready', async () => 0);
  await world.reconcile();
  assert.equal(databaseStatus(row(world)), 'running');
});

test('keeps a stopped database stopped after its container was started manually', async () => {
  await using world = await made();
  await world.ended(stopDatabase(world.core, world.ctx, row(world)));
  await world.engine.start(containers(world)[0]?.id ?? '');

  await world.reconcile();

  assert.equal(containers(world)[0]?.state, 'exited');
  assert.equal(databaseStatus(row(world)), 'stopped');
});

test('keeps the recorded state of a database while the engine is unavailable', async () => {
  await using world = await made();
  world.engine.controls.setAvailable(false);
  assert.equal(await keeping(world).run(new AbortController().signal), 1_000);
  assert.equal(databaseStatus(row(world)), 'running');
  world.engine.controls.setAvailable(true);
  await world.reconcile();
  assert.equal(databaseStatus(row(world)), 'running');
});

test('removes the container of a trashed database immediately and its volume after the retention', async () => {
  await using world = await made();
  const { expires_at } = row(world);
  assert.equal(expires_at, null);
  deleteDatabase(world.core, world.ctx, row(world), 'db');
  const task = keeping(world);

  await task.run(new AbortController().signal);

  assert.deepEqual(containers(world), []);
  assert.deepEqual(takenAddresses(world.core.store, row(world).environment_id), []);
  assert.deepEqual(
    (await world.engine.volumes()).map(({ name }) => name),
    [VOLUME],
  );
  world.clock = (row(world).expires_at ?? 0) + 1;
  await task.run(new AbortController().signal);
  assert.deepEqual(await world.engine.volumes(), []);
  assert.deepEqual(allDatabases(world.core.store), []);
});

test('keeps the volume of a database container without a record', async () => {
  await using world = await made();
  world.core.store.tx((tx) => setDatabase(tx, 1, { volume: 'davit-testtest-db7', container_id: null }));
  const task = keeping(world);

  await task.run(new AbortController().signal);

  assert.ok((await world.engine.volumes()).some(({ name }) => name === VOLUME));
});

test('leaves database containers unchanged during app inspection and app cleanup', async () => {
  await using world = await made();
  const [before] = containers(world);
  await world.look();
  await world.deploys.removeDeleted();
  assert.deepEqual(
    containers(world).map(({ id, state }) => [id, state]),
    [[before?.id, 'running']],
  );
  assert.equal((await world.engine.networks()).length, 1);
});

test('removes the container, volume and record of a database whose creation failed', async () => {
  await using world = await made();
  world.core.store.tx((tx) => setDatabase(tx, 1, { state: 'failed' }));
  assert.equal(databaseStatus(row(world)), 'failed');

  await world.reconcile();

  assert.deepEqual([containers(world), await world.engine.volumes(), allDatabases(world.core.store)], [[], [], []]);
});

test('fetches a removed image again for the next database container', async () => {
  await using world = await made('mysql');
  const before = row(world).image_id;
  await world.engine.remove(containers(world)[0]?.id ?? '');
  world.engine.controls.forgetImage('mysql:8.4');
  const image = world.engine.controls.addImage('mysql:8.4');

  await world.reconcile();

  assert.notEqual(image.id, before);
  assert.deepEqual([containers(world)[0]?.state, containers(world)[0]?.imageId], ['running', image.id]);
});
