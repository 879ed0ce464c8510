import assert from 'node:assert/strict';
import test from 'node:test';
import type { VariablesPatch } from '@davit/api';
import { CoreHarness, refusal } from '../../../test/support/core-harness.ts';
import { effectiveVariables } from '../../app-spec/effective-variables.ts';
import { storedRevision } from '../../app-spec/revision.ts';
import { unchecked } from '../../db/select.ts';
import { createEnvironment } from '../environments/environment.ts';
import { patchingVariables, replacingVariables } from './level.ts';
import { changeVariables, ofApp, ofEnvironment, ofProject, readVariables } from './variables.ts';

const OWNERS = {
  project: (harness: CoreHarness) => ofProject(harness.project()),
  environment: (harness: CoreHarness) => ofEnvironment(harness.environment()),
  app: (harness: CoreHarness) => ofApp(harness.app()),
};
type Level = keyof typeof OWNERS;

function patch(harness: CoreHarness, level: Level, fields: Partial<VariablesPatch>) {
  const change = patchingVariables({ set: {}, unset: [], secret: [], ...fields });
  return changeVariables(harness.core, harness.admin, OWNERS[level](harness), change);
}

function put(harness: CoreHarness, level: Level, vars: Record<string, string | null>, secret: string[] = []) {
  return changeVariables(harness.core, harness.admin, OWNERS[level](harness), replacingVariables({ vars, secret }));
}

const read = (harness: CoreHarness, level: Level, ctx = harness.admin) =>
  readVariables(harness.core, ctx, OWNERS[level](harness));
const revision = (harness: CoreHarness, app = 'web') => harness.app(app).revision;

test('an app inherits variables, and the nearest level has priority', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'project', { set: { A: 'p', B: 'p', C: 'p' } });
  patch(harness, 'environment', { set: { B: 'e', C: 'e' } });
  patch(harness, 'app', { set: { C: 'a' } });

  const app = harness.app();
  const effective = effectiveVariables(harness.core, harness.core.store, [app]).get(app.id);

  assert.deepEqual(effective, [
    { key: 'A', value: 'p', source: 'project', secret: false },
    { key: 'B', value: 'e', source: 'environment', secret: false },
    { key: 'C', value: 'a', source: 'app', secret: false },
  ]);
  assert.deepEqual(read(harness, 'app').effective, effective);
  assert.deepEqual(read(harness, 'app').vars, { C: 'a' });
  assert.deepEqual(
    read(harness, 'environment').effective.map(({ key, value }) => `${key}=${value}`),
    ['A=p', 'B=e', 'C=e'],
  );
});

test('a variable is stored encrypted and cannot be moved to another key', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'app', { set: { TOKEN: 'hunter2' }, secret: ['TOKEN'] });
  const stored = () =>
    JSON.stringify([
      harness.core.store.all(unchecked('SELECT * FROM variables')),
      harness.core.store.all(unchecked('SELECT * FROM revisions')),
    ]);
  assert.doesNotMatch(stored(), /hunter2/);

  harness.core.store.tx((tx) => tx.run("UPDATE variables SET key = 'OTHER'"));

  assert.throws(
    () => read(harness, 'app'),
    /The variable OTHER of the app cannot be decrypted, because it was changed outside Davit/,
  );
});

test('a user without permission for secrets sees null instead of the value', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'project', { set: { TOKEN: 'hunter2', OPEN: 'x' }, secret: ['TOKEN'] });

  const viewer = read(harness, 'project', harness.as('viewer'));

  assert.deepEqual(viewer.vars, { OPEN: 'x', TOKEN: null });
  assert.deepEqual(viewer.secret, ['TOKEN']);
  assert.deepEqual(
    viewer.effective.map(({ value }) => value),
    ['x', null],
  );
  assert.equal(read(harness, 'app', harness.as('viewer')).effective.at(-1)?.value, null);
  assert.equal(read(harness, 'project', harness.as('member')).vars.TOKEN, 'hunter2');
});

test('a patch sets and removes variables and keeps a secret variable secret', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'app', { set: { A: '1', B: '2' }, secret: ['A'] });

  const variables = patch(harness, 'app', { set: { A: '3' }, unset: ['B', 'MISSING'] });

  assert.deepEqual(variables.vars, { A: '3' });
  assert.deepEqual(variables.secret, ['A']);
});

test('a patch can make a stored variable secret without its value', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'app', { set: { A: '1' } });

  assert.deepEqual(patch(harness, 'app', { secret: ['A'] }).secret, ['A']);
});

test('a contradictory patch is refused and changes nothing', () => {
  using harness = CoreHarness.withApp();

  assert.throws(
    () => patch(harness, 'app', { set: { A: '1' }, unset: ['A'] }),
    refusal('invalid_input', /A is both in “set” and in “unset”/),
  );
  assert.throws(() => patch(harness, 'app', { secret: ['A'] }), refusal('invalid_input', /^secret: The variable A/));
  assert.equal(revision(harness), 1);
  assert.deepEqual(read(harness, 'app').vars, {});
});

