import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { DatabaseUnusable } from '@davit/service';
import { openDatabase } from '../../src/db/database.ts';
import { registryProjects } from '../../src/db/migrations/029-registries.ts';
import { replicaLimits } from '../../src/db/migrations/036-replica-limits.ts';
import { ownedRegistries } from '../../src/db/migrations/044-owned-registries.ts';
import { countedApps } from '../../src/db/migrations/045-counted-apps.ts';
import { installedVolumes } from '../../src/db/migrations/046-installed-volumes.ts';
import { runVolumes } from '../../src/db/migrations/047-run-volumes.ts';
import { restrictedKeys } from '../../src/db/migrations/048-restricted-keys.ts';
import { archiveOptions } from '../../src/db/migrations/049-archive-options.ts';
import { objectStores } from '../../src/db/migrations/050-object-stores.ts';
import { MIGRATIONS } from '../../src/db/migrations/index.ts';
import { optionsOf } from '../../src/resources/databases/options.ts';

function databaseFile(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-database-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'davit.db');
}

const schemaOf = (db: DatabaseSync) => db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
const value = (db: DatabaseSync, sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];

test('an empty database gets all migrations', () => {
  using db = openDatabase(':memory:');

  assert.equal(value(db, 'PRAGMA user_version'), MIGRATIONS.length);
  assert.ok(schemaOf(db).length > 10);
});

test('a database of any earlier version migrates to the current schema', (context) => {
  using fresh = openDatabase(':memory:');
  for (let version = 0; version <= MIGRATIONS.length; version++) {
    const file = databaseFile(context);
    openDatabase(file, MIGRATIONS.slice(0, version)).close();

    using migrated = openDatabase(file);

    assert.deepEqual(schemaOf(migrated), schemaOf(fresh));
  }
});

test('a migration lowers the former default process limit of scaled apps only', (context) => {
  const file = databaseFile(context);
  const before = MIGRATIONS.findIndex((sql) => sql.includes('CREATE TABLE project_quotas'));
  const cases = [
    { scale: 1, pids: 4_096, after: 4_096 },
    { scale: 3, pids: 4_096, after: 512 },
    { scale: 40, pids: 4_096, after: 102 },
    { scale: 3, pids: 4_095, after: 4_095 },
    { scale: 3, pids: 1_048_576, after: 1_048_576 },
  ];
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, before));
    old.exec("INSERT INTO projects (slug, created_at) VALUES ('shop', 1)");
    old.exec("INSERT INTO environments (project_id, slug, created_at) VALUES (1, 'production', 1)");
    const insert = old.prepare(
      'INSERT INTO apps (environment_id, name, spec, revision, created_at, updated_at) VALUES (1, ?, ?, 1, 1, 1)',
    );
    for (const [n, { scale, pids }] of cases.entries())
      insert.run(`app-${n}`, JSON.stringify({ scale, limits: { cpu: null, pids } }));
  }

  using migrated = openDatabase(file);

  const specs = migrated.prepare('SELECT spec FROM apps ORDER BY id').all() as { spec: string }[];
  for (const [n, { scale, after }] of cases.entries())
    assert.equal(specs[n]?.spec, JSON.stringify({ scale, limits: { cpu: null, pids: after } }));
});

