import assert from 'node:assert/strict';
import test from 'node:test';
import { CoreHarness, refusal } from '../../../test/support/core-harness.ts';
import { unchecked } from '../../db/select.ts';
import { createEnvironment, deleteEnvironment, listEnvironments } from '../environments/environment.ts';
import { patchingVariables } from '../variables/level.ts';
import { changeVariables, ofApp, ofEnvironment, ofProject } from '../variables/variables.ts';
import { createProject, deleteProject, listProjects, readProject } from './project.ts';

test('createProject creates the environment named production', () => {
  using harness = new CoreHarness();

  const project = createProject(harness.core, harness.admin, { slug: 'shop' });

  assert.deepEqual(project.environments, ['production']);
  assert.deepEqual(readProject(harness.core, harness.admin, harness.project()), project);
});

test('a duplicate project or environment name is a conflict', () => {
  using harness = CoreHarness.withApp();

  assert.throws(() => createProject(harness.core, harness.admin, { slug: 'shop' }), refusal('conflict', /shop/));
  assert.throws(
    () => createEnvironment(harness.core, harness.admin, harness.project(), { slug: 'production' }),
    refusal('conflict', /production/),
  );
});

test('listProjects returns the visible projects sorted by name', () => {
  using harness = new CoreHarness();
  for (const slug of ['b', 'c', 'a']) createProject(harness.core, harness.admin, { slug });
  const slugs = (ctx = harness.admin) => listProjects(harness.core, ctx).items.map(({ slug }) => slug);

  assert.deepEqual(slugs(), ['a', 'b', 'c']);
  assert.deepEqual(slugs(harness.as('viewer', ['c', 'a'])), ['a', 'c']);
  assert.deepEqual(slugs(harness.as('viewer', [])), []);
});

test('a user limited to some projects cannot create a project', () => {
  using harness = CoreHarness.withApp();

  const limited = harness.as('admin', ['shop']);

  assert.throws(() => createProject(harness.core, limited, { slug: 'mine' }), refusal('forbidden'));
});

test('listEnvironments returns the environments sorted by name', () => {
  using harness = CoreHarness.withApp();
  createEnvironment(harness.core, harness.admin, harness.project(), { slug: 'beta' });

  const slugs = listEnvironments(harness.core, harness.admin, harness.project()).items.map(({ slug }) => slug);

  assert.deepEqual(slugs, ['beta', 'production']);
});

test('the production environment cannot be deleted alone', async () => {
  using harness = CoreHarness.withApp();

  await assert.rejects(
    deleteEnvironment(harness.core, harness.admin, harness.environment()),
    refusal('conflict', /project/),
  );

  assert.equal(harness.app().name, 'web');
});

test('deleting an environment deletes its apps and frees its name', async () => {
  using harness = CoreHarness.withApp();
  createEnvironment(harness.core, harness.admin, harness.project(), { slug: 'beta' });
  harness.addApp('web', { environment: 'beta' });

  await deleteEnvironment(harness.core, harness.admin, harness.environment('beta'));

  assert.throws(() => harness.app('web', 'beta'), refusal('not_found'));
  assert.equal(harness.app('web').name, 'web');
  assert.equal(harness.deploys.removals, 1);
  createEnvironment(harness.core, harness.admin, harness.project(), { slug: 'beta' });
});

test('deleting a project deletes its apps, variables and domains, and frees its name', async () => {
  using harness = CoreHarness.withApp();
  harness.core.store.tx((tx) => {
    const { id } = harness.app();
    tx.run("INSERT INTO domains (app_id, host, protocol, created_at) VALUES (?, 'a.example', 'http', 0)", id);
    for (const level of ['project', 'environment', 'app'])
      tx.run('INSERT INTO variables VALUES (?, 1, ?, ?, 1)', level, 'K', 'v');
  });

  await deleteProject(harness.core, harness.admin, harness.project());

  assert.throws(() => harness.app(), refusal('not_found'));
  assert.deepEqual(harness.core.store.all(unchecked('SELECT * FROM domains')), []);
  assert.deepEqual(harness.core.store.all(unchecked('SELECT * FROM variables')), []);
  createProject(harness.core, harness.admin, { slug: 'shop' });
  assert.throws(() => harness.app(), refusal('not_found'));
});

test('deleting a project succeeds even if its containers cannot be removed yet', async () => {
  using harness = CoreHarness.withApp();
  harness.deploys.failure = new Error('the engine does not answer');

  await deleteProject(harness.core, harness.admin, harness.project());

  assert.throws(() => harness.project(), refusal('not_found'));
});

test('deleting a project publishes an event for each deletion', async () => {
  using harness = CoreHarness.withApp();
  const published: string[] = [];
  harness.core.store.onEvent(({ kind, data }) => published.push(`${kind} ${'change' in data ? data.change : ''}`));

  await deleteProject(harness.core, harness.admin, harness.project());

  assert.deepEqual(published, ['app deleted', 'project deleted', 'project deleted']);
});

test('changes to a deleted project are refused, even after an earlier lookup', async () => {
  using harness = CoreHarness.withApp();
  const [project, environment, app] = [harness.project(), harness.environment(), harness.app()];
  const patch = { set: { A: '1' }, unset: [], secret: [] };
  await deleteProject(harness.core, harness.admin, project);

  assert.throws(() => createEnvironment(harness.core, harness.admin, project, { slug: 'beta' }), refusal('not_found'));
  for (const owner of [ofProject(project), ofEnvironment(environment), ofApp(app)]) {
    assert.throws(
      () => changeVariables(harness.core, harness.admin, owner, patchingVariables(patch)),
      refusal('not_found'),
    );
  }
});
