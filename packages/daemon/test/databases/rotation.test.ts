/**
 * Tests the change of a database's password: the deployments that it causes, the passwords that stay valid, and the
 * state after a failure or a crash.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppCreate, DatabaseCreate } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { databaseSecretLocation, openDatabasePassword } from '../../src/app-spec/database-access.ts';
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
import { refusal } from '../support/core-harness.ts';
import { rememberPostgres } from '../support/remembering-postgres.ts';
import { TaskHarness } from '../support/task-harness.ts';
import { taskMatrix } from '../support/task-matrix.ts';

const REFERENCE = 'shop/production/main';
const APP = { project: 'shop', environment: 'production', app: 'web' };

const row = ({ core }: TaskHarness): DatabaseRow => {
  const found = databaseByReference(core.store, REFERENCE);
  if (found === undefined) throw new Error(`there is no ${REFERENCE}`);
  return found;
};
const web = ({ core, ctx }: TaskHarness) => lookUp(core.store, ctx.actor, 'read', 'app', APP);
const rotate = (harness: TaskHarness) => rotatePassword(harness.core, harness.ctx, row(harness));
const databases = new WeakMap<TaskHarness, ReturnType<typeof rememberPostgres>>();
const knownTo = (harness: TaskHarness) => databases.get(harness)?.logins() ?? [];

/**
 * Returns an environment with a database that is attached to the live app `web`. Its time advances beyond every drain
 * time.
 */
async function prepared({ attached = true } = {}): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  const { core, ctx } = harness;
  databases.set(harness, rememberPostgres(harness.engine));
  const body = { project: 'shop', name: 'main', engine: 'postgres' as const };
  await harness.ended(await createDatabase(core, ctx, DatabaseCreate.parse(body)));
  createApp(core, ctx, AppCreate.parse({ project: 'shop', name: 'web', source: 'image', image: 'acme/web' }));
  if (attached) changeAttachment(core, ctx, databaseAttachment(row(harness), 'web', ''));
  await deploy(harness);
  await harness.look();
  retiring(harness);
  return harness;
}

/** Removes old releases immediately. The reconciler removes them only after their drain time. */
function retiring(harness: TaskHarness): void {
  const retirement = retirementTask(harness.core);
  harness.core.store.onEvent(({ kind, data }) => {
    if (kind !== 'app' || data.change !== 'live') return;
    harness.clock += 3_600_000;
    setImmediate(() => void retirement.run(new AbortController().signal));
  });
}

async function deploy(harness: TaskHarness, tag = 'v1'): Promise<void> {
  const id = await harness.deploys.request(web(harness), { tag, trigger: { kind: 'api', by: 'ada', via: 'api' } });
  await harness.deploys.ended(id, patience());
}

/** Returns the login that the live release got. */
function loginOfRelease(harness: TaskHarness): [string | undefined, string | undefined] {
  const { liveDeployment } = web(harness);
  const { env } = harness.engine.controls.containers().find((one) => one.deployment === liveDeployment) ?? { env: {} };
  const { DATABASE_USER, DATABASE_PASSWORD } = env as Record<string, string>;
  return [DATABASE_USER, DATABASE_PASSWORD];
}

/** Returns the login that the next release gets. */
function loginOfNow(harness: TaskHarness): [string | undefined, string | undefined] {
  const { core } = harness;
  const of = new Map(
    effectiveVariables(core, core.store, [web(harness)])
      .get(web(harness).id)
      ?.map(({ key, value }) => [key, value]),
  );
  return [of.get('DATABASE_USER'), of.get('DATABASE_PASSWORD')];
}

test('a password rotation moves the running app to a new login and removes the old login', async () => {
  await using harness = await prepared();
  const [user, password] = loginOfRelease(harness);

  const { id, status, error } = await harness.ended(rotate(harness));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual(
    stepsOfTask(harness.core.store, id).map(({ name }) => name),
    ['login', 'verify', 'switch', 'note', 'deploy', 'wait', 'drop'],
  );
  assert.deepEqual([user, knownTo(harness)], ['postgres', ['postgres_2']]);
  assert.deepEqual(loginOfRelease(harness), loginOfNow(harness));
  assert.notEqual(loginOfNow(harness)[1], password);
  assert.equal(row(harness).other_logins, null);

  await harness.ended(rotate(harness));
  assert.deepEqual(knownTo(harness), ['postgres_3']);
});