test('a migration gives replicas the limits of their app, pending confirmation', (context) => {
  const file = databaseFile(context);
  const before = MIGRATIONS.indexOf(replicaLimits);
  const limits = [
    { cpu: 1, memory_bytes: null, pids: 512 },
    { cpu: null, memory_bytes: 64, pids: 16 },
  ] as const;
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, before));
    old.exec("INSERT INTO projects (slug, created_at) VALUES ('shop', 1)");
    old.exec("INSERT INTO environments (project_id, slug, created_at) VALUES (1, 'production', 1)");
    old
      .prepare(
        "INSERT INTO apps (environment_id, name, spec, revision, created_at, updated_at) VALUES (1, 'web', ?, 1, 1, 1)",
      )
      .run(JSON.stringify({ scale: 1, limits: limits[0] }));
    old.exec(
      `INSERT INTO deployments (app_id, tag, image, status, revision, trigger_kind, trigger_by, trigger_via, created_at)
         VALUES (1, 'v1', 'web:v1', 'succeeded', 1, 'api', 'ada', 'api', 1)`,
    );
    const insert = old.prepare(
      `INSERT INTO instances (app_id, deployment_id, environment_id, ordinal, name, address, role, limits)
         VALUES (1, 1, 1, ?1, 'web-' || ?1, '10.0.0.' || ?1, 'active', ?2)`,
    );
    insert.run(1, null);
    insert.run(2, JSON.stringify(limits[1]));
  }

  using migrated = openDatabase(file);

  assert.deepEqual(
    migrated
      .prepare('SELECT limits, limits_pending AS pending FROM instances ORDER BY id')
      .all()
      .map((row) => ({ ...row })),
    limits.map((one) => ({ limits: JSON.stringify(one), pending: 1 })),
  );
});

test('a migration records the limits of existing database containers as unconfirmed', (context) => {
  const file = databaseFile(context);
  const before = MIGRATIONS.findIndex((sql) => sql.includes('CREATE TABLE project_quotas'));
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, before));
    const insert = old.prepare(
      `INSERT INTO databases (project_id, environment_id, project, environment, name, engine, version, image, extensions,
         username, cpu, memory_bytes, container_id, created_at, updated_at)
       VALUES (1, 1, 'shop', 'production', ?, 'redis', '7', 'redis', '[]', 'default', 0.5, NULL, ?, 1, 1)`,
    );
    insert.run('running', 'c1');
    insert.run('gone', null);
  }

  using migrated = openDatabase(file);

  const found = migrated.prepare('SELECT container_limits FROM databases ORDER BY id').all() as {
    container_limits: string | null;
  }[];
  assert.deepEqual(
    found.map(({ container_limits: limits }) => limits && JSON.parse(limits)),
    [{ cpu: 0.5, memory_bytes: null, pids: 0, confirmed: false }, null],
  );
});

test('a migration makes registry credentials available to all projects without reusing IDs', (context) => {
  const file = databaseFile(context);
  const before = MIGRATIONS.indexOf(registryProjects);
  const old = openDatabase(file, MIGRATIONS.slice(0, before));
  const insert = "INSERT INTO registries (host, username, password, created_at, updated_at) VALUES (?, 'a', 'p', 1, 2)";
  for (const host of ['ghcr.io', 'r.example', 'gone.example']) old.prepare(insert).run(host);
  old.exec("DELETE FROM registries WHERE host = 'gone.example'");
  old.close();

  using db = openDatabase(file);

  assert.deepEqual(
    db.prepare('SELECT id, host, all_projects, username, password, checked_at FROM registries ORDER BY id').all(),
    [
      { id: 1, host: 'ghcr.io', all_projects: 1, username: 'a', password: 'p', checked_at: null },
      { id: 2, host: 'r.example', all_projects: 1, username: 'a', password: 'p', checked_at: null },
    ].map((row) => Object.assign(Object.create(null), row)),
  );
  const { lastInsertRowid } = db
    .prepare(insert.replace('(host,', '(all_projects, host,').replace('(?,', '(1, ?,'))
    .run('n');
  assert.equal(lastInsertRowid, 4);
});

