/** Extensions that are added to an existing database. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { type DatabaseRow, databaseByReference, extensionsOf } from '../../src/db/tables/managed-database.ts';
import { stepsOfTask } from '../../src/db/tables/task-step.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { addExtensions } from '../../src/resources/databases/login.ts';
import { refusal } from '../support/core-world.ts';
import { type RememberingPostgres, rememberPostgres } from '../support/remembering-postgres.ts';
import { taskMatrix } from '../support/task-matrix.ts';
import { TaskWorld } from '../support/task-world.ts';

const row = ({ core }: TaskWorld, name = 'main'): DatabaseRow => {
  const found = databaseByReference(core.store, `shop/production/${name}`);
  if (found === undefined) throw new Error(`there is no database ${name}`);
  return found;
};
const add = (world: TaskWorld, ...extensions: string[]) =>
  addExtensions(world.core, world.ctx, row(world), { extensions });
const databases = new WeakMap<TaskWorld, RememberingPostgres>();

async function prepared(): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  databases.set(world, rememberPostgres(world.engine));
  const body = { project: 'shop', name: 'main', engine: 'postgres', version: '15', extensions: ['hstore'] };
  await world.ended(await createDatabase(world.core, world.ctx, DatabaseCreate.parse(body)));
  return world;
}

describe('extensions of an existing database', () => {
  test('adds an extension and its dependencies without a restart', async () => {
    await using world = await prepared();
    const container = row(world).container_id;

    const { id, status, error } = await world.ended(add(world, 'earthdistance'));

    assert.deepEqual([status, error], ['succeeded', null]);
    assert.deepEqual(
      stepsOfTask(world.core.store, id).map(({ name }) => name),
      ['available', 'record', 'add'],
    );
    assert.deepEqual(extensionsOf(row(world)), ['hstore', 'cube', 'earthdistance']);
    assert.deepEqual([...(databases.get(world)?.extensions ?? [])].sort(), ['cube', 'earthdistance', 'hstore']);
    assert.equal(row(world).container_id, container);
    await world.reconcile();
    assert.equal(row(world).container_id, container, 'nor later');
  });

  test('fails the task without changes if the image does not contain the extension', async () => {
    await using world = await prepared();

    const { status, error } = await world.ended(add(world, 'tablefunc', 'citext'));

    assert.equal(status, 'failed');
    assert.match(error ?? '', /does not contain citext, tablefunc\. Create a database/);
    assert.deepEqual(extensionsOf(row(world)), ['hstore']);
  });

  test('refuses an unknown extension, and any extension for Redis', async () => {
    await using world = await prepared();
    const body = { project: 'shop', name: 'cache', engine: 'redis' };
    await world.ended(await createDatabase(world.core, world.ctx, DatabaseCreate.parse(body)));

    assert.throws(
      () => add(world, 'nonsense'),
      refusal('invalid_input', /“nonsense” is not an extension of postgres 15/),
    );
    assert.throws(
      () => addExtensions(world.core, world.ctx, row(world, 'cache'), { extensions: ['hstore'] }),
      refusal('invalid_input', /redis does not support extensions/),
    );
  });
});

const snapshot = async (world: TaskWorld) => ({
  at: await world.atEngine(),
  extensions: extensionsOf(row(world)),
  ...{ wanted: row(world).wanted, observed: row(world).observed, reason: row(world).reason },
});

taskMatrix('the adding of an extension', {
  kind: 'database.extensions',
  steps: ['available', 'record', 'add'],
  prepare: prepared,
  ask: (world) => add(world, 'pg_trgm'),
  snapshot,
});

taskMatrix('the adding of an extension that is loaded with the server', {
  kind: 'database.extensions',
  steps: ['available', 'record', 'container', 'ready', 'publish', 'add'],
  prepare: prepared,
  ask: (world) => add(world, 'pg_stat_statements'),
  snapshot,
});
