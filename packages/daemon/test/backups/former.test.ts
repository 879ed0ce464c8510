/**
 * Former data of a restore or an upgrade. The record of the former data never contains the password of another
 * database, and its server does not accept such a password.
 */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { databaseSecretPlace, openDatabasePassword } from '../../src/app-spec/database-access.ts';
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
import { main, newestBackup, withBackup } from '../support/database-world.ts';
import { rememberPostgres } from '../support/remembering-postgres.ts';
import { TaskWorld } from '../support/task-world.ts';

const inPlace = (world: TaskWorld) =>
  restoreBackup(world.core, world.ctx, newestBackup(world), { in_place: true, confirm: 'main' });
const upgrade = (world: TaskWorld) =>
  upgradeDatabase(world.core, world.ctx, main(world), { version: main(world).version, confirm: 'main' });
const bringBack = (world: TaskWorld, id: number) =>
  world.ended(restoreDatabase(world.core, world.ctx, String(id), { name: `back-${id}` }));
const passwordOf = ({ core }: TaskWorld, row: DatabaseRow) => openDatabasePassword(core, row);

function byId({ core }: TaskWorld, id: number): DatabaseRow {
  return databaseById(core.store, id) ?? assert.fail(`database ${id} is gone`);
}

function formerOf({ core, ctx }: TaskWorld): DatabaseRow {
  const [found] = listTrashedDatabases(core, ctx, {}).items;
  return databaseById(core.store, found?.id ?? 0) ?? assert.fail('it is not in the trash');
}

function demandOwnPasswords(world: TaskWorld): void {
  const rows = allDatabases(world.core.store);
  const distinct = new Set(rows.map((row) => passwordOf(world, row)));
  assert.equal(distinct.size, rows.length, `passwords of ${rows.map(({ name }) => name).join(', ')}`);
}

function setPassword({ core }: TaskWorld, { id }: DatabaseRow, password: string): void {
  const sealed = core.sealer.seal(password, databaseSecretPlace(id, 'password'));
  core.store.tx((tx) => setDatabase(tx, id, { password: sealed }));
}

/** With its data. */
async function remove(world: TaskWorld, row: DatabaseRow): Promise<void> {
  const { core, ctx } = world;
  deleteDatabase(core, ctx, row, row.name);
  await world.reconcile();
  await destroyDatabase(core, ctx, String(row.id), row.name);
}

/** Former data as an earlier version left it in the trash: with the login of its database, which its server has. */
function ofEarlier(world: TaskWorld): DatabaseRow {
  const { core } = world;
  const like = likeOf(main(world), { name: 'main' });
  const id = core.store.tx((tx) => {
    const twin = recordTwin(core, tx, { ...like, name: '~former' }, main(world));
    setDatabase(tx, twin, { name: 'main', state: 'made', rules: RULES_DUE, ...termOf(core, tx, 7) });
    return twin;
  });
  return byId(world, id);
}

for (const [what, ask] of [
  ['a restore in place', inPlace],
  ['an upgrade', upgrade],
] as const)
  test(`all databases have different passwords after ${what} and after restoring the former data`, async () => {
    await using world = await withBackup();
    const [before, tls] = [passwordOf(world, main(world)), main(world).tls];

    assert.equal((await world.ended(await ask(world))).error, null);

    demandOwnPasswords(world);
    assert.equal(passwordOf(world, main(world)), before, 'apps of the database keep theirs');
    assert.equal(main(world).tls, tls);
    const former = formerOf(world);
    assert.equal(former.rules, RULES_DUE);
    const { error } = await bringBack(world, former.id);
    assert.equal(error, null);
    demandOwnPasswords(world);
    assert.equal(byId(world, former.id).rules, RULES);
  });

for (const failing of ['createGroup', 'publishNames'] as const)
  test(`all databases have different passwords if an in-place restore fails at ${failing} after the switch`, async () => {
    await using world = await withBackup();
    const before = main(world);
    let isSwitched = false;
    world.core.store.onEvent(() => {
      if (isSwitched || main(world).volume === before.volume) return;
      isSwitched = true;
      world.engine.controls.fail(failing);
    });

    const { status } = await world.ended(await inPlace(world));
    await world.reconcile();

    assert.equal(status, 'failed');
    demandOwnPasswords(world);
    assert.equal(passwordOf(world, main(world)), passwordOf(world, before));
    assert.deepEqual([main(world).observed, main(world).rules], ['ready', RULES]);
  });

describe('former data with the login of its database', () => {
  it('gets its own login after a restore', async () => {
    await using world = await withBackup();
    const { id } = ofEarlier(world);

    assert.equal((await bringBack(world, id)).error, null);

    demandOwnPasswords(world);
    assert.equal(byId(world, id).rules, RULES);
  });

  it('gets its own login even during an unfinished password rotation', async () => {
    await using world = await withBackup();
    const { core } = world;
    const { id } = ofEarlier(world);
    const leaked = passwordOf(world, main(world));
    setPassword(world, main(world), 'next');
    core.store.tx((tx) =>
      setDatabase(tx, main(world).id, {
        other_logins: sealOtherLogins(core.sealer, main(world).id, [{ username: 'postgres', password: leaked }]),
      }),
    );

    assert.equal((await bringBack(world, id)).error, null);

    assert.notEqual(passwordOf(world, byId(world, id)), leaked);
  });

  it('gets its own login even after an earlier version rotated the password', async () => {
    await using world = await withBackup();
    const { id } = ofEarlier(world);
    const leaked = passwordOf(world, main(world));
    setPassword(world, main(world), 'next');

    assert.equal((await bringBack(world, id)).error, null);

    assert.notEqual(passwordOf(world, byId(world, id)), leaked);
    assert.equal(passwordOf(world, main(world)), 'next');
  });

  it('keeps its login only if no other former data has the same login', async () => {
    await using world = await withBackup();
    const [one, other] = [ofEarlier(world), ofEarlier(world)];
    const leaked = passwordOf(world, one);
    await remove(world, main(world));

    assert.equal((await bringBack(world, one.id)).error, null);
    assert.notEqual(passwordOf(world, byId(world, one.id)), leaked);

    await remove(world, byId(world, one.id));
    assert.equal((await bringBack(world, other.id)).error, null);
    assert.equal(passwordOf(world, byId(world, other.id)), leaked);
  });
});

