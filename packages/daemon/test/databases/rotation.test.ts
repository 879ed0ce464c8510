/**
 * Change of a database's password: the deployments that it causes, the passwords that stay valid, and the state after a
 * failure or a crash.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppCreate, DatabaseCreate } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { databaseSecretPlace, openDatabasePassword } from '../../src/app-spec/database-access.ts';
import { effectiveVariables } from '../../src/app-spec/effective-variables.ts';
import { currentApp, lookUp } from '../../src/authorization/lookup.ts';
import { deploymentsOfApp } from '../../src/db/tables/deployment.ts';
import {
  type DatabaseRow,
  databaseById,
  databaseByReference,
  setDatabase,
} from '../../src/db/tables/managed-database.ts';
import { stepsOfTask } from '../../src/db/tables/task-step.ts';
import { retirementTask } from '../../src/reconcilers/retirement.ts';
import { createApp } from '../../src/resources/apps/settings.ts';
import { changeAttachment } from '../../src/resources/attachments/attachment.ts';
import { databaseAttachment } from '../../src/resources/attachments/targets.ts';
import { likeOf, recordNew, recordTwin } from '../../src/resources/backups/databases.ts';
import { deleteDatabase, restartDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import type { DatabaseLike } from '../../src/resources/databases/like.ts';
import { rotatePassword } from '../../src/resources/databases/login.ts';
import { RULES } from '../../src/resources/databases/rules.ts';
import { restoreDatabase } from '../../src/resources/databases/trash.ts';
import { createEnvironment } from '../../src/resources/environments/environment.ts';
import { termOf } from '../../src/trash/term.ts';
import { refusal } from '../support/core-world.ts';
import { rememberPostgres } from '../support/remembering-postgres.ts';
import { taskMatrix } from '../support/task-matrix.ts';
import { TaskWorld } from '../support/task-world.ts';

const REFERENCE = 'shop/production/main';
const APP = { project: 'shop', environment: 'production', app: 'web' };

const row = ({ core }: TaskWorld): DatabaseRow => {
  const found = databaseByReference(core.store, REFERENCE);
  if (found === undefined) throw new Error(`there is no ${REFERENCE}`);
  return found;
};
const web = ({ core, ctx }: TaskWorld) => lookUp(core.store, ctx.actor, 'read', 'app', APP);
const rotate = (world: TaskWorld) => rotatePassword(world.core, world.ctx, row(world));
const databases = new WeakMap<TaskWorld, ReturnType<typeof rememberPostgres>>();
const knownTo = (world: TaskWorld) => databases.get(world)?.logins() ?? [];

/**
 * Returns an environment with a database that is attached to the live app `web`. Its time advances beyond every drain
 * time.
 */
async function prepared({ attached = true } = {}): Promise<TaskWorld> {
  const world = await TaskWorld.make();
  const { core, ctx } = world;
  databases.set(world, rememberPostgres(world.engine));
  const body = { project: 'shop', name: 'main', engine: 'postgres' as const };
  await world.ended(await createDatabase(core, ctx, DatabaseCreate.parse(body)));
  createApp(core, ctx, AppCreate.parse({ project: 'shop', name: 'web', source: 'image', image: 'acme/web' }));
  if (attached) changeAttachment(core, ctx, databaseAttachment(row(world), 'web', ''));
  await deploy(world);
  await world.look();
  retiring(world);
  return world;
}

/** Removes old releases at once, like the reconciler after their drain time. */
function retiring(world: TaskWorld): void {
  const retirement = retirementTask(world.core);
  world.core.store.onEvent(({ kind, data }) => {
    if (kind !== 'app' || data.change !== 'live') return;
    world.clock += 3_600_000;
    setImmediate(() => void retirement.run(new AbortController().signal));
  });
}

async function deploy(world: TaskWorld, tag = 'v1'): Promise<void> {
  const id = await world.deploys.request(web(world), { tag, trigger: { kind: 'api', by: 'ada', via: 'api' } });
  await world.deploys.ended(id, patience());
}

/** Returns the login that the live release got. */
function loginOfRelease(world: TaskWorld): [string | undefined, string | undefined] {
  const { liveDeployment } = web(world);
  const { env } = world.engine.controls.containers().find((one) => one.deployment === liveDeployment) ?? { env: {} };
  const { DATABASE_USER, DATABASE_PASSWORD } = env as Record<string, string>;
  return [DATABASE_USER, DATABASE_PASSWORD];
}

