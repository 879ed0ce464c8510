/** Extensions that are added to an existing database. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { type DatabaseRow, databaseByReference, extensionsOf } from '../../src/db/tables/managed-database.ts';
import { stepsOfTask } from '../../src/db/tables/task-step.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { addExtensions } from '../../src/resources/databases/login.ts';
import { refusal } from '../support/core-harness.ts';
import { type RememberingPostgres, rememberPostgres } from '../support/remembering-postgres.ts';
import { TaskHarness } from '../support/task-harness.ts';
import { taskMatrix } from '../support/task-matrix.ts';

const row = ({ core }: TaskHarness, name = 'main'): DatabaseRow => {
  const found = databaseByReference(core.store, `shop/production/${name}`);
  if (found === undefined) throw new Error(`there is no database ${name}`);
  return found;
};
const add = (harness: TaskHarness, ...extensions: string[]) =>
  addExtensions(harness.core, harness.ctx, row(harness), { extensions });
const databases = new WeakMap<TaskHarness, RememberingPostgres>();

async function prepared(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  databases.set(harness, rememberPostgres(harness.engine));
  const body = { project: 'shop', name: 'main', engine: 'postgres', version: '15', extensions: ['hstore'] };
  await harness.ended(await createDatabase(harness.core, harness.ctx, DatabaseCreate.parse(body)));
  return harness;
}

describe('extensions of an existing database', () => {
  test('adds an extension and its dependencies without a restart', async () => {
    await using harness = await prepared();
    const container = row(harness).container_id;

    const { id, status, error } = await harness.ended(add(harness, 'earthdistance'));

    assert.deepEqual([status, error], ['succeeded', null]);
    assert.deepEqual(
      stepsOfTask(harness.core.store, id).map(({ name }) => name),
      ['available', 'record', 'add'],
    );
    assert.deepEqual(extensionsOf(row(harness)), ['hstore', 'cube', 'earthdistance']);
    assert.deepEqual([...(databases.get(harness)?.extensions ?? [])].sort(), ['cube', 'earthdistance', 'hstore']);
    assert.equal(row(harness).container_id, container);
    await harness.reconcile();
    assert.equal(row(harness).container_id, container, 'nor later');
  });

  test('fails the task without changes if the image does not contain the extension', async () => {
    await using harness = await prepared();

    const { status, error } = await harness.ended(add(harness, 'tablefunc', 'citext'));

    assert.equal(status, 'failed');
    assert.match(error ?? '', /does not contain citext, tablefunc\. Create a database/);
    assert.deepEqual(extensionsOf(row(harness)), ['hstore']);
  });

  test('refuses an unknown extension, and any extension for Redis', async () => {
    await using harness = await prepared();
    const body = { project: 'shop', name: 'cache', engine: 'redis' };
    await harness.ended(await createDatabase(harness.core, harness.ctx, DatabaseCreate.parse(body)));

    assert.throws(
      () => add(harness, 'nonsense'),
      refusal('invalid_input', /“nonsense” is not an extension of postgres 15/),
    );
    assert.throws(
      () => addExtensions(harness.core, harness.ctx, row(harness, 'cache'), { extensions: ['hstore'] }),
      refusal('invalid_input', /redis does not support extensions/),
    );
  });
});

const snapshot = async (harness: TaskHarness) => ({
  at: await harness.atEngine(),
  extensions: extensionsOf(row(harness)),
  ...{ wanted: row(harness).wanted, observed: row(harness).observed, reason: row(harness).reason },
});

taskMatrix('the adding of an extension', {
  kind: 'database.extensions',
  steps: ['available', 'record', 'add'],
  prepare: prepared,
  ask: (harness) => add(harness, 'pg_trgm'),
  snapshot,
});

taskMatrix('the adding of an extension that is loaded with the server', {
  kind: 'database.extensions',
  steps: ['available', 'record', 'container', 'ready', 'publish', 'add'],
  prepare: prepared,
  ask: (harness) => add(harness, 'pg_stat_statements'),
  snapshot,
});