test('a migration removes only registry credentials without an existing project', (context) => {
  const file = databaseFile(context);
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, MIGRATIONS.indexOf(ownedRegistries)));
    old.exec("INSERT INTO projects (slug, created_at, deleted_at) VALUES ('shop', 1, NULL), ('gone', 1, 2)");
    const insert = old.prepare(
      "INSERT INTO registries (host, all_projects, username, password, created_at, updated_at) VALUES (?, ?, 'a', 'p', 1, 2)",
    );
    for (const host of ['none.example', 'gone.example', 'shop.example']) insert.run(host, 0);
    insert.run('all.example', 1);
    old.exec(`INSERT INTO registry_projects (host, project_id, registry_id)
      VALUES ('gone.example', 2, 2), ('shop.example', 1, 3), ('shop.example', 2, 3)`);
  }

  using migrated = openDatabase(file);

  const hosts = migrated.prepare('SELECT host FROM registries ORDER BY host').all();
  assert.deepEqual(
    hosts.map(({ host }) => host),
    ['all.example', 'shop.example'],
  );
  assert.equal(value(migrated, 'SELECT group_concat(project_id) FROM registry_projects'), '1');
});

/** Creates an app and its projects and environment. Deployment 1 of the app mounts a volume that the app has and one that it lost. */
function insertAppWithVolumes(db: DatabaseSync): void {
  db.exec(`INSERT INTO projects (slug, created_at) VALUES ('shop', 1);
    INSERT INTO environments (project_id, slug, created_at) VALUES (1, 'production', 1);
    INSERT INTO apps (environment_id, name, spec, revision, created_at, updated_at)
      VALUES (1, 'web', '{}', 1, 1, 1), (1, 'other', '{}', 1, 1, 1);
    INSERT INTO volumes (app_id, project_id, app, path, name, created_at)
      VALUES (1, 1, 'shop/production/web', '/data', 'v1', 1), (2, 1, 'shop/production/other', '/data', 'v2', 1);
    INSERT INTO deployments (app_id, tag, image, status, revision, trigger_kind, trigger_by, trigger_via, created_at, mounts)
      VALUES (1, 'v1', 'web:v1', 'succeeded', 1, 'api', 'ada', 'api', 1,
        '{"volumes":[{"name":"v1","path":"/data"},{"name":"v2","path":"/x"}],"tcpPorts":[]}');`);
}

test('a migration assigns volumes to the installation that created their app', (context) => {
  const file = databaseFile(context);
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, MIGRATIONS.indexOf(installedVolumes)));
    insertAppWithVolumes(old);
    old.exec(`INSERT INTO template_installs
        (id, title, project, environment, origin, manifest, names, adopt, answers, asked_by, asked_via, created_at, updated_at)
        VALUES (3, 'Web', 'shop', 'production', '', '', '', '', '', 'ada', 'api', 1, 1);
      INSERT INTO template_resources (install_id, kind, name, reference, state, thing_id, created_at)
        VALUES (3, 'app', 'web', 'shop/production/web', 'made', 1, 1),
               (3, 'database', 'other', 'shop/production/other', 'made', 2, 1);`);
  }

  using migrated = openDatabase(file);

  const rows = migrated.prepare('SELECT install_id FROM volumes ORDER BY id').all();
  assert.deepEqual(
    rows.map((row) => row.install_id),
    [3, null],
  );
});

test('a migration gives running commands the release volumes that their app still has', (context) => {
  const file = databaseFile(context);
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, MIGRATIONS.indexOf(runVolumes)));
    insertAppWithVolumes(old);
    old.exec(`INSERT INTO runs (app_id, deployment_id, command, timeout_s, status, asked_by, asked_via, created_at)
      VALUES (1, 1, '[]', 1, 'running', 'ada', 'api', 1), (1, 1, '[]', 1, 'succeeded', 'ada', 'api', 1)`);
  }

  using migrated = openDatabase(file);

  const rows = migrated.prepare('SELECT volumes FROM runs ORDER BY id').all();
  assert.deepEqual(
    rows.map((row) => row.volumes),
    ['[{"name":"v1","path":"/data"}]', null],
  );
});