/** Returns the login that the next release gets. */
function loginOfNow(world: TaskWorld): [string | undefined, string | undefined] {
  const { core } = world;
  const of = new Map(
    effectiveVariables(core, core.store, [web(world)])
      .get(web(world).id)
      ?.map(({ key, value }) => [key, value]),
  );
  return [of.get('DATABASE_USER'), of.get('DATABASE_PASSWORD')];
}

test('a password rotation moves the running app to a new login and removes the old login', async () => {
  await using world = await prepared();
  const [user, password] = loginOfRelease(world);

  const { id, status, error } = await world.ended(rotate(world));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(
    stepsOfTask(world.core.store, id).map(({ name }) => name),
    ['login', 'verify', 'switch', 'note', 'deploy', 'wait', 'drop'],
  );
  assert.deepEqual([user, knownTo(world)], ['postgres', ['postgres_2']]);
  assert.deepEqual(loginOfRelease(world), loginOfNow(world));
  assert.notEqual(loginOfNow(world)[1], password);
  assert.equal(row(world).other_logins, null);

  await world.ended(rotate(world));
  assert.deepEqual(knownTo(world), ['postgres_3']);
});

test('a password rotation redeploys the live release without pending changes', async () => {
  await using world = await prepared();
  const { core, ctx } = world;
  const { revision, liveRevision } = web(world);
  changeAttachment(core, ctx, databaseAttachment(row(world), 'web', ''));
  createApp(core, ctx, AppCreate.parse({ project: 'shop', name: 'idle', source: 'image', image: 'acme/web' }));
  changeAttachment(core, ctx, databaseAttachment(row(world), 'idle', ''));

  await world.ended(rotate(world));

  assert.deepEqual([web(world).revision, web(world).liveRevision], [revision, liveRevision]);
  const idle = lookUp(core.store, ctx.actor, 'read', 'app', { ...APP, app: 'idle' });
  assert.equal(currentApp(core.store, idle.id).liveDeployment, null, 'what never ran is not deployed');
});

test('a failed app deployment keeps both logins valid, and the next rotation resumes', async () => {
  await using world = await prepared();
  const before = loginOfRelease(world);
  world.engine.controls.fail('createGroup');

  const { status, error } = await world.ended(rotate(world));

  assert.equal(status, 'failed');
  assert.match(error ?? '', /^Deployment \d+ of shop\/production\/web failed.*start the password rotation again/s);
  assert.deepEqual(knownTo(world), ['postgres', 'postgres_2']);
  assert.deepEqual(loginOfRelease(world), before);

  const again = await world.ended(rotate(world));

  assert.deepEqual([again.status, again.error], ['succeeded', null]);
  assert.deepEqual(
    stepsOfTask(world.core.store, again.id).map(({ name }) => name),
    ['note', 'deploy', 'wait', 'drop'],
  );
  assert.deepEqual([knownTo(world), loginOfRelease(world)], [['postgres_2'], loginOfNow(world)]);
});

test('a rotation after a move to another environment deploys no app of the old environment', async () => {
  await using world = await prepared();
  const { core, ctx } = world;
  world.engine.controls.fail('createGroup');
  assert.equal((await world.ended(rotate(world))).status, 'failed');
  changeAttachment(core, ctx, databaseAttachment(row(world), 'web', null));
  const { id } = row(world);
  await deleteDatabase(core, ctx, row(world), 'main');
  const shop = lookUp(core.store, ctx.actor, 'read', 'project', { project: 'shop' });
  createEnvironment(core, ctx, shop, { slug: 'staging' });
  await world.ended(restoreDatabase(core, ctx, String(id), { into: 'shop/staging/main' }));
  const deployments = () => deploymentsOfApp(core.store, web(world).id, 50).length;
  const before = deployments();

  const moved = databaseByReference(core.store, 'shop/staging/main') ?? assert.fail('it is not there');
  assert.equal((await world.ended(rotatePassword(core, ctx, moved))).status, 'succeeded');

  assert.equal(deployments(), before);
});

