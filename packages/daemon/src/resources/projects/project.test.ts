import assert from 'node:assert/strict';
import test from 'node:test';
import { CoreWorld, refusal } from '../../../test/support/core-world.ts';
import { unchecked } from '../../db/select.ts';
import { createEnvironment, deleteEnvironment, listEnvironments } from '../environments/environment.ts';
import { patchingVariables } from '../variables/level.ts';
import { changeVariables, ofApp, ofEnvironment, ofProject } from '../variables/variables.ts';
import { createProject, deleteProject, listProjects, readProject } from './project.ts';

test('createProject creates the environment named production', () => {
  using world = new CoreWorld();

  const project = createProject(world.core, world.admin, { slug: 'shop' });

  assert.deepEqual(project.environments, ['production']);
  assert.deepEqual(readProject(world.core, world.admin, world.project()), project);
});

test('a duplicate project or environment name is a conflict', () => {
  using world = CoreWorld.withApp();

  assert.throws(() => createProject(world.core, world.admin, { slug: 'shop' }), refusal('conflict', /shop/));
  assert.throws(
    () => createEnvironment(world.core, world.admin, world.project(), { slug: 'production' }),
    refusal('conflict', /production/),
  );
});

test('listProjects returns the visible projects sorted by name', () => {
  using world = new CoreWorld();
  for (const slug of ['b', 'c', 'a']) createProject(world.core, world.admin, { slug });
  const slugs = (ctx = world.admin) => listProjects(world.core, ctx).items.map(({ slug }) => slug);

  assert.deepEqual(slugs(), ['a', 'b', 'c']);
  assert.deepEqual(slugs(world.as('viewer', ['c', 'a'])), ['a', 'c']);
  assert.deepEqual(slugs(world.as('viewer', [])), []);
});

test('a user limited to some projects cannot create a project', () => {
  using world = CoreWorld.withApp();

  const limited = world.as('admin', ['shop']);

  assert.throws(() => createProject(world.core, limited, { slug: 'mine' }), refusal('forbidden'));
});

test('listEnvironments returns the environments sorted by name', () => {
  using world = CoreWorld.withApp();
  createEnvironment(world.core, world.admin, world.project(), { slug: 'beta' });

  const slugs = listEnvironments(world.core, world.admin, world.project()).items.map(({ slug }) => slug);

  assert.deepEqual(slugs, ['beta', 'production']);
});

test('the production environment cannot be deleted alone', async () => {
  using world = CoreWorld.withApp();

  await assert.rejects(deleteEnvironment(world.core, world.admin, world.environment()), refusal('conflict', /project/));

  assert.equal(world.app().name, 'web');
});

test('deleting an environment deletes its apps and frees its name', async () => {
  using world = CoreWorld.withApp();
  createEnvironment(world.core, world.admin, world.project(), { slug: 'beta' });
  world.addApp('web', { environment: 'beta' });

  await deleteEnvironment(world.core, world.admin, world.environment('beta'));

  assert.throws(() => world.app('web', 'beta'), refusal('not_found'));
  assert.equal(world.app('web').name, 'web');
  assert.equal(world.deploys.removals, 1);
  createEnvironment(world.core, world.admin, world.project(), { slug: 'beta' });
});

test('deleting a project deletes its apps, variables and domains, and frees its name', async () => {
  using world = CoreWorld.withApp();
  world.core.store.tx((tx) => {
    const { id } = world.app();
    tx.run("INSERT INTO domains (app_id, host, protocol, created_at) VALUES (?, 'a.example', 'http', 0)", id);
    for (const level of ['project', 'environment', 'app'])
      tx.run('INSERT INTO variables VALUES (?, 1, ?, ?, 1)', level, 'K', 'v');
  });

  await deleteProject(world.core, world.admin, world.project());

  assert.throws(() => world.app(), refusal('not_found'));
  assert.deepEqual(world.core.store.all(unchecked('SELECT * FROM domains')), []);
  assert.deepEqual(world.core.store.all(unchecked('SELECT * FROM variables')), []);
  createProject(world.core, world.admin, { slug: 'shop' });
  assert.throws(() => world.app(), refusal('not_found'));
});

test('deleting a project succeeds even if its containers cannot be removed yet', async () => {
  using world = CoreWorld.withApp();
  world.deploys.failure = new Error('the engine does not answer');

  await deleteProject(world.core, world.admin, world.project());

  assert.throws(() => world.project(), refusal('not_found'));
});

test('deleting a project publishes an event for each deletion', async () => {
  using world = CoreWorld.withApp();
  const told: string[] = [];
  world.core.store.onEvent(({ kind, data }) => told.push(`${kind} ${'change' in data ? data.change : ''}`));

  await deleteProject(world.core, world.admin, world.project());

  assert.deepEqual(told, ['app deleted', 'project deleted', 'project deleted']);
});

test('changes to a deleted project are refused, even after an earlier lookup', async () => {
  using world = CoreWorld.withApp();
  const [project, environment, app] = [world.project(), world.environment(), world.app()];
  const patch = { set: { A: '1' }, unset: [], secret: [] };
  await deleteProject(world.core, world.admin, project);

  assert.throws(() => createEnvironment(world.core, world.admin, project, { slug: 'beta' }), refusal('not_found'));
  for (const owner of [ofProject(project), ofEnvironment(environment), ofApp(app)]) {
    assert.throws(
      () => changeVariables(world.core, world.admin, owner, patchingVariables(patch)),
      refusal('not_found'),
    );
  }
});
