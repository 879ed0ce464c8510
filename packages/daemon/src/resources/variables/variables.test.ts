import assert from 'node:assert/strict';
import test from 'node:test';
import type { VariablesPatch } from '@davit/api';
import { CoreWorld, refusal } from '../../../test/support/core-world.ts';
import { effectiveVariables } from '../../app-spec/effective-variables.ts';
import { storedRevision } from '../../app-spec/revision.ts';
import { unchecked } from '../../db/select.ts';
import { createEnvironment } from '../environments/environment.ts';
import { patchingVariables, replacingVariables } from './level.ts';
import { changeVariables, ofApp, ofEnvironment, ofProject, readVariables } from './variables.ts';

const OWNERS = {
  project: (world: CoreWorld) => ofProject(world.project()),
  environment: (world: CoreWorld) => ofEnvironment(world.environment()),
  app: (world: CoreWorld) => ofApp(world.app()),
};
type Level = keyof typeof OWNERS;

function patch(world: CoreWorld, level: Level, fields: Partial<VariablesPatch>) {
  const change = patchingVariables({ set: {}, unset: [], secret: [], ...fields });
  return changeVariables(world.core, world.admin, OWNERS[level](world), change);
}

function put(world: CoreWorld, level: Level, vars: Record<string, string | null>, secret: string[] = []) {
  return changeVariables(world.core, world.admin, OWNERS[level](world), replacingVariables({ vars, secret }));
}

const read = (world: CoreWorld, level: Level, ctx = world.admin) =>
  readVariables(world.core, ctx, OWNERS[level](world));
const revision = (world: CoreWorld, app = 'web') => world.app(app).revision;

test('an app inherits variables, and the nearest level has priority', () => {
  using world = CoreWorld.withApp();
  patch(world, 'project', { set: { A: 'p', B: 'p', C: 'p' } });
  patch(world, 'environment', { set: { B: 'e', C: 'e' } });
  patch(world, 'app', { set: { C: 'a' } });

  const app = world.app();
  const effective = effectiveVariables(world.core, world.core.store, [app]).get(app.id);

  assert.deepEqual(effective, [
    { key: 'A', value: 'p', source: 'project', secret: false },
    { key: 'B', value: 'e', source: 'environment', secret: false },
    { key: 'C', value: 'a', source: 'app', secret: false },
  ]);
  assert.deepEqual(read(world, 'app').effective, effective);
  assert.deepEqual(read(world, 'app').vars, { C: 'a' });
  assert.deepEqual(
    read(world, 'environment').effective.map(({ key, value }) => `${key}=${value}`),
    ['A=p', 'B=e', 'C=e'],
  );
});

test('a variable is stored encrypted and cannot be moved to another key', () => {
  using world = CoreWorld.withApp();
  patch(world, 'app', { set: { TOKEN: 'hunter2' }, secret: ['TOKEN'] });
  const stored = () =>
    JSON.stringify([
      world.core.store.all(unchecked('SELECT * FROM variables')),
      world.core.store.all(unchecked('SELECT * FROM revisions')),
    ]);
  assert.doesNotMatch(stored(), /hunter2/);

  world.core.store.tx((tx) => tx.run("UPDATE variables SET key = 'OTHER'"));

  assert.throws(
    () => read(world, 'app'),
    /The variable OTHER of the app cannot be decrypted, because it was changed outside Davit/,
  );
});

test('a user without permission for secrets sees null instead of the value', () => {
  using world = CoreWorld.withApp();
  patch(world, 'project', { set: { TOKEN: 'hunter2', OPEN: 'x' }, secret: ['TOKEN'] });

  const viewer = read(world, 'project', world.as('viewer'));

  assert.deepEqual(viewer.vars, { OPEN: 'x', TOKEN: null });
  assert.deepEqual(viewer.secret, ['TOKEN']);
  assert.deepEqual(
    viewer.effective.map(({ value }) => value),
    ['x', null],
  );
  assert.equal(read(world, 'app', world.as('viewer')).effective.at(-1)?.value, null);
  assert.equal(read(world, 'project', world.as('member')).vars.TOKEN, 'hunter2');
});

test('a patch sets and removes variables and keeps a secret variable secret', () => {
  using world = CoreWorld.withApp();
  patch(world, 'app', { set: { A: '1', B: '2' }, secret: ['A'] });

  const variables = patch(world, 'app', { set: { A: '3' }, unset: ['B', 'MISSING'] });

  assert.deepEqual(variables.vars, { A: '3' });
  assert.deepEqual(variables.secret, ['A']);
});

test('a patch can make a stored variable secret without its value', () => {
  using world = CoreWorld.withApp();
  patch(world, 'app', { set: { A: '1' } });

  assert.deepEqual(patch(world, 'app', { secret: ['A'] }).secret, ['A']);
});

