/**
 * Upgrades of databases that earlier versions filled. The folder `states` has one database for each such schema, with
 * its master key. `state-052` is the last schema without row MACs.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createAccountClient } from '@davit/api';
import { bootDaemon, cookieOf, databaseParams, paramsOf, signIn } from '@davit/testkit';
import { openDatabase } from '../../src/db/database.ts';
import { MIGRATIONS } from '../../src/db/migrations/index.ts';

const FOLDER = new URL('states/', import.meta.url);

/** Tables with resources of users. Davit may delete other rows, because the simulated Docker has no images. */
const USER_TABLES = [
  ...['apps', 'attachments', 'backups', 'certificates', 'databases', 'deployments', 'dns_providers', 'domains'],
  ...['environments', 'object_stores', 'project_quotas', 'projects', 'registries', 'revisions', 'schedules'],
  ...['tcp_ports', 'template_installs', 'template_resources', 'users', 'variables', 'volumes'],
];

const states = readdirSync(FOLDER)
  .map((name) => /^state-(\d+)\.db\.gz$/.exec(name)?.[1])
  .filter((version) => version !== undefined);

const databaseOf = (version: string) => gunzipSync(readFileSync(new URL(`state-${version}.db.gz`, FOLDER)));

function place(version: string, folder: string): string {
  const file = join(folder, 'davit.db');
  for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
  writeFileSync(file, databaseOf(version), { mode: 0o600 });
  writeFileSync(join(folder, 'master.key'), readFileSync(new URL(`state-${version}.key`, FOLDER)), { mode: 0o600 });
  return file;
}

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-state-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const all = (db: DatabaseSync, sql: string) =>
  db
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));

/** Returns the number of rows in each table with resources of users. */
function countsOf(db: DatabaseSync): Record<string, number> {
  return Object.fromEntries(
    USER_TABLES.map((name) => [name, Number(all(db, `SELECT count(*) AS n FROM "${name}"`)[0]?.n)]),
  );
}

for (const version of states) {
  describe(`a database of schema ${version}`, () => {
    it('has rows, so that its upgrade tests something', (context) => {
      const file = place(version, folderOf(context));
      using db = openDatabase(file, MIGRATIONS.slice(0, Number(version)));

      assert.deepEqual(
        Object.entries(countsOf(db)).filter(([, rows]) => rows === 0),
        [],
      );
    });

    it('can be upgraded to each later schema, directly and in steps', (context) => {
      using fresh = openDatabase(':memory:');
      const schemaOf = (db: DatabaseSync) => all(db, 'SELECT name, sql FROM sqlite_schema ORDER BY name');
      for (let step = Number(version); step <= MIGRATIONS.length; step++) {
        const file = place(version, folderOf(context));
        openDatabase(file, MIGRATIONS.slice(0, step)).close();

        using migrated = openDatabase(file);

        assert.deepEqual(schemaOf(migrated), schemaOf(fresh));
        assert.deepEqual(all(migrated, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
        assert.deepEqual(all(migrated, 'PRAGMA foreign_key_check'), []);
      }
    });

    it('keeps all resources, their secrets and their users', async (context) => {
      await using daemon = await bootDaemon();
      await daemon.stop();
      const file = place(version, daemon.dataDir);
      const before = (() => {
        using copy = openDatabase(place(version, folderOf(context)), MIGRATIONS.slice(0, Number(version)));
        return countsOf(copy);
      })();

      await daemon.start();

      const account = createAccountClient({
        url: daemon.url,
        fetch: daemon.fetch,
        cookie: cookieOf(await signIn(daemon)),
      });
      daemon.key = (await account.createKey({ name: 'upgraded' })).key;
      const { client } = daemon;
      const apps = await client.listApps();
      assert.equal(apps.length, before.apps);
      for (const app of apps) await client.getAppEnv({ params: paramsOf(app) });
      const databases = await client.listDatabases();
      assert.ok(databases.length > 0);
      for (const database of databases) {
        const { password } = await client.getDatabaseCredentials({ params: databaseParams(database) });
        assert.ok(password, database.reference);
      }
      await daemon.stop();
      using migrated = openDatabase(file);
      assert.deepEqual(countsOf(migrated), before);
    });
  });
}