test('a password rotation redeploys the live release without pending changes', async () => {
  await using harness = await prepared();
  const { core, ctx } = harness;
  const { revision, liveRevision } = web(harness);
  changeAttachment(core, ctx, databaseAttachment(row(harness), 'web', ''));
  createApp(core, ctx, AppCreate.parse({ project: 'shop', name: 'idle', source: 'image', image: 'acme/web' }));
  changeAttachment(core, ctx, databaseAttachment(row(harness), 'idle', ''));

  await harness.ended(rotate(harness));

  assert.deepEqual([web(harness).revision, web(harness).liveRevision], [revision, liveRevision]);
  const idle = lookUp(core.store, ctx.actor, 'read', 'app', { ...APP, app: 'idle' });
  assert.equal(currentApp(core.store, idle.id).liveDeployment, null, 'what never ran is not deployed');
});

test('a failed app deployment keeps both logins valid, and the next rotation resumes', async () => {
  await using harness = await prepared();
  const before = loginOfRelease(harness);
  harness.engine.controls.fail('createGroup');

  const { status, error } = await harness.ended(rotate(harness));

  assert.equal(status, 'failed');
  assert.match(error ?? '', /^Deployment \d+ of shop\/production\/web failed.*start the password rotation again/s);
  assert.deepEqual(knownTo(harness), ['postgres', 'postgres_2']);
  assert.deepEqual(loginOfRelease(harness), before);

  const again = await harness.ended(rotate(harness));

  assert.deepEqual([again.status, again.error], ['succeeded', null]);
  assert.deepEqual(
    stepsOfTask(harness.core.store, again.id).map(({ name }) => name),
    ['note', 'deploy', 'wait', 'drop'],
  );
  assert.deepEqual([knownTo(harness), loginOfRelease(harness)], [['postgres_2'], loginOfNow(harness)]);
});

test('a rotation after a move to another environment deploys no app of the old environment', async () => {
  await using harness = await prepared();
  const { core, ctx } = harness;
  harness.engine.controls.fail('createGroup');
  assert.equal((await harness.ended(rotate(harness))).status, 'failed');
  changeAttachment(core, ctx, databaseAttachment(row(harness), 'web', null));
  await deploy(harness);
  const { id } = row(harness);
  await deleteDatabase(core, ctx, row(harness), 'main');
  const shop = lookUp(core.store, ctx.actor, 'read', 'project', { project: 'shop' });
  createEnvironment(core, ctx, shop, { slug: 'staging' });
  await harness.ended(restoreDatabase(core, ctx, String(id), { into: 'shop/staging/main' }));
  const deployments = () => deploymentsOfApp(core.store, web(harness).id, 50).length;
  const before = deployments();

  const moved = databaseByReference(core.store, 'shop/staging/main') ?? assert.fail('it is not there');
  assert.equal((await harness.ended(rotatePassword(core, ctx, moved))).status, 'succeeded');

  assert.equal(deployments(), before);
});

test('a rotation replaces the password of trashed former data with the same password', async () => {
  await using harness = await prepared();
  const { core, ctx } = harness;
  const trashed = (name: string, make: (like: DatabaseLike, of: DatabaseRow) => number) => {
    const id = make(likeOf(row(harness), { name }), row(harness));
    core.store.tx((tx) => setDatabase(tx, id, { state: 'made', rules: RULES, ...termOf(core, tx, 7) }));
    return () => databaseById(core.store, id) ?? assert.fail(`${name} is gone`);
  };
  const former = trashed('former', (like, of) => core.store.tx((tx) => recordTwin(core, tx, like, of)));
  const other = trashed('other', (like) => core.store.tx((tx) => recordNew(core, tx, like)));
  const passwordOf = (of: DatabaseRow) => openDatabasePassword(core, of);
  const damaged = trashed('damaged', (like, of) => core.store.tx((tx) => recordTwin(core, tx, like, of)));
  core.store.tx((tx) => setDatabase(tx, damaged().id, { admin_password: other().admin_password }));
  const chosen = core.sealer.seal(passwordOf(row(harness)), databaseSecretLocation(other().id, 'password'));
  core.store.tx((tx) => setDatabase(tx, other().id, { password: chosen }));
  const [leaked, kept] = [passwordOf(former()), other().password];
  assert.equal(leaked, loginOfNow(harness)[1]);

  assert.equal((await harness.ended(rotate(harness))).status, 'succeeded');

  assert.deepEqual([other().password, other().rules], [kept, RULES]);
  assert.deepEqual([former().username, former().rules], ['postgres', 0]);
  assert.ok(![leaked, loginOfNow(harness)[1]].includes(passwordOf(former())));

  await harness.ended(restoreDatabase(core, ctx, String(former().id)));
  await harness.reconcile();
  assert.ok(![leaked, loginOfNow(harness)[1]].includes(passwordOf(former())));
  assert.deepEqual([former().rules, former().observed], [RULES, 'ready']);
});