test('a contradictory patch is refused and changes nothing', () => {
  using world = CoreWorld.withApp();

  assert.throws(
    () => patch(world, 'app', { set: { A: '1' }, unset: ['A'] }),
    refusal('invalid_input', /A is both in “set” and in “unset”/),
  );
  assert.throws(() => patch(world, 'app', { secret: ['A'] }), refusal('invalid_input', /^secret: The variable A/));
  assert.equal(revision(world), 1);
  assert.deepEqual(read(world, 'app').vars, {});
});

test('a put with null keeps the value of a secret variable', () => {
  using world = CoreWorld.withApp();
  patch(world, 'app', { set: { TOKEN: 'hunter2', OPEN: 'x', GOES: 'y' }, secret: ['TOKEN'] });

  const variables = put(world, 'app', { TOKEN: null, OPEN: 'z' });

  assert.deepEqual(variables.vars, { OPEN: 'z', TOKEN: 'hunter2' });
  assert.deepEqual(variables.secret, ['TOKEN']);
});

test('a put without a value for a new variable reports the key', () => {
  using world = CoreWorld.withApp();

  assert.throws(() => put(world, 'app', { NEW: null }), refusal('invalid_input', /^vars\.NEW: /));
  assert.throws(() => put(world, 'app', {}, ['NEW']), refusal('invalid_input', /^secret: The variable NEW/));
});

test('a put without the secret flag makes a new value readable', () => {
  using world = CoreWorld.withApp();
  patch(world, 'app', { set: { A: '1' }, secret: ['A'] });

  assert.deepEqual(put(world, 'app', { A: '2' }).secret, []);
});

test('a variable change creates a revision of each affected app', () => {
  using world = CoreWorld.withApp();
  world.addApp('api');
  createEnvironment(world.core, world.admin, world.project(), { slug: 'beta' });
  world.addApp('web', { environment: 'beta' });

  patch(world, 'app', { set: { A: 'own' } });
  assert.deepEqual([revision(world), revision(world, 'api')], [2, 1]);
  patch(world, 'environment', { set: { A: 'wide', B: 'wide' } });
  assert.deepEqual([revision(world), revision(world, 'api')], [3, 2]);
  patch(world, 'project', { set: { A: 'wider' } });
  assert.deepEqual([revision(world), revision(world, 'api')], [3, 2], 'both have a nearer value');
  assert.equal(world.app('web', 'beta').revision, 2);
});

test('a revision keeps the variables of its time', () => {
  using world = CoreWorld.withApp();
  patch(world, 'project', { set: { A: '1' }, secret: ['A'] });
  patch(world, 'project', { set: { A: '2' } });

  const { variables } = storedRevision(world.core, world.app().id, 2);

  assert.deepEqual(variables, [{ key: 'A', value: '1', source: 'project', secret: true }]);
  assert.throws(() => storedRevision(world.core, world.app().id, 9), /does not exist in the database/);
});

test('a change without effect creates no revision and no event', () => {
  using world = CoreWorld.withApp();
  patch(world, 'app', { set: { A: '1' } });
  const told: unknown[] = [];
  world.core.store.onEvent((event) => told.push(event));

  patch(world, 'app', { set: { A: '1' }, unset: ['B'] });
  put(world, 'app', { A: null });

  assert.equal(revision(world), 2);
  assert.deepEqual(told, []);
});

test('an app has pending changes if the live release has other variables', () => {
  using world = CoreWorld.withApp();
  world.release();

  patch(world, 'project', { set: { A: '1' } });

  assert.notEqual(world.app().liveRevision, world.app().revision);
});

test('a level can have at most 1,000 variables and 1 MiB', () => {
  using world = CoreWorld.withApp();
  const many = (n: number, value = '') => Object.fromEntries(Array.from({ length: n }, (_, i) => [`K${i}`, value]));

  assert.equal(Object.keys(put(world, 'app', many(1_000)).vars).length, 1_000);
  assert.throws(() => patch(world, 'app', { set: { ONE_MORE: '' } }), refusal('invalid_input', /1,001.*1,000/));
  assert.throws(() => put(world, 'app', many(9, 'x'.repeat(131_072))), refusal('invalid_input', /1 MiB/));
});

test('a variable with its name is limited to 128 KiB in bytes', () => {
  using world = CoreWorld.withApp();
  const longest = 128 * 1024 - 'K=\0'.length;

  patch(world, 'app', { set: { K: 'x'.repeat(longest) } });

  for (const value of ['x'.repeat(longest + 1), 'ä'.repeat(longest / 2 + 1)])
    assert.throws(() => patch(world, 'app', { set: { K: value } }), refusal('invalid_input', /^K: .*128 KiB/));
});

test('variable names such as constructor and toString are ordinary names', () => {
  using world = CoreWorld.withApp();

  const variables = patch(world, 'app', { set: { constructor: '1', toString: '2' } as Record<string, string> });

  assert.deepEqual(Object.entries(variables.vars), [
    ['constructor', '1'],
    ['toString', '2'],
  ]);
  assert.throws(() => put(world, 'app', {}, ['valueOf']), refusal('invalid_input'));
});