test('a password that users chose for two databases is kept after a restore', async () => {
  await using world = await withBackup();
  const { core, ctx } = world;
  const asked = DatabaseCreate.parse({ project: 'shop', name: 'guess', engine: 'postgres' });
  assert.equal((await world.ended(await createDatabase(core, ctx, asked))).error, null);
  const { id } = allDatabases(core.store).at(-1) ?? assert.fail('there is no database');
  setPassword(world, main(world), 'chosen');
  setPassword(world, byId(world, id), 'chosen');
  deleteDatabase(core, ctx, byId(world, id), 'guess');
  await world.reconcile();

  assert.equal((await bringBack(world, id)).error, null);

  assert.equal(passwordOf(world, byId(world, id)), 'chosen');
});

test('a deleted database returns with its password and admits apps immediately', async () => {
  await using world = await withBackup();
  const postgres = rememberPostgres(world.engine);
  const { id, password } = main(world);
  deleteDatabase(world.core, world.ctx, main(world), 'main');
  await world.reconcile();

  assert.equal((await bringBack(world, id)).error, null);

  assert.equal(byId(world, id).password, password);
  assert.ok(!postgres.admitted.includes('pg_nobody'));
});

test('restored former data admits logins after its password is set, then publishes its name', async () => {
  await using world = await withBackup();
  assert.equal((await world.ended(await inPlace(world))).error, null);
  const { id } = formerOf(world);
  const postgres = rememberPostgres(world.engine);
  const gate = world.engine.controls.pause('publishNames');

  const restore = bringBack(world, id);
  await gate.reached;

  const { length } = postgres.admitted;
  assert.ok(length > 3);
  assert.deepEqual(new Set(postgres.admitted.slice(0, length - 1)), new Set(['pg_nobody']));
  assert.equal(postgres.admitted.at(-1), 'postgres');
  assert.equal(byId(world, id).rules, RULES);
  gate.open();
  assert.equal((await restore).error, null);
  assert.ok(nameRecords(world.core).some(({ name }) => name.startsWith(`back-${id}.`)));
});

test('former data returns to the trash if its password cannot be set', async () => {
  await using world = await withBackup();
  assert.equal((await world.ended(await inPlace(world))).error, null);
  const { id } = formerOf(world);
  const postgres = rememberPostgres(world.engine);
  postgres.held = {
    words: /ALTER ROLE "postgres" WITH LOGIN/,
    get containers() {
      return [byId(world, id).container_id ?? ''];
    },
  };

  const { status, error } = await bringBack(world, id);

  assert.equal(status, 'failed');
  assert.match(
    error ?? '',
    /^The login of the database could not be set: psql exited with code 3: ERROR: canceling statement/,
  );
  assert.deepEqual([byId(world, id).rules, byId(world, id).container_id], [RULES_DUE, null]);
  assert.notEqual(byId(world, id).deleted_at, null);
  assert.ok(!postgres.admitted.includes('postgres'));
});

for (const [engine, program, ended] of [
  ['mariadb', 'mariadb', /UPDATE mysql\.global_priv SET .*account_locked(?!.*'db@%')/],
  ['mysql', 'mysql', /UPDATE mysql\.user SET account_locked(?!.*'db@%')/],
  ['mongodb', 'mongosh', /!\["admin\.davit_admin","db\.davit_reader"\]\.includes\(_id\)\) .*dropUser/],
] as const)
  test(`${engine} ends all logins of former data before setting the password`, async () => {
    await using world = await TaskWorld.make();
    const { core, ctx } = world;
    const input = DatabaseCreate.parse({ project: 'shop', name: 'db', engine });
    assert.equal((await world.ended(await createDatabase(core, ctx, input))).error, null);
    const [row] = allDatabases(core.store);
    const { id } = row ?? assert.fail('there is no database');
    deleteDatabase(core, ctx, byId(world, id), 'db');
    await world.reconcile();
    core.store.tx((tx) => setDatabase(tx, id, { rules: RULES_DUE }));
    const said: string[] = [];
    world.engine.controls.program(program, async ({ stdin, write }) => {
      const text = Buffer.concat(await Array.fromAsync(stdin)).toString();
      if (!text.includes('SELECT 1;') && !text.includes('ping: 1')) said.push(text);
      const [, done = '1'] = /print\("([^"]*)"\)/.exec(text) ?? [];
      await write(`${done}\n`);
      return 0;
    });

    assert.equal((await bringBack(world, id)).error, null);

    const isSet = (text: string) => text.includes(passwordOf(world, byId(world, id)));
    const [end, set] = [said.findIndex((text) => ended.test(text)), said.findIndex(isSet)];
    assert.ok(end !== -1 && end < set, said.join('\n---\n'));
    assert.equal(byId(world, id).rules, RULES);
  });