test('a rotation removes a new login that cannot connect and changes nothing else', async () => {
  await using harness = await prepared();
  const before = [loginOfRelease(harness), loginOfNow(harness)];
  const postgres = databases.get(harness);
  assert.ok(postgres);
  postgres.locked = true;

  const { status, error } = await harness.ended(rotate(harness));

  assert.equal(status, 'failed');
  assert.match(error ?? '', /^The database server refused a command: psql exited with code 2: .*authentication failed/);
  assert.deepEqual([loginOfRelease(harness), loginOfNow(harness)], before);
  assert.deepEqual(knownTo(harness), ['postgres']);
});

test('a rotation disables an old login that the server cannot drop, and logs instructions', async () => {
  await using harness = await prepared();
  const postgres = databases.get(harness) ?? assert.fail();
  postgres.refusals.remove = 'role "postgres" cannot be dropped because some objects depend on it';

  const { log, status, error } = await harness.ended(rotate(harness));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.deepEqual([knownTo(harness), row(harness).other_logins], [['postgres_2'], null]);
  assert.match(log ?? '', /The old login postgres is disabled.*cannot be dropped.*rotate the password again/);
  assert.deepEqual(postgres.roles(), ['postgres', 'postgres_2']);

  postgres.refusals = {};
  await harness.ended(rotate(harness));
  assert.deepEqual([knownTo(harness), postgres.roles()], [['postgres_3'], ['postgres_3']]);
});

test('rule updates and restarts do not re-enable a login whose removal has failed', async () => {
  await using harness = await prepared();
  const { core, ctx } = harness;
  const postgres = databases.get(harness) ?? assert.fail();
  postgres.refusals.end = 'the server is in recovery mode';
  const { id, status } = await harness.ended(rotate(harness));
  assert.deepEqual([status, stepsOfTask(core.store, id).at(-1)?.name], ['failed', 'drop']);

  core.store.tx((tx) => setDatabase(tx, row(harness).id, { rules: 0 }));
  await harness.reconcile();
  await harness.ended(restartDatabase(core, ctx, row(harness)));

  assert.deepEqual([knownTo(harness), row(harness).rules], [['postgres_2'], RULES]);
  postgres.refusals = {};
  assert.equal((await harness.ended(rotate(harness))).error, null);
  assert.deepEqual([knownTo(harness), row(harness).other_logins], [['postgres_2'], null]);
});

