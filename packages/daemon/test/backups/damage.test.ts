/** A damaged or replaced backup is refused with the reason, and the existing database keeps serving unchanged. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseCreate } from '@davit/api';
import { type BackupRow, backupById, goodBackups } from '../../src/db/tables/backup.ts';
import { markEnvironmentDeleted } from '../../src/db/tables/environment.ts';
import { backUpDatabase, restoreBackup, verifyBackup } from '../../src/resources/backups/actions.ts';
import { BACKUPS_FOLDER } from '../../src/resources/backups/destinations.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { database, made, TABLES, take } from '../support/data-setup.ts';
import type { TaskHarness } from '../support/task-harness.ts';

const fileOf = ({ core }: TaskHarness, { key }: BackupRow) => join(core.facts.dataDir, BACKUPS_FOLDER, key);

/** Returns a backup of another database on the same instance. */
async function strange(harness: TaskHarness): Promise<BackupRow> {
  const input = DatabaseCreate.parse({ project: 'shop', name: 'other', engine: 'postgres' });
  await harness.ended(await createDatabase(harness.core, harness.ctx, input));
  await harness.reconcile();
  const row = database(harness, 'other');
  await harness.ended(await backUpDatabase(harness.core, harness.ctx, row, {}));
  return goodBackups(harness.core.store, row.id)[0] ?? assert.fail('nothing was taken');
}

const inHeader = (bytes: Buffer, was: RegExp | string, is: string) =>
  Buffer.from(bytes.toString('latin1').replace(was, is), 'latin1');

const flipped = (bytes: Buffer, at: number) => {
  bytes[bytes.length + at] = (bytes.at(at) ?? 0) ^ 1;
  return bytes;
};

type Damage = (bytes: Buffer, world: TaskHarness) => Buffer | null | Promise<Buffer | null>;
const DAMAGES: [what: string, damage: Damage, why: RegExp][] = [
  ['is truncated', (bytes) => bytes.subarray(0, -5), /incomplete/],
  ['is empty', () => Buffer.alloc(0), /the stored data does not have the format of a Davit backup/],
  ['has a changed bit', (bytes) => flipped(bytes, -20), /was changed/],
  [
    'has additional data at its end',
    (bytes) => Buffer.concat([bytes, Buffer.from('more')]),
    /incomplete or was changed/,
  ],
  [
    'was encrypted with another master key',
    (bytes) => inHeader(bytes, /"keyId":"../, '"keyId":"zz'),
    /with another master key/,
  ],
  ['has an unknown format version', (bytes) => inHeader(bytes, '"format":1', '"format":2'), /has a version that/],
  ['names another engine in its header', (bytes) => inHeader(bytes, '"postgres"', '"mongodbs"'), /was changed/],
  [
    'is the backup of another database',
    async (_, harness) => readFileSync(fileOf(harness, await strange(harness))),
    /contains a different backup/,
  ],
  [
    'is not in the format of a backup',
    () => Buffer.from('-- a plain dump'),
    /the stored data does not have the format of a Davit backup/,
  ],
  ['does not exist', () => null, /missing in the backup folder/],
];

for (const [what, damage, why] of DAMAGES)
  test(`restore and verification fail for a backup that ${what}`, async () => {
    await using harness = await made();
    const { core, ctx, engine } = harness;
    const backup = await take(harness);
    const file = fileOf(harness, backup);
    const bytes = await damage(readFileSync(file), harness);
    if (bytes === null) rmSync(file);
    else writeFileSync(file, bytes);
    const now = { 'public.goods': 9, 'public.since': 1 };
    engine.controls.rows.set(database(harness).volume, now);
    const before = database(harness);

    const inPlace = await harness.ended(await restoreBackup(core, ctx, backup, { in_place: true, confirm: 'main' }));
    const asNew = await harness.ended(await restoreBackup(core, ctx, backup, { into: 'shop/production/again' }));
    await harness.ended(await verifyBackup(core, { by: 'ada', via: 'api' }, backup));
    await harness.reconcile();

    for (const { status, error } of [inPlace, asNew]) {
      assert.equal(status, 'failed');
      assert.match(error ?? '', why);
    }
    assert.match(backupById(core.store, backup.id)?.verify_error ?? '', why);
    const { volume, container_id, observed } = database(harness);
    assert.deepEqual([volume, container_id, observed], [before.volume, before.container_id, 'ready']);
    assert.deepEqual(engine.controls.rows.get(volume), now);
    const running = engine.controls.containers().filter(({ volumes }) => volumes.some(({ name }) => name === volume));
    assert.deepEqual(
      running.map(({ state }) => state),
      ['running'],
    );
    assert.equal(goodBackups(core.store, before.id).filter(({ origin }) => origin === 'safety').length, 1);
    assert.ok(!(await engine.volumes()).some(({ name }) => /-db[3-9]$/.test(name)), 'a volume was left');
  });

test('an undamaged backup is restored in place', async () => {
  await using harness = await made();
  const backup = await take(harness);
  harness.engine.controls.rows.set(database(harness).volume, { 'public.goods': 9 });

  const restore = await restoreBackup(harness.core, harness.ctx, backup, { in_place: true, confirm: 'main' });

  assert.equal((await harness.ended(restore)).status, 'succeeded');
  assert.deepEqual(harness.engine.controls.rows.get(database(harness).volume), TABLES);
});

test('a backup verification is refused if its environment is deleted meanwhile', async () => {
  await using harness = await made();
  const { core } = harness;
  const backup = await take(harness);
  const { environment_id: id, project, environment: slug } = database(harness);

  const asked = verifyBackup(core, { by: 'ada', via: 'api' }, backup);
  core.store.tx((tx) => markEnvironmentDeleted(tx, { id, project, slug }, core.now()));

  await assert.rejects(asked, { code: 'not_found' });
});
