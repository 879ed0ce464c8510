import assert from 'node:assert/strict';
import test from 'node:test';
import { CoreWorld, refusal } from '../../../test/support/core-world.ts';
import { unchecked } from '../../db/select.ts';
import { createEnvironment, deleteEnvironment, listEnvironments } from '../environments/environment.ts';
import { patchingVariables } from '../variables/level.ts';
import { changeVariables, ofApp, ofEnvironment, ofProject } from '../variables/variables.ts';
import { createProject, deleteProject, listProjects, readProject } from './project.ts';

test('a project is born with production', () => {
  using world = new CoreWorld();

  const project = createProject(world.core, world.admin, { slug: 'shop' });

  assert.deepEqual(project.environments, ['production']);
  assert.deepEqual(readProject(world.core, world.admin, world.project()), project);
});

test('a name that is taken is a conflict', () => {
  using world = CoreWorld.withApp();

  assert.throws(() => createProject(world.core, world.admin, { slug: 'shop' }), refusal('conflict', /shop/));
  assert.throws(
    () => createEnvironment(world.core, world.admin, world.project(), { slug: 'production' }),
    refusal('conflict', /production/),
  );
});

test('a list has the projects that one sees, by name', () => {
  using world = new CoreWorld();
  for (const slug of ['b', 'c', 'a']) createProject(world.core, world.admin, { slug });
  const slugs = (ctx = world.admin) => listProjects(world.core, ctx).items.map(({ slug }) => slug);

  assert.deepEqual(slugs(), ['a', 'b', 'c']);
  assert.deepEqual(slugs(world.as('viewer', ['c', 'a'])), ['a', 'c']);
  assert.deepEqual(slugs(world.as('viewer', [])), []);
});

test('who is limited to some projects creates no others', () => {
  using world = CoreWorld.withApp();

  const limited = world.as('admin', ['shop']);

  assert.throws(() => createProject(world.core, limited, { slug: 'mine' }), refusal('forbidden'));
});

test('environments are listed by name', () => {
  using world = CoreWorld.withApp();
  createEnvironment(world.core, world.admin, world.project(), { slug: 'beta' });

  const slugs = listEnvironments(world.core, world.admin, world.project()).items.map(({ slug }) => slug);

  assert.deepEqual(slugs, ['beta', 'production']);
});

test('production is not deleted on its own', async () => {
  using world = CoreWorld.withApp();

  await assert.rejects(deleteEnvironment(world.core, world.admin, world.environment()), refusal('conflict', /project/));

  assert.equal(world.app().name, 'web');
});

test('an environment goes with its apps, and its name is free', async () => {
  using world = CoreWorld.withApp();
  createEnvironment(world.core, world.admin, world.project(), { slug: 'beta' });
  world.addApp('web', { environment: 'beta' });

  await deleteEnvironment(world.core, world.admin, world.environment('beta'));

  assert.throws(() => world.app('web', 'beta'), refusal('not_found'));
  assert.equal(world.app('web').name, 'web');
  assert.equal(world.deploys.removals, 1);
  createEnvironment(world.core, world.admin, world.project(), { slug: 'beta' });
});

test('a project goes with everything in it, its secrets and hosts too, and its name is free', async () => {
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

test('a deletion stands when what runs cannot be taken down yet', async () => {
  using world = CoreWorld.withApp();
  world.deploys.failure = new Error('the engine does not answer');

  await deleteProject(world.core, world.admin, world.project());

  assert.throws(() => world.project(), refusal('not_found'));
});

test('each deletion is told in the events', async () => {
  using world = CoreWorld.withApp();
  const told: string[] = [];
  world.core.store.onEvent(({ kind, data }) => told.push(`${kind} ${'change' in data ? data.change : ''}`));

  await deleteProject(world.core, world.admin, world.project());

  assert.deepEqual(told, ['app deleted', 'project deleted', 'project deleted']);
});

test('nothing is added to what went since it was looked up', async () => {
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