for (const [what, words, admitted] of [
  ['disabling the old login', /WITH NOLOGIN PASSWORD NULL/, 'pg_nobody'],
  ['creating the new login', /CREATE ROLE "postgres_2"/, 'postgres_2'],
  ['the connection test of the new login', /\\connect 'host=127/, 'postgres_2'],
] as const)
  test(`a rotation restarts the server if a session blocks ${what}, and removes the old login`, async () => {
    await using harness = await prepared();
    const postgres = databases.get(harness) ?? assert.fail();
    const [before] = ofDatabases(harness);
    postgres.held = { words, containers: [before?.id ?? ''] };
    postgres.admitted.length = 0;

    const { status, error, log } = await harness.ended(rotate(harness));

    assert.deepEqual([status, error], ['succeeded', null]);
    assert.match(log ?? '', /The password change is blocked by open connections of apps\. Davit restarts/);
    const [now, ...others] = ofDatabases(harness);
    assert.deepEqual([others.length, now?.volumes], [0, before?.volumes]);
    assert.notEqual(now?.id, before?.id);
    assert.deepEqual([knownTo(harness), row(harness).other_logins], [['postgres_2'], null]);
    assert.ok(postgres.admitted.includes(admitted), postgres.admitted.join(' '));
    assert.equal(postgres.admitted.at(-1), 'postgres_2', 'the login of now is let in again');
    await harness.reconcile();
    assert.deepEqual([row(harness).observed, row(harness).rules], ['ready', RULES]);
  });

test('a rotation resumes after a crash during the restart of the database server', async () => {
  await using harness = await prepared();
  const postgres = databases.get(harness) ?? assert.fail();
  const [before] = ofDatabases(harness);
  postgres.held = { words: /CREATE ROLE "postgres_2"/, containers: [before?.id ?? ''] };
  const gate = harness.engine.controls.pause('createGroup');
  const id = rotate(harness);
  await gate.reached;

  await harness.crash();
  gate.open();

  assert.deepEqual([(await harness.ended(id)).error, knownTo(harness)], [null, ['postgres_2']]);
  assert.equal(ofDatabases(harness).length, 1);
});

test('a rotation does not restart the server if an app only blocks dropping the old login', async () => {
  await using harness = await prepared();
  const postgres = databases.get(harness) ?? assert.fail();
  const [before] = ofDatabases(harness);
  postgres.held = { words: /DROP OWNED BY|DROP ROLE/, containers: [before?.id ?? ''] };

  const { error, log } = await harness.ended(rotate(harness));

  assert.equal(error, null);
  assert.match(log ?? '', /The old login postgres is disabled.*lock timeout/);
  assert.deepEqual(
    ofDatabases(harness).map(({ id }) => id),
    [before?.id],
  );
});

test('a rotation succeeds if a session blocks the access rules, and the rules are applied later', async () => {
  await using harness = await prepared();
  const postgres = databases.get(harness) ?? assert.fail();
  const [before] = ofDatabases(harness);
  postgres.held = { words: /CREATE TEMP TABLE pg_temp.found|pg_event_trigger/, containers: [before?.id ?? ''] };

  const { status, error, log } = await harness.ended(rotate(harness));

  assert.deepEqual([status, error], ['succeeded', null]);
  assert.match(log ?? '', /could not be updated, .*lock timeout/);
  assert.doesNotMatch(log ?? '', /restarts the database server/);
  assert.deepEqual([knownTo(harness), row(harness).other_logins, row(harness).rules], [['postgres_2'], null, 0]);
  postgres.held = { words: /$^/, containers: [] };
  await harness.reconcile();
  assert.equal(row(harness).rules, RULES);
});

const ofDatabases = ({ engine }: TaskHarness) =>
  engine.controls.containers().filter(({ volumes }) => volumes.length > 0);

test('refuses a rotation while an app still runs with the variables of a detached database', async () => {
  await using harness = await prepared();
  changeAttachment(harness.core, harness.ctx, databaseAttachment(row(harness), 'web', null));

  assert.throws(
    () => rotate(harness),
    refusal('conflict', /web still uses the variable DATABASE_\w+, .* Deploy the app first/),
  );

  await deploy(harness);
  assert.equal((await harness.ended(rotate(harness))).status, 'succeeded');
});

test('refuses to detach a database from an app during a password rotation', async () => {
  await using harness = await prepared();
  const id = rotate(harness);

  assert.throws(
    () => changeAttachment(harness.core, harness.ctx, databaseAttachment(row(harness), 'web', null)),
    refusal('conflict', /Task \d+ is rotating the password of the database main/),
  );
  await harness.ended(id);
});

test('a rollback after a rotation gives the earlier release the current login', async () => {
  await using harness = await prepared();
  const { liveDeployment } = web(harness);
  await harness.ended(rotate(harness));

  const trigger = { kind: 'rollback', by: 'ada', via: 'api' } as const;
  const id = await harness.deploys.request(web(harness), { rollbackOf: liveDeployment ?? 0, trigger });
  await harness.deploys.ended(id, patience());

  assert.equal(web(harness).liveDeployment, id);
  assert.deepEqual(loginOfRelease(harness), loginOfNow(harness));
});

taskMatrix('a rotation with a live app', {
  kind: 'database.rotate',
  steps: ['login', 'verify', 'switch', 'note', 'deploy', 'wait', 'drop'],
  final: ['switch'],
  prepare: prepared,
  ask: rotate,
  snapshot: async (harness) => ({
    logins: knownTo(harness),
    username: row(harness).username,
    others: row(harness).other_logins,
    isBroughtOver: JSON.stringify(loginOfRelease(harness)) === JSON.stringify(loginOfNow(harness)),
  }),
});
