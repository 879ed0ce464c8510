import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCompose } from './import.ts';

function imported(compose: string) {
  const made = importCompose(compose);
  assert.ok(made.ok, made.ok ? '' : made.message);
  return made;
}

test('adds prefixes only to database attachments with conflicting variables', () => {
  const compose = `services:
  web: { image: a, depends_on: [cache, db, other-db] }
  cache: { image: "valkey/valkey:8@sha256:${'0'.repeat(64)}" }
  db: { image: "postgres:17@sha256:${'0'.repeat(64)}", shm_size: 128mb, mem_limit: 1g }
  other-db: { image: "mariadb:11.4" }`;
  const { template, notes } = imported(compose);
  const attach = '- database: cache\n      - database: db\n      - database: other-db\n        prefix: OTHER_DB_\n';
  assert.ok(template.includes(attach), template);
  assert.match(template, /engine: postgres\n {4}version: "17"\n {4}limits: \{ memory: 1Gi \}/);
  const said = notes.map(({ service, key, message }) => `${service}.${key}: ${message}`).join('\n');
  assert.match(said, /“cache” is attached to the app, so the app gets variables such as REDIS_URL\./);
  assert.match(said, /“other-db” is attached to the app, so the app gets variables such as OTHER_DB_DATABASE_URL\./);
  assert.match(said, /cache\.image: Version 8 is not supported, so the database gets redis 7\.4\./);
  assert.match(said, /db\.shm_size: This key is not supported for a database\./);
});

test('keeps variable names in mount paths and line breaks in values', () => {
  const { template, notes } = imported(
    'services: { web: { image: a, volumes: ["$HOME_OF_IT/data:/data"], environment: { A: "x\\ny" } } }',
  );
  assert.match(template, /A: \|-\n {8}x\n {8}y\n/);
  assert.ok(notes.some(({ message }) => message.startsWith('$HOME_OF_IT/data is a path of the server')));
});

test('uses the offered version for an image tag with a minor or patch version', () => {
  const versionOf = (image: string) => {
    const made = imported(`services:\n  web: { image: a, depends_on: [db] }\n  db: { image: "${image}" }\n`);
    const { engine, version } = made.manifest?.databases[0] ?? {};
    const isOther = made.notes.some(({ key, message }) => key === 'image' && /is not supported/.test(message));
    return `${engine} ${version}${isOther ? ' instead' : ''}`;
  };
  const cases = {
    'redis:7.0': 'redis 7.0',
    'redis:7.0.15-alpine': 'redis 7.0',
    'redis:7': 'redis 7.4',
    'redis:6.2.5-alpine': 'redis 7.0 instead',
    'postgres:16.2': 'postgres 16',
    'postgres:15-alpine': 'postgres 15',
    'postgres:14.9': 'postgres 15 instead',
    'pgvector/pgvector:pg16': 'postgres 16',
    'mariadb:10.11.6': 'mariadb 10.11',
    'mariadb:10.6': 'mariadb 10.11 instead',
    'mysql:8.0.36': 'mysql 8.0',
    'mongo:7.0.5': 'mongodb 7.0',
    'mongo:8': 'mongodb 8.0',
  };
  const found = Object.fromEntries(Object.keys(cases).map((image) => [image, versionOf(image)]));
  assert.deepEqual(found, cases);
});

test('gives limits that an instance accepts to apps and databases', () => {
  const { manifest } = imported(`services:
  web: { image: a, cpus: 4000, scale: 500, mem_limit: 1m, depends_on: [db] }
  db: { image: "postgres:17", mem_limit: 1m }
`);
  const [app, database] = [manifest?.apps[0], manifest?.databases[0]];
  assert.deepEqual([app?.scale, app?.limits], [100, { cpu: 1024, memory_bytes: 6 * 2 ** 20 }]);
  assert.deepEqual(database?.limits, { cpu: null, memory_bytes: 64 * 2 ** 20 });
});

test('gives a database its default name if the name in the file is too long for an instance', () => {
  const name = 'a'.repeat(33);
  const { manifest } = imported(`services:
  web: { image: a, environment: { URL: "postgres://shop:a-long-password@db/${name}" } }
  db: { image: "postgres:17", environment: { POSTGRES_PASSWORD: a-long-password, POSTGRES_DB: ${name} } }
`);
  assert.equal(manifest?.databases[0]?.database, null);
  assert.match(manifest?.apps[0]?.env.URL ?? '', /\/\$\{db\.db\.name\}$/);
});

test('keeps the names of services as keys and gives a number only to names that are not valid', () => {
  const { manifest, problems } = imported(`services:
  my_app: { image: a }
  my-app: { image: b }
  MY-APP: { image: c }
  my_db: { image: "postgres:17" }
  my-db: { image: "postgres:17" }`);

  const names = (parts: readonly { key: string; name: string }[] = []) => parts.map(({ key, name }) => [key, name]);
  assert.deepEqual(
    problems.filter(({ severity }) => severity === 'error'),
    [],
  );
  assert.deepEqual(names(manifest?.apps), [
    ['my_app', 'my-app2'],
    ['my-app', 'my-app'],
    ['MY-APP', 'my-app3'],
  ]);
  assert.deepEqual(names(manifest?.databases), [
    ['my_db', 'app-my-db'],
    ['my-db', 'app-my-db2'],
  ]);
});

test('shortens a long name before it gets a number', () => {
  const long = 'a'.repeat(41);
  const { manifest } = imported(`services:
  ${long}b: { image: a }
  ${long}c: { image: b }
  ${long}d: { image: "postgres:17" }
  ${long}e: { image: "postgres:17" }`);

  const names = [...(manifest?.apps ?? []), ...(manifest?.databases ?? [])].map(({ name }) => name);
  assert.deepEqual(names, ['a'.repeat(40), `${'a'.repeat(39)}2`, `app-${'a'.repeat(36)}`, `app-${'a'.repeat(35)}2`]);
});