test('a rotation replaces the password of trashed former data with the same password', async () => {
  await using world = await prepared();
  const { core, ctx } = world;
  const trashed = (name: string, make: (like: DatabaseLike, of: DatabaseRow) => number) => {
    const id = make(likeOf(row(world), { name }), row(world));
    core.store.tx((tx) => setDatabase(tx, id, { state: 'made', rules: RULES, ...termOf(core, tx, 7) }));
    return () => databaseById(core.store, id) ?? assert.fail(`${name} is gone`);
  };
  const former = trashed('former', (like, of) => core.store.tx((tx) => recordTwin(core, tx, like, of)));
  const other = trashed('other', (like) => core.store.tx((tx) => recordNew(core, tx, like)));
  const passwordOf = (of: DatabaseRow) => openDatabasePassword(core, of);
  const damaged = trashed('damaged', (like, of) => core.store.tx((tx) => recordTwin(core, tx, like, of)));
  core.store.tx((tx) => setDatabase(tx, damaged().id, { admin_password: other().admin_password }));
  const chosen = core.sealer.seal(passwordOf(row(world)), databaseSecretPlace(other().id, 'password'));
  core.store.tx((tx) => setDatabase(tx, other().id, { password: chosen }));
  const [leaked, kept] = [passwordOf(former()), other().password];
  assert.equal(leaked, loginOfNow(world)[1]);

  assert.equal((await world.ended(rotate(world))).status, 'succeeded');

  assert.deepEqual([other().password, other().rules], [kept, RULES]);
  assert.deepEqual([former().username, former().rules], ['postgres', 0]);
  assert.ok(![leaked, loginOfNow(world)[1]].includes(passwordOf(former())));

  await world.ended(restoreDatabase(core, ctx, String(former().id)));
  await world.reconcile();
  assert.ok(![leaked, loginOfNow(world)[1]].includes(passwordOf(former())));
  assert.deepEqual([former().rules, former().observed], [RULES, 'ready']);
});

test('a rotation removes a new login that cannot connect and changes nothing else', async () => {
  await using world = await prepared();
  const before = [loginOfRelease(world), loginOfNow(world)];
  const postgres = databases.get(world);
  assert.ok(postgres);
  postgres.locked = true;

  const { status, error } = await world.ended(rotate(world));

  assert.equal(status, 'failed');
  assert.match(error ?? '', /^The database server refused a command: psql exited with code 2: .*authentication failed/);
  assert.deepEqual([loginOfRelease(world), loginOfNow(world)], before);
  assert.deepEqual(knownTo(world), ['postgres']);
});

test('a rotation disables an old login that the server cannot drop, and logs instructions', async () => {
  await using world = await prepared();
  const postgres = databases.get(world) ?? assert.fail();
  postgres.refusals.remove = 'role "postgres" cannot be dropped because some objects depend on it';

  const { log, status, error } = await world.ended(rotate(world));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual([knownTo(world), row(world).other_logins], [['postgres_2'], null]);
  assert.match(log ?? '', /The old login postgres is disabled.*cannot be dropped.*rotate the password again/);
  assert.deepEqual(postgres.roles(), ['postgres', 'postgres_2']);

  postgres.refusals = {};
  await world.ended(rotate(world));
  assert.deepEqual([knownTo(world), postgres.roles()], [['postgres_3'], ['postgres_3']]);
});

test('rule updates and restarts do not re-enable a login whose removal has failed', async () => {
  await using world = await prepared();
  const { core, ctx } = world;
  const postgres = databases.get(world) ?? assert.fail();
  postgres.refusals.end = 'the server is in recovery mode';
  const { id, status } = await world.ended(rotate(world));
  assert.deepEqual([status, stepsOfTask(core.store, id).at(-1)?.name], ['failed', 'drop']);

  core.store.tx((tx) => setDatabase(tx, row(world).id, { rules: 0 }));
  await world.reconcile();
  await world.ended(restartDatabase(core, ctx, row(world)));

  assert.deepEqual([knownTo(world), row(world).rules], [['postgres_2'], RULES]);
  postgres.refusals = {};
  assert.equal((await world.ended(rotate(world))).error, null);
  assert.deepEqual([knownTo(world), row(world).other_logins], [['postgres_2'], null]);
});