test('a put with null keeps the value of a secret variable', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'app', { set: { TOKEN: 'hunter2', OPEN: 'x', GOES: 'y' }, secret: ['TOKEN'] });

  const variables = put(harness, 'app', { TOKEN: null, OPEN: 'z' });

  assert.deepEqual(variables.vars, { OPEN: 'z', TOKEN: 'hunter2' });
  assert.deepEqual(variables.secret, ['TOKEN']);
});

test('a put without a value for a new variable reports the key', () => {
  using harness = CoreHarness.withApp();

  assert.throws(() => put(harness, 'app', { NEW: null }), refusal('invalid_input', /^vars\.NEW: /));
  assert.throws(() => put(harness, 'app', {}, ['NEW']), refusal('invalid_input', /^secret: The variable NEW/));
});

test('a put without the secret flag makes a new value readable', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'app', { set: { A: '1' }, secret: ['A'] });

  assert.deepEqual(put(harness, 'app', { A: '2' }).secret, []);
});

test('a variable change creates a revision of each affected app', () => {
  using harness = CoreHarness.withApp();
  harness.addApp('api');
  createEnvironment(harness.core, harness.admin, harness.project(), { slug: 'beta' });
  harness.addApp('web', { environment: 'beta' });

  patch(harness, 'app', { set: { A: 'own' } });
  assert.deepEqual([revision(harness), revision(harness, 'api')], [2, 1]);
  patch(harness, 'environment', { set: { A: 'wide', B: 'wide' } });
  assert.deepEqual([revision(harness), revision(harness, 'api')], [3, 2]);
  patch(harness, 'project', { set: { A: 'wider' } });
  assert.deepEqual([revision(harness), revision(harness, 'api')], [3, 2], 'both have a nearer value');
  assert.equal(harness.app('web', 'beta').revision, 2);
});

test('a revision keeps the variables of its time', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'project', { set: { A: '1' }, secret: ['A'] });
  patch(harness, 'project', { set: { A: '2' } });

  const { variables } = storedRevision(harness.core, harness.app().id, 2);

  assert.deepEqual(variables, [{ key: 'A', value: '1', source: 'project', secret: true }]);
  assert.throws(() => storedRevision(harness.core, harness.app().id, 9), /does not exist in the database/);
});

test('a change without effect creates no revision and no event', () => {
  using harness = CoreHarness.withApp();
  patch(harness, 'app', { set: { A: '1' } });
  const events: unknown[] = [];
  harness.core.store.onEvent((event) => events.push(event));

  patch(harness, 'app', { set: { A: '1' }, unset: ['B'] });
  put(harness, 'app', { A: null });

  assert.equal(revision(harness), 2);
  assert.deepEqual(events, []);
});

test('an app has pending changes if the live release has other variables', () => {
  using harness = CoreHarness.withApp();
  harness.release();

  patch(harness, 'project', { set: { A: '1' } });

  assert.notEqual(harness.app().liveRevision, harness.app().revision);
});

test('a level can have at most 1,000 variables and 1 MiB', () => {
  using harness = CoreHarness.withApp();
  const many = (n: number, value = '') => Object.fromEntries(Array.from({ length: n }, (_, i) => [`K${i}`, value]));

  assert.equal(Object.keys(put(harness, 'app', many(1_000)).vars).length, 1_000);
  assert.throws(() => patch(harness, 'app', { set: { ONE_MORE: '' } }), refusal('invalid_input', /1,001.*1,000/));
  assert.throws(() => put(harness, 'app', many(9, 'x'.repeat(131_072))), refusal('invalid_input', /1 MiB/));
});

test('a variable with its name is limited to 128 KiB in bytes', () => {
  using harness = CoreHarness.withApp();
  const longest = 128 * 1024 - 'K=\0'.length;

  patch(harness, 'app', { set: { K: 'x'.repeat(longest) } });

  for (const value of ['x'.repeat(longest + 1), 'ä'.repeat(longest / 2 + 1)])
    assert.throws(() => patch(harness, 'app', { set: { K: value } }), refusal('invalid_input', /^K: .*128 KiB/));
});

test('variable names such as constructor and toString are ordinary names', () => {
  using harness = CoreHarness.withApp();

  const variables = patch(harness, 'app', { set: { constructor: '1', toString: '2' } as Record<string, string> });

  assert.deepEqual(Object.entries(variables.vars), [
    ['constructor', '1'],
    ['toString', '2'],
  ]);
  assert.throws(() => put(harness, 'app', {}, ['valueOf']), refusal('invalid_input'));
});
