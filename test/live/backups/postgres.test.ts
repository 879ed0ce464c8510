/** Backups of PostgreSQL on a real engine: a restore returns the content, whatever happened to the database. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Backup, Database, Task } from '@davit/api';
import { createdDatabase, done, pathOf, projectOf, psql } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

const ROWS = `CREATE TABLE goods (id serial PRIMARY KEY, name text NOT NULL);
  INSERT INTO goods (name) SELECT 'good ' || n FROM generate_series(1, 5000) n;
  CREATE TABLE "Odd ""Names""" (a int); CREATE VIEW cheap AS SELECT * FROM goods WHERE id < 10;
  CREATE ROLE reader NOLOGIN; GRANT SELECT ON goods TO reader;`;
const COUNT = 'SELECT count(*) FROM goods;';

describe('PostgreSQL backups, clones and upgrades', { skip: inLong.skip }, () => {
  let harness: LiveHarness;
  let project: string;
  let main: string;

  before(async () => {
    harness = await LiveHarness.create();
    project = await projectOf(harness);
    main = await createdDatabase(harness, { project, name: 'main', engine: 'postgres' });
    await psql(harness, main, 'main', ROWS);
  });
  after(() => harness[Symbol.asyncDispose]());

  const backUp = async (reference: string): Promise<Backup> => {
    await done(harness.client.backUpDatabase({ params: pathOf(reference), query: { wait: 'true' }, body: {} }));
    const [newest] = await harness.client.listDatabaseBackups({ params: pathOf(reference) });
    return newest as Backup;
  };
  const rows = async (reference: string) => Number(await psql(harness, reference, 'main', COUNT));
  const restore = (backup: Backup, body: object) =>
    harness.client.restoreBackup({ params: { backup: String(backup.id) }, query: { wait: 'true' }, body });

  it('a destroyed database is restored as a new database from an encrypted backup', async () => {
    const lost = await createdDatabase(harness, { project, name: 'lost', engine: 'postgres' });
    await psql(harness, lost, 'lost', ROWS);
    const backup = await backUp(lost);
    assert.equal(backup.status, 'succeeded');
    const { id } = (await harness.client.deleteDatabase({
      params: pathOf(lost),
      query: { confirm: 'lost' },
    })) as Database;
    await harness.client.destroyDatabase({ params: { trashed: String(id) }, query: { confirm: 'lost' } });

    await done(restore(backup, { into: `${project}/production/found` }));

    assert.equal(Number(await psql(harness, `${project}/production/found`, 'lost', COUNT)), 5_000);
    const kept = await readFile(await fileOf(harness, backup));
    assert.ok(!kept.includes('goods') && kept.includes(lost), 'the header alone can be read');
    const { database_exists } = (await harness.client.getBackup({ params: { backup: String(backup.id) } })) as Backup;
    assert.equal(database_exists, false);
  });

  it('verifying a backup leaves no objects on the engine', async () => {
    const backup = await backUp(main);
    const before = await harness.objects();

    await done(harness.client.verifyBackup({ params: { backup: String(backup.id) }, query: { wait: 'true' } }));

    const { verified } = (await harness.client.getBackup({ params: { backup: String(backup.id) } })) as Backup;
    assert.equal(verified?.ok, true);
    assert.deepEqual(await harness.objects(), before);
  });

  it('verifying a changed backup file fails with an error', async () => {
    const backup = await backUp(main);
    const file = await fileOf(harness, backup);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 40) ^ 1, bytes.length - 40);
    await writeFile(file, bytes);

    const task = (await harness.client.verifyBackup({
      params: { backup: String(backup.id) },
      query: { wait: 'true' },
    })) as Task;

    assert.equal(task.status, 'failed');
    const { verified } = (await harness.client.getBackup({ params: { backup: String(backup.id) } })) as Backup;
    assert.equal(verified?.ok, false);
    assert.match(verified?.error ?? '', /incomplete or was changed/);
  });

  it('restoring in place replaces the data and keeps a safety backup', async () => {
    const backup = await backUp(main);
    await psql(harness, main, 'main', 'DELETE FROM goods WHERE id > 100; CREATE TABLE later (a int);');

    await done(restore(backup, { in_place: true, confirm: 'main' }));

    assert.equal(await rows(main), 5_000);
    const [safety] = (await harness.client.listDatabaseBackups({ params: pathOf(main) })) as Backup[];
    assert.equal(safety?.origin, 'safety');
    const trashed = (await harness.client.listTrashedDatabases()) as Database[];
    assert.ok(trashed.some(({ reference }) => reference === main));
    await done(restore(safety as Backup, { into: `${project}/production/before` }));
    assert.equal(await rows(`${project}/production/before`), 100);
  });

  it('restoring a damaged backup fails and leaves the database running', async () => {
    const backup = await backUp(main);
    await psql(harness, main, 'main', 'CREATE TABLE newer (a int);');
    const file = await fileOf(harness, backup);
    await writeFile(file, (await readFile(file)).subarray(0, -1_000));

    const task = (await restore(backup, { in_place: true, confirm: 'main' })) as Task;

    assert.equal(task.status, 'failed');
    assert.match(task.error ?? '', /incomplete or was changed/);
    await psql(harness, main, 'main', 'SELECT * FROM newer;');
    assert.equal(await rows(main), 5_000);
  });

  it('cloning a running database copies all rows', async () => {
    const into = `${project}/production/clone`;

    await done(harness.client.cloneDatabase({ params: pathOf(main), query: { wait: 'true' }, body: { into } }));

    assert.equal(await rows(into), 5_000);
  });

  it('cloning warns about a materialized view that cannot be refreshed', async () => {
    const stale = await createdDatabase(harness, { project, name: 'stale', engine: 'postgres' });
    const made =
      'CREATE TABLE parts (n int); INSERT INTO parts VALUES (1); CREATE MATERIALIZED VIEW "One" AS SELECT 1 / n AS a';
    await psql(harness, stale, 'stale', `SET ROLE davit_owner; ${made} FROM parts; UPDATE parts SET n = 0;`);
    const into = `${project}/production/fresh`;

    const { log } = await done(
      harness.client.cloneDatabase({ params: pathOf(stale), query: { wait: 'true' }, body: { into } }),
    );

    assert.match(log?.join('\n') ?? '', /materialized view public\."One" is empty, .*division by zero/);
    const rest = `UPDATE parts SET n = 2; SET ROLE davit_owner; REFRESH MATERIALIZED VIEW "One"; SELECT count(*) FROM "One";`;
    assert.equal((await psql(harness, into, 'stale', rest)).trim(), '1');
  });

  it('upgrading a database keeps rows and grants, and a new backup succeeds', async () => {
    const body = { version: '15', confirm: 'main' };

    await done(harness.client.upgradeDatabase({ params: pathOf(main), query: { wait: 'true' }, body }));

    assert.equal(await rows(main), 5_000);
    assert.match(await psql(harness, main, 'main', '\\dp goods'), /reader=r/);
    const backup = await backUp(main);
    assert.equal(backup.status, 'succeeded');
  });
});

async function fileOf({ instance }: LiveHarness, { key }: Backup): Promise<string> {
  const folder = join(instance.dataDir, 'backups');
  await readdir(folder);
  return join(folder, key);
}