for (const [what, words, admitted] of [
  ['the end of a login', /WITH NOLOGIN PASSWORD NULL/, 'pg_nobody'],
  ['a new login', /CREATE ROLE "postgres_2"/, 'postgres_2'],
  ['the proof that it gets in', /\\connect 'host=127/, 'postgres_2'],
] as const)
  test(`a rotation restarts the server if a session blocks ${what}, and removes the old login`, async () => {
    await using world = await prepared();
    const postgres = databases.get(world) ?? assert.fail();
    const [before] = ofDatabases(world);
    postgres.held = { words, containers: [before?.id ?? ''] };
    postgres.admitted.length = 0;

    const { status, error, log } = await world.ended(rotate(world));

    assert.deepEqual([status, error], ['succeeded', null]);
    assert.match(log ?? '', /Open connections of apps block the password change\. Davit restarts/);
    const [now, ...others] = ofDatabases(world);
    assert.deepEqual([others.length, now?.volumes], [0, before?.volumes]);
    assert.notEqual(now?.id, before?.id);
    assert.deepEqual([knownTo(world), row(world).other_logins], [['postgres_2'], null]);
    assert.ok(postgres.admitted.includes(admitted), postgres.admitted.join(' '));
    assert.equal(postgres.admitted.at(-1), 'postgres_2', 'the login of now is let in again');
    await world.reconcile();
    assert.deepEqual([row(world).observed, row(world).rules], ['ready', RULES]);
  });

test('a rotation resumes after a crash during the restart of the database server', async () => {
  await using world = await prepared();
  const postgres = databases.get(world) ?? assert.fail();
  const [before] = ofDatabases(world);
  postgres.held = { words: /CREATE ROLE "postgres_2"/, containers: [before?.id ?? ''] };
  const gate = world.engine.controls.pause('createGroup');
  const id = rotate(world);
  await gate.reached;

  await world.crash();
  gate.open();

  assert.deepEqual([(await world.ended(id)).error, knownTo(world)], [null, ['postgres_2']]);
  assert.equal(ofDatabases(world).length, 1);
});

test('a rotation does not restart the server if an app only blocks dropping the old login', async () => {
  await using world = await prepared();
  const postgres = databases.get(world) ?? assert.fail();
  const [before] = ofDatabases(world);
  postgres.held = { words: /DROP OWNED BY|DROP ROLE/, containers: [before?.id ?? ''] };

  const { error, log } = await world.ended(rotate(world));

  assert.equal(error, null);
  assert.match(log ?? '', /The old login postgres is disabled.*lock timeout/);
  assert.deepEqual(
    ofDatabases(world).map(({ id }) => id),
    [before?.id],
  );
});

test('a rotation succeeds if a session blocks the access rules, and the rules are applied later', async () => {
  await using world = await prepared();
  const postgres = databases.get(world) ?? assert.fail();
  const [before] = ofDatabases(world);
  postgres.held = { words: /CREATE TEMP TABLE pg_temp.found|pg_event_trigger/, containers: [before?.id ?? ''] };

  const { status, error, log } = await world.ended(rotate(world));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.match(log ?? '', /could not be updated, .*lock timeout/);
  assert.doesNotMatch(log ?? '', /restarts the database server/);
  assert.deepEqual([knownTo(world), row(world).other_logins, row(world).rules], [['postgres_2'], null, 0]);
  postgres.held = { words: /$^/, containers: [] };
  await world.reconcile();
  assert.equal(row(world).rules, RULES);
});

const ofDatabases = ({ engine }: TaskWorld) => engine.controls.containers().filter(({ volumes }) => volumes.length > 0);

test('refuses a rotation while an app still runs with the variables of a detached database', async () => {
  await using world = await prepared();
  changeAttachment(world.core, world.ctx, databaseAttachment(row(world), 'web', null));

  assert.throws(
    () => rotate(world),
    refusal('conflict', /web still uses the variable DATABASE_\w+, .* Deploy the app first/),
  );

  await deploy(world);
  assert.equal((await world.ended(rotate(world))).status, 'succeeded');
});

test('refuses to detach a database from an app during a password rotation', async () => {
  await using world = await prepared();
  const id = rotate(world);

  assert.throws(
    () => changeAttachment(world.core, world.ctx, databaseAttachment(row(world), 'web', null)),
    refusal('conflict', /Task \d+ is rotating the password of the database main/),
  );
  await world.ended(id);
});

test('a rollback after a rotation gives the earlier release the current login', async () => {
  await using world = await prepared();
  const { liveDeployment } = web(world);
  await world.ended(rotate(world));

  const trigger = { kind: 'rollback', by: 'ada', via: 'api' } as const;
  const id = await world.deploys.request(web(world), { rollbackOf: liveDeployment ?? 0, trigger });
  await world.deploys.ended(id, patience());

  assert.equal(web(world).liveDeployment, id);
  assert.deepEqual(loginOfRelease(world), loginOfNow(world));
});

taskMatrix('a rotation with a live app', {
  kind: 'database.rotate',
  steps: ['login', 'verify', 'switch', 'note', 'deploy', 'wait', 'drop'],
  final: ['switch'],
  prepare: prepared,
  ask: rotate,
  snapshot: async (world) => ({
    logins: knownTo(world),
    username: row(world).username,
    others: row(world).other_logins,
    isBroughtOver: JSON.stringify(loginOfRelease(world)) === JSON.stringify(loginOfNow(world)),
  }),
});