test('converts a service without a port to a worker if it has the image of a service with a port', () => {
  const { manifest } = imported(`services:
  web: { image: shop, ports: ["80:8000"] }
  worker: { image: shop, command: celery worker }
  same: { image: shop }
  mail: { image: mail, ports: ["2525:25", "1143:143"] }
  other: { image: other, command: run }`);

  assert.deepEqual(
    manifest?.apps.map(({ key, port, worker }) => [key, port, worker]),
    [
      ['web', 8000, undefined],
      ['worker', null, true],
      ['same', null, undefined],
      ['mail', 25, undefined],
      ['other', null, undefined],
    ],
  );
});

test('notes a command of Redis as changed if a managed database has all its parameters', () => {
  const kindOf = (command: string) => {
    const service = JSON.stringify({ image: 'redis:7', command });
    const { notes } = imported(`services:\n  web: { image: a, depends_on: [db] }\n  db: ${service}`);
    return notes.find(({ service: name, key }) => name === 'db' && key === 'command')?.kind;
  };
  assert.equal(kindOf('redis-server --requirepass ${PASSWORD:-x} --appendonly yes'), 'changed');
  assert.equal(kindOf('--port=6379'), 'changed');
  for (const command of [
    'redis-server --maxmemory 1gb',
    'redis-server --appendonly no',
    'sh -c "redis-server"',
    'redis-server --appendonly',
  ])
    assert.equal(kindOf(command), 'left-out', command);
});

test('keeps the name of a variable with a dot, which Elasticsearch reads', () => {
  const { manifest, template, notes } = imported(
    'services: { es: { image: a, environment: { discovery.type: single-node, "x-y": "1" } } }',
  );
  assert.deepEqual(manifest?.apps[0]?.env, { 'discovery.type': 'single-node' });
  assert.match(template, /^minVersion: ">=0\.1\.0"$/m);
  assert.ok(
    notes.some(({ kind, key, message }) => kind === 'left-out' && key === 'environment' && /x-y/.test(message)),
  );
});

test('keeps empty arguments, and removes no entry point', () => {
  const { manifest, notes } = imported(`services:
  web: { image: a, command: [serve, --save, ""] }
  api: { image: b, entrypoint: "", command: run }
  bare: { image: c, entrypoint: [""], command: "" }`);

  assert.deepEqual(
    manifest?.apps.map(({ command, args }) => [command, args]),
    [
      [undefined, ['serve', '--save', '']],
      [undefined, ['run']],
      [undefined, undefined],
    ],
  );
  const leftOut = notes.filter(({ kind }) => kind === 'left-out');
  assert.deepEqual(
    leftOut.map(({ service, key }) => [service, key]),
    [
      ['api', 'entrypoint'],
      ['bare', 'entrypoint'],
      ['bare', 'command'],
    ],
  );
});

test('keeps each default of a variable, and the variables in a default', () => {
  const { manifest } = imported(`services:
  web: { image: a, environment: { TZ: "\${TZ:-Etc/UTC}", AT: "\${AT:-www.\${NAME}}" } }
  api: { image: b, environment: { TZ: "\${TZ:-Europe/Berlin}", SAME: "\${TZ}", TWO: "\${ONE:-\${TWO:-2}}" } }`);

  const defaults = new Map(manifest?.inputs.map((input) => [`\${input.${input.key}}`, input.default]));
  const values = manifest?.apps.map(({ env }) =>
    Object.entries(env).map(([name, value]) => [name, defaults.get(value)]),
  );
  assert.deepEqual(values, [
    [
      ['AT', undefined],
      ['TZ', 'Etc/UTC'],
    ],
    [
      ['SAME', 'Etc/UTC'],
      ['TWO', '2'],
      ['TZ', 'Europe/Berlin'],
    ],
  ]);
  assert.equal(manifest?.apps[0]?.env.AT, 'www.${input.name}');
});

test('notes a service whose name cannot be a key', () => {
  const { notes } = imported('services: { "9lives": { image: a }, web: { image: b } }');

  const named = notes.filter(({ key }) => key === 'name');
  assert.deepEqual(
    named.map(({ service, kind }) => [service, kind]),
    [['9lives', 'changed']],
  );
});

test('converts secrets to files: the password of a database, or an input', () => {
  const { template, manifest, notes } = imported(`services:
  web:
    image: a
    depends_on: [db]
    environment: { DB_PASSWORD_FILE: /run/secrets/db-password, OTHER_FILE: /run/secrets/other }
    secrets: [db-password, { source: session, target: /keys/session }, vault]
  db:
    image: "postgres:17"
    environment: { POSTGRES_PASSWORD_FILE: /run/secrets/db-password }
    secrets: [db-password]
secrets:
  db-password: { file: db/password.txt }
  session: { environment: SESSION }
  vault: { external: true }`);

  assert.deepEqual(
    manifest?.apps[0]?.files?.map(({ path, content, mode }) => [path, content, mode]),
    [
      ['/run/secrets/db-password', '${db.db.password}', '0444'],
      ['/keys/session', '${input.session}', '0444'],
    ],
  );
  assert.deepEqual(Object.keys(manifest?.apps[0]?.env ?? {}), ['DB_PASSWORD_FILE']);
  assert.match(template, /key: session\n {4}type: secret/);
  const leftOut = notes.filter(({ kind }) => kind === 'left-out');
  assert.deepEqual(
    leftOut.map(({ service, key }) => [service, key]),
    [
      ['web', 'environment'],
      ['web', 'secrets'],
    ],
  );
});
