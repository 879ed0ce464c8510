/**
 * Former data of a restore or an upgrade. The record of the former data never contains the password of another
 * database, and its server does not accept such a password.
 */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { databaseSecretLocation, openDatabasePassword } from '../../src/app-spec/database-access.ts';
import { nameRecords } from '../../src/app-spec/names.ts';
import { allDatabases, type DatabaseRow, databaseById, setDatabase } from '../../src/db/tables/managed-database.ts';
import { restoreBackup } from '../../src/resources/backups/actions.ts';
import { upgradeDatabase } from '../../src/resources/backups/copies.ts';
import { likeOf, recordTwin } from '../../src/resources/backups/databases.ts';
import { deleteDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { RULES, RULES_DUE } from '../../src/resources/databases/rules.ts';
import { sealOtherLogins } from '../../src/resources/databases/secrets.ts';
import { destroyDatabase, listTrashedDatabases, restoreDatabase } from '../../src/resources/databases/trash.ts';
import { termOf } from '../../src/trash/term.ts';
import { main, newestBackup, withBackup } from '../support/database-setup.ts';
import { rememberPostgres } from '../support/remembering-postgres.ts';
import { TaskHarness } from '../support/task-harness.ts';

const inPlace = (harness: TaskHarness) =>
  restoreBackup(harness.core, harness.ctx, newestBackup(harness), { in_place: true, confirm: 'main' });
const upgrade = (harness: TaskHarness) =>
  upgradeDatabase(harness.core, harness.ctx, main(harness), { version: main(harness).version, confirm: 'main' });
const bringBack = (harness: TaskHarness, id: number) =>
  harness.ended(restoreDatabase(harness.core, harness.ctx, String(id), { name: `back-${id}` }));
const passwordOf = ({ core }: TaskHarness, row: DatabaseRow) => openDatabasePassword(core, row);

function byId({ core }: TaskHarness, id: number): DatabaseRow {
  return databaseById(core.store, id) ?? assert.fail(`database ${id} is gone`);
}

function formerOf({ core, ctx }: TaskHarness): DatabaseRow {
  const [found] = listTrashedDatabases(core, ctx, {}).items;
  return databaseById(core.store, found?.id ?? 0) ?? assert.fail('it is not in the trash');
}

function demandOwnPasswords(harness: TaskHarness): void {
  const rows = allDatabases(harness.core.store);
  const distinct = new Set(rows.map((row) => passwordOf(harness, row)));
  assert.equal(distinct.size, rows.length, `passwords of ${rows.map(({ name }) => name).join(', ')}`);
}

function setPassword({ core }: TaskHarness, { id }: DatabaseRow, password: string): void {
  const sealed = core.sealer.seal(password, databaseSecretLocation(id, 'password'));
  core.store.tx((tx) => setDatabase(tx, id, { password: sealed }));
}

/** Deletes a database permanently, including its data. */
async function remove(harness: TaskHarness, row: DatabaseRow): Promise<void> {
  const { core, ctx } = harness;
  deleteDatabase(core, ctx, row, row.name);
  await harness.reconcile();
  await destroyDatabase(core, ctx, String(row.id), row.name);
}

/**
 * Creates former data in the trash like an earlier version of Davit did. It has the same login as its database, and the
 * server of the former data accepts this login.
 */
function ofEarlier(harness: TaskHarness): DatabaseRow {
  const { core } = harness;
  const like = likeOf(main(harness), { name: 'main' });
  const id = core.store.tx((tx) => {
    const twin = recordTwin(core, tx, { ...like, name: '~former' }, main(harness));
    setDatabase(tx, twin, { name: 'main', state: 'made', rules: RULES_DUE, ...termOf(core, tx, 7) });
    return twin;
  });
  return byId(harness, id);
}

for (const [what, start] of [
  ['a restore in place', inPlace],
  ['an upgrade', upgrade],
] as const)
  test(`all databases have different passwords after ${what} and after restoring the former data`, async () => {
    await using harness = await withBackup();
    const [before, tls] = [passwordOf(harness, main(harness)), main(harness).tls];

    assert.equal((await harness.ended(await start(harness))).error, null);

    demandOwnPasswords(harness);
    assert.equal(passwordOf(harness, main(harness)), before, 'apps of the database keep theirs');
    assert.equal(main(harness).tls, tls);
    const former = formerOf(harness);
    assert.equal(former.rules, RULES_DUE);
    const { error } = await bringBack(harness, former.id);
    assert.equal(error, null);
    demandOwnPasswords(harness);
    assert.equal(byId(harness, former.id).rules, RULES);
  });

for (const failing of ['createGroup', 'publishNames'] as const)
  test(`all databases have different passwords if an in-place restore fails at ${failing} after the switch`, async () => {
    await using harness = await withBackup();
    const before = main(harness);
    let isSwitched = false;
    harness.core.store.onEvent(() => {
      if (isSwitched || main(harness).volume === before.volume) return;
      isSwitched = true;
      harness.engine.controls.fail(failing);
    });

    const { status } = await harness.ended(await inPlace(harness));
    await harness.reconcile();

    assert.equal(status, 'failed');
    demandOwnPasswords(harness);
    assert.equal(passwordOf(harness, main(harness)), passwordOf(harness, before));
    assert.deepEqual([main(harness).observed, main(harness).rules], ['ready', RULES]);
  });

for (const [start, reason] of [
  [inPlace, 'A restore in place replaced this data.'],
  [upgrade, 'An upgrade replaced this data.'],
] as const)
  test(`the trash distinguishes a deleted database from former data: ${reason}`, async () => {
    await using harness = await withBackup();
    const { core, ctx } = harness;
    const reasons = () => listTrashedDatabases(core, ctx, {}).items.map((one) => one.status_reason);
    assert.equal((await harness.ended(await start(harness))).error, null);
    assert.deepEqual(reasons(), [reason]);

    const { id } = formerOf(harness);
    harness.engine.controls.fail('createGroup');
    assert.equal((await bringBack(harness, id)).status, 'failed');
    await harness.reconcile();
    assert.deepEqual(reasons(), [reason], 'a failed restore keeps the reason');

    assert.equal((await bringBack(harness, id)).error, null);
    core.store.tx((tx) => setDatabase(tx, id, { reason: 'It was killed.' }));
    assert.equal(deleteDatabase(core, ctx, byId(harness, id), `back-${id}`).status_reason, null);
  });

describe('former data with the login of its database', () => {
  it('gets its own login after a restore', async () => {
    await using harness = await withBackup();
    const { id } = ofEarlier(harness);

    assert.equal((await bringBack(harness, id)).error, null);

    demandOwnPasswords(harness);
    assert.equal(byId(harness, id).rules, RULES);
  });

  it('gets its own login even during an unfinished password rotation', async () => {
    await using harness = await withBackup();
    const { core } = harness;
    const { id } = ofEarlier(harness);
    const leaked = passwordOf(harness, main(harness));
    setPassword(harness, main(harness), 'next');
    core.store.tx((tx) =>
      setDatabase(tx, main(harness).id, {
        other_logins: sealOtherLogins(core.sealer, main(harness).id, [{ username: 'postgres', password: leaked }]),
      }),
    );

    assert.equal((await bringBack(harness, id)).error, null);

    assert.notEqual(passwordOf(harness, byId(harness, id)), leaked);
  });

  it('gets its own login even after an earlier version rotated the password', async () => {
    await using harness = await withBackup();
    const { id } = ofEarlier(harness);
    const leaked = passwordOf(harness, main(harness));
    setPassword(harness, main(harness), 'next');

    assert.equal((await bringBack(harness, id)).error, null);

    assert.notEqual(passwordOf(harness, byId(harness, id)), leaked);
    assert.equal(passwordOf(harness, main(harness)), 'next');
  });

  it('keeps its login only if no other former data has the same login', async () => {
    await using harness = await withBackup();
    const [one, other] = [ofEarlier(harness), ofEarlier(harness)];
    const leaked = passwordOf(harness, one);
    await remove(harness, main(harness));

    assert.equal((await bringBack(harness, one.id)).error, null);
    assert.notEqual(passwordOf(harness, byId(harness, one.id)), leaked);

    await remove(harness, byId(harness, one.id));
    assert.equal((await bringBack(harness, other.id)).error, null);
    assert.equal(passwordOf(harness, byId(harness, other.id)), leaked);
  });
});

test('a password that users chose for two databases is kept after a restore', async () => {
  await using harness = await withBackup();
  const { core, ctx } = harness;
  const input = DatabaseCreate.parse({ project: 'shop', name: 'guess', engine: 'postgres' });
  assert.equal((await harness.ended(await createDatabase(core, ctx, input))).error, null);
  const { id } = allDatabases(core.store).at(-1) ?? assert.fail('there is no database');
  setPassword(harness, main(harness), 'chosen');
  setPassword(harness, byId(harness, id), 'chosen');
  deleteDatabase(core, ctx, byId(harness, id), 'guess');
  await harness.reconcile();

  assert.equal((await bringBack(harness, id)).error, null);

  assert.equal(passwordOf(harness, byId(harness, id)), 'chosen');
});

test('a deleted database returns with its password and admits apps immediately', async () => {
  await using harness = await withBackup();
  const postgres = rememberPostgres(harness.engine);
  const { id, password } = main(harness);
  deleteDatabase(harness.core, harness.ctx, main(harness), 'main');
  await harness.reconcile();

  assert.equal((await bringBack(harness, id)).error, null);

  assert.equal(byId(harness, id).password, password);
  assert.ok(!postgres.admitted.includes('pg_nobody'));
});

test('restored former data admits logins after its password is set, then publishes its name', async () => {
  await using harness = await withBackup();
  assert.equal((await harness.ended(await inPlace(harness))).error, null);
  const { id } = formerOf(harness);
  const postgres = rememberPostgres(harness.engine);
  const gate = harness.engine.controls.pause('publishNames');

  const restore = bringBack(harness, id);
  await gate.reached;

  const { length } = postgres.admitted;
  assert.ok(length > 3);
  assert.deepEqual(new Set(postgres.admitted.slice(0, length - 1)), new Set(['pg_nobody']));
  assert.equal(postgres.admitted.at(-1), 'postgres');
  assert.equal(byId(harness, id).rules, RULES);
  gate.open();
  assert.equal((await restore).error, null);
  assert.ok(nameRecords(harness.core).some(({ name }) => name.startsWith(`back-${id}.`)));
});

test('former data returns to the trash if its password cannot be set', async () => {
  await using harness = await withBackup();
  assert.equal((await harness.ended(await inPlace(harness))).error, null);
  const { id } = formerOf(harness);
  const postgres = rememberPostgres(harness.engine);
  postgres.held = {
    words: /ALTER ROLE "postgres" WITH LOGIN/,
    get containers() {
      return [byId(harness, id).container_id ?? ''];
    },
  };

  const { status, error } = await bringBack(harness, id);

  assert.equal(status, 'failed');
  assert.match(
    error ?? '',
    /^The login of the database could not be set: psql exited with code 3: ERROR: canceling statement/,
  );
  assert.deepEqual([byId(harness, id).rules, byId(harness, id).container_id], [RULES_DUE, null]);
  assert.notEqual(byId(harness, id).deleted_at, null);
  assert.ok(!postgres.admitted.includes('postgres'));
});

for (const [engine, program, ended] of [
  ['mariadb', 'mariadb', /UPDATE mysql\.global_priv SET .*account_locked(?!.*'db@%')/],
  ['mysql', 'mysql', /UPDATE mysql\.user SET account_locked(?!.*'db@%')/],
  ['mongodb', 'mongosh', /!\["admin\.davit_admin","db\.davit_reader"\]\.includes\(_id\)\) .*dropUser/],
] as const)
  test(`${engine} ends all logins of former data before setting the password`, async () => {
    await using harness = await TaskHarness.make();
    const { core, ctx } = harness;
    const input = DatabaseCreate.parse({ project: 'shop', name: 'db', engine });
    assert.equal((await harness.ended(await createDatabase(core, ctx, input))).error, null);
    const [row] = allDatabases(core.store);
    const { id } = row ?? assert.fail('there is no database');
    deleteDatabase(core, ctx, byId(harness, id), 'db');
    await harness.reconcile();
    core.store.tx((tx) => setDatabase(tx, id, { rules: RULES_DUE }));
    const said: string[] = [];
    harness.engine.controls.program(program, async ({ stdin, write }) => {
      const text = Buffer.concat(await Array.fromAsync(stdin)).toString();
      if (!text.includes('SELECT 1;') && !text.includes('ping: 1')) said.push(text);
      const [, done = '1'] = /print\("([^"]*)"\)/.exec(text) ?? [];
      await write(`${done}\n`);
      return 0;
    });

    assert.equal((await bringBack(harness, id)).error, null);

    const isSet = (text: string) => text.includes(passwordOf(harness, byId(harness, id)));
    const [end, set] = [said.findIndex((text) => ended.test(text)), said.findIndex(isSet)];
    assert.ok(end !== -1 && end < set, said.join('\n---\n'));
    assert.equal(byId(harness, id).rules, RULES);
  });