test('a migration marks API keys with fewer rights or an expiry date as restricted', (context) => {
  const file = databaseFile(context);
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, MIGRATIONS.indexOf(restrictedKeys)));
    old.exec(`INSERT INTO users (username, password_hash, role, projects, created_at)
      VALUES ('ada', '', 'admin', NULL, 1), ('bob', '', 'member', '[1,2]', 1)`);
    const insert = old.prepare(
      'INSERT INTO api_keys (user_id, name, key_hash, role, projects, created_at, expires_at) VALUES (?, ?, ?2, ?, ?, 1, ?)',
    );
    insert.run(1, 'all', 'admin', null, null);
    insert.run(1, 'role', 'member', null, null);
    insert.run(1, 'projects', 'admin', '[1]', null);
    insert.run(1, 'end', 'admin', null, 9);
    insert.run(2, 'more', 'admin', null, null);
    insert.run(2, 'same', 'member', '[2,1,3]', null);
    insert.run(2, 'fewer', 'member', '[1]', null);
  }

  using migrated = openDatabase(file);

  const rows = migrated.prepare('SELECT name FROM api_keys WHERE restricted = 1 ORDER BY id').all();
  assert.deepEqual(
    rows.map((row) => row.name),
    ['role', 'projects', 'end', 'fewer'],
  );
});

test('a migration keeps the traffic counters of backends, without a known app', (context) => {
  const file = databaseFile(context);
  const bytes = (numbers: number[]) => new Uint8Array(new Float64Array(numbers).buffer);
  const first = [1, 10, 20, 18, 2];
  const second = [7, 1, 1_000_000_007, 1, 0];
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, MIGRATIONS.indexOf(countedApps)));
    const insert = old.prepare('INSERT INTO traffic_counts (process, data) VALUES (?, ?)');
    for (const [n, data] of [[...first, ...second], first, []].entries()) insert.run(n, bytes(data));
  }

  using migrated = openDatabase(file);

  const rows = migrated.prepare('SELECT data FROM traffic_counts ORDER BY process').all() as { data: Uint8Array }[];
  assert.deepEqual(
    rows.map(({ data }) => [...new Float64Array(data.slice().buffer)]),
    [[...first, 0, ...second, 0], [...first, 0], []],
  );
});

test('a failed migration leaves the database unchanged', (context) => {
  const file = databaseFile(context);
  const broken = [
    'CREATE TABLE a (x) STRICT;',
    'CREATE TABLE a (x INTEGER) STRICT;',
    'CREATE TABLE b (x INTEGER) STRICT; nonsense;',
  ];

  assert.throws(() => openDatabase(file, broken.slice(1)), DatabaseUnusable);

  using db = openDatabase(file, broken.slice(1, 2));
  assert.deepEqual(
    schemaOf(db).map((row) => row.name),
    ['a'],
  );
});

test('every open of a database sets synchronous writes, WAL and foreign keys', (context) => {
  const file = databaseFile(context);
  for (let open = 0; open < 3; open++) {
    using db = openDatabase(file);
    assert.equal(value(db, 'PRAGMA synchronous'), 2);
    assert.equal(value(db, 'PRAGMA journal_mode'), 'wal');
    assert.equal(value(db, 'PRAGMA foreign_keys'), 1);
  }
});

test('refuses a database written by a newer version', (context) => {
  const file = databaseFile(context);
  openDatabase(file, [...MIGRATIONS, 'CREATE TABLE later (x INTEGER) STRICT;']).close();

  assert.throws(() => openDatabase(file), /A newer version of Davit wrote the database/);
});

test('refuses a file that is not a database and leaves the file unchanged', (context) => {
  const file = databaseFile(context);
  const content = 'not a database, but somebody’s only copy of something\n'.repeat(100);
  writeFileSync(file, content);

  assert.throws(() => openDatabase(file), DatabaseUnusable);

  assert.equal(readFileSync(file, 'utf8'), content);
});

test('creates the database and its WAL files with access for the owner only', (context) => {
  const file = databaseFile(context);
  using db = openDatabase(file);
  db.exec('INSERT INTO settings (key, value) VALUES (1, 2)');

  for (const name of [file, `${file}-wal`, `${file}-shm`]) assert.equal(statSync(name).mode & 0o777, 0o600, name);
});

test('a migration updates the options of archived databases and keeps other options', (context) => {
  const file = databaseFile(context);
  const trial = JSON.stringify({ args: ['-c', 'fsync=off'], env: {} });
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, MIGRATIONS.indexOf(archiveOptions)));
    const insert = old.prepare(
      `INSERT INTO databases (project_id, environment_id, project, environment, name, engine, version, image, extensions,
         username, options, created_at, updated_at)
       VALUES (1, 1, 'shop', 'production', ?, 'postgres', '15', 'postgres', '[]', 'postgres', ?, 1, 1)`,
    );
    insert.run('archived', JSON.stringify(['-c', 'archive_mode=on', '-c', 'archive_command=cp %p waiting/%f']));
    insert.run('trial', trial);
    insert.run('plain', null);
  }

  using migrated = openDatabase(file);

  const rows = migrated.prepare('SELECT options FROM databases ORDER BY id').all() as { options: string | null }[];
  assert.match(optionsOf(rows[0] ?? { options: null }).args.join(' '), /archive_mode=on .*archive_command=.*sync /);
  assert.deepEqual(
    rows.slice(1).map(({ options }) => options),
    [trial, null],
  );
});

test('a migration renames the kind store to object_store in tasks, events and backups', (context) => {
  const file = databaseFile(context);
  const event = { kind: 'store.create', subject: { kind: 'store', name: 'files' }, step: { name: 'stores' } };
  const disk = '{"kind":"disk"}';
  const bucket = '{"kind":"store","store":"offsite","bucket":"dumps","prefix":"shop/"}';
  {
    using old = openDatabase(file, MIGRATIONS.slice(0, MIGRATIONS.indexOf(objectStores)));
    const task = old.prepare(
      `INSERT INTO tasks (kind, subject_kind, subject, asked_by, asked_via, created_at) VALUES (?, ?, 'x', 'ada', 'api', 1)`,
    );
    for (const kind of ['store', 'database']) task.run(`${kind}.create`, kind);
    old.exec("INSERT INTO task_steps (task_id, name, started_at) VALUES (1, 'stores', 1), (1, 'databases', 1)");
    const happened = old.prepare('INSERT INTO events (at, kind, data) VALUES (1, ?, ?)');
    happened.run('task', JSON.stringify(event));
    happened.run(
      'task',
      JSON.stringify({ ...event, kind: 'database.create', subject: { kind: 'database' }, step: null }),
    );
    happened.run('resource', '{"kind":"store","reference":"files","change":"created"}');
    const segment = old.prepare(
      "INSERT INTO backup_segments (database_id, name, destination, key, size_bytes, at) VALUES (1, ?, ?, '', 1, 1)",
    );
    for (const destination of [disk, bucket]) segment.run(destination, destination);
  }

  using migrated = openDatabase(file);

  const all = (sql: string) =>
    migrated
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  assert.deepEqual(all('SELECT kind, subject_kind FROM tasks ORDER BY id'), [
    ['object_store.create', 'object_store'],
    ['database.create', 'database'],
  ]);
  assert.deepEqual(all('SELECT name FROM task_steps ORDER BY id'), [['object_stores'], ['databases']]);
  assert.deepEqual(
    all('SELECT data FROM events ORDER BY seq').map(([data]) => JSON.parse(String(data))),
    [
      {
        kind: 'object_store.create',
        subject: { kind: 'object_store', name: 'files' },
        step: { name: 'object_stores' },
      },
      { kind: 'database.create', subject: { kind: 'database' }, step: null },
      { kind: 'object_store', reference: 'files', change: 'created' },
    ],
  );
  assert.deepEqual(all('SELECT destination FROM backup_segments ORDER BY id'), [
    [disk],
    ['{"kind":"object_store","object_store":"offsite","bucket":"dumps","prefix":"shop/"}'],
  ]);
});
