import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DB, DOMAIN, draftOf, draftWith } from '../test/support/drafts.ts';
import type { DraftApp, DraftDatabase, DraftInput } from './draft.ts';
import { normalize } from './normalize.ts';

function appOf(app: Partial<DraftApp>) {
  const [normalized] = normalize(draftWith(app)).apps;
  assert.ok(normalized);
  return normalized;
}

describe('normalized manifest', () => {
  test('contains exactly the keys of the older format with default values', () => {
    const apps = [{ key: 'web', image: 'nginx' }];
    assert.deepEqual(normalize({ version: 1, project: 'shop', apps }), {
      schema_version: 1,
      min_cubeship: null,
      project: 'shop',
      environment: 'production',
      inputs: [],
      databases: [],
      stores: [],
      apps: [
        {
          key: 'web',
          name: 'web',
          source: { type: 'image', image: 'nginx', tag: null },
          port: null,
          health: null,
          domains: [],
          attach: [],
          env: {},
          limits: null,
          scale: null,
          spread: false,
          autoscale: null,
          volumes: [],
          tcp: [],
          internal_host: 'web.production.shop.internal',
        },
      ],
    });
  });

  test('keeps the name, versions and environment of the file', () => {
    const { name, min_cubeship, min_version, environment } = normalize(
      draftOf({ name: 'Shop', minCubeship: ' >=0.7 ', minVersion: '0.1.0', environment: 'staging' }),
    );
    assert.deepEqual([name, min_cubeship, min_version, environment], ['Shop', ' >=0.7 ', '0.1.0', 'staging']);
  });
});

describe('normalized inputs', () => {
  const cases: [what: string, input: DraftInput, rest: object][] = [
    ['are required by default', DOMAIN, { required: true }],
    ['can be optional', { ...DOMAIN, required: false }, { required: false }],
    ['omit an empty help text', { ...DOMAIN, help: '' }, { required: true }],
    ['keep the help text', { ...DOMAIN, help: 'x' }, { help: 'x', required: true }],
    ['keep an empty default', { ...DOMAIN, type: 'text', default: '' }, { type: 'text', required: true, default: '' }],
    [
      'keep zeros',
      { ...DOMAIN, type: 'number', default: 0, min: 0, max: 0 },
      { type: 'number', required: true, default: 0, min: 0, max: 0 },
    ],
    [
      'keep numbers',
      { ...DOMAIN, type: 'number', default: 0.5, max: 1_000_000 },
      { type: 'number', required: true, default: 0.5, max: 1_000_000 },
    ],
    [
      'keep options in order',
      { ...DOMAIN, type: 'choice', options: ['b', 'a'] },
      { type: 'choice', required: true, options: ['b', 'a'] },
    ],
    [
      'keep the format of a secret',
      { ...DOMAIN, type: 'secret', format: 'hex', bytes: 32 },
      { type: 'secret', required: true, format: 'hex', bytes: 32 },
    ],
  ];
  for (const [what, input, rest] of cases) {
    test(what, () => {
      const { key, type, label } = DOMAIN;
      assert.deepEqual(normalize(draftOf({ inputs: [input] })).inputs, [{ key, type, label, ...rest }]);
    });
  }

  test('have keys in a fixed order regardless of the file', () => {
    const input: DraftInput = {
      max: 2,
      min: 1,
      default: 1,
      required: true,
      help: 'x',
      label: 'x',
      type: 'number',
      key: 'n',
    };
    const [normalized = {}] = normalize(draftOf({ inputs: [input] })).inputs;
    assert.deepEqual(Object.keys(normalized), ['key', 'type', 'label', 'help', 'required', 'default', 'min', 'max']);
  });
});

describe('normalized databases and stores', () => {
  const usual = {
    key: 'db',
    name: 'db',
    engine: 'postgres',
    version: '18',
    extensions: [],
    username: null,
    database: null,
    expose: null,
    limits: null,
    port: 5432,
  };
  const cases: [what: string, database: Partial<DraftDatabase>, parts: object][] = [
    ['have the key as the default name', {}, {}],
    ['keep a separate name', { name: 'shop-db' }, { name: 'shop-db' }],
    [
      'include required extensions, sorted',
      { extensions: ['VectorChord', ' citext', 'citext'] },
      { extensions: ['citext', 'pgvector', 'vectorchord'] },
    ],
    ['keep the exposed port 0', { expose: 0 }, { expose: 0 }],
    ['have limits in bytes', { limits: { memory: '0.5G' } }, { limits: { cpu: null, memory_bytes: 536_870_912 } }],
    ['have null values for empty limits', { limits: {} }, { limits: { cpu: null, memory_bytes: null } }],
    ['have a condition', { when: { input: 'domain', not: 'x' } }, { when: { input: 'domain', not: 'x' } }],
  ];
  for (const [what, database, parts] of cases) {
    test(what, () =>
      assert.deepEqual(normalize(draftOf({ databases: [{ ...DB, ...database }] })).databases, [{ ...usual, ...parts }]),
    );
  }

  test('have no default version and know the port of each engine', () => {
    const engines = ['mysql', 'mariadb', 'redis', 'mongodb'];
    const { databases } = normalize(draftOf({ databases: engines.map((engine) => ({ key: engine, engine })) }));
    assert.deepEqual(
      databases.map(({ version, port }) => [version, port]),
      [
        [null, 3306],
        [null, 3306],
        [null, 6379],
        [null, 27017],
      ],
    );
  });

  test('include the name, version, buckets and limits of a store', () => {
    const { stores } = normalize(
      draftOf({ stores: [{ key: 'files' }, { key: 'b', name: 'c', version: '3.97', buckets: ['y', 'x'] }] }),
    );
    assert.deepEqual(stores, [
      { key: 'files', name: 'files', version: null, buckets: [], limits: null },
      { key: 'b', name: 'c', version: '3.97', buckets: ['y', 'x'], limits: null },
    ]);
  });
});

describe('normalized apps', () => {
  const cases: [what: string, app: Partial<DraftApp>, parts: object][] = [
    [
      'use the port of the app for a domain',
      { port: 3000 },
      { port: 3000, domains: [{ host: '${input.domain}', port: 3000 }] },
    ],
    [
      'keep the port of a domain',
      { port: 3000, domains: [{ host: 'a', port: 1 }, { host: 'b' }] },
      {
        domains: [
          { host: 'a', port: 1 },
          { host: 'b', port: 3000 },
        ],
      },
    ],
    ['use port 8080 without a port of the app', {}, { port: null, domains: [{ host: '${input.domain}', port: 8080 }] }],
    [
      'have variables in byte order of their names',
      { env: { b: '1', _: '2', A: '3', Z_: '4', Z1: '5' } },
      { env: { A: '3', Z1: '5', Z_: '4', _: '2', b: '1' } },
    ],
    [
      'scale from one replica by default',
      { autoscale: { max: 3, cpu: 80 } },
      { autoscale: { min: 1, max: 3, cpu: 80 } },
    ],
    [
      'have normalized paths',
      { volumes: [{ path: ' /b/../a/ ' }, { path: '/c', size: '1Gi' }] },
      { volumes: [{ path: '/a' }, { path: '/c', size_bytes: 2 ** 30 }] },
    ],
    [
      'keep host ports as text',
      { tcp: [{ port: 22 }, { port: 23, host: '02222' }] },
      {
        tcp: [
          { port: 22, host: null },
          { port: 23, host: '02222' },
        ],
      },
    ],
    [
      'have attachments in one form',
      { attach: [{ database: 'db' }, { store: 's', bucket: 'b', prefix: 'A_' }] },
      {
        attach: [
          { kind: 'database', key: 'db', bucket: null, prefix: '' },
          { kind: 'store', key: 's', bucket: 'b', prefix: 'A_' },
        ],
      },
    ],
    [
      'have an internal host with their name',
      { name: 'front' },
      { name: 'front', internal_host: 'front.production.shop.internal' },
    ],
    ['keep their command and arguments', { command: ['a'], args: [] }, { command: ['a'], args: [] }],
    [
      'keep files with a normalized path',
      { files: [{ path: '/a//b', content: '${input.domain}\n' }] },
      { files: [{ path: '/a/b', content: '${input.domain}\n', mode: '0644' }] },
    ],
    ['keep the order of their dependencies', { depends_on: ['b', 'a'] }, { depends_on: ['b', 'a'] }],
    [
      'keep all conditions',
      {
        when: { input: 'x' },
        tcp: [{ port: 1, when: { input: 'x', equals: '' } }],
        envWhen: [{ when: { input: 'x', not: 'y' }, env: { B: '1', A: '2' } }],
      },
      {
        when: { input: 'x' },
        tcp: [{ port: 1, host: null, when: { input: 'x', equals: '' } }],
        env_when: [{ when: { input: 'x', not: 'y' }, env: { A: '2', B: '1' } }],
      },
    ],
  ];
  for (const [what, app, parts] of cases) {
    test(what, () => {
      const found = appOf(app);
      assert.deepEqual(
        Object.fromEntries(Object.keys(parts).map((key) => [key, found[key as keyof typeof found]])),
        parts,
      );
    });
  }

  test('have variables sorted by name in the serialized JSON', () => {
    assert.equal(JSON.stringify(appOf({ env: { b: '1', A: '2' } }).env), '{"A":"2","b":"1"}');
  });

  const sources: [source: Partial<DraftApp>, normalized: object][] = [
    [{ image: 'a' }, { type: 'image', image: 'a', tag: null }],
    [
      { image: 'a', tag: '1', ref: 'x', dockerfile: 'y' },
      { type: 'image', image: 'a', tag: '1' },
    ],
    [
      { repo: 'https://a/b', build: 'railpack' },
      { type: 'railpack', repo: 'https://a/b', ref: null, dockerfile: null },
    ],
    [
      { repo: 'https://a/b', build: 'dockerfile', ref: 'main:x', dockerfile: 'z' },
      { type: 'dockerfile', repo: 'https://a/b', ref: 'main:x', dockerfile: 'z' },
    ],
  ];
  for (const [source, normalized] of sources) {
    test(`have the matching source for ${JSON.stringify(source)}`, () => {
      const { image: _i, tag: _t, ...bare } = APP;
      assert.deepEqual(normalize(draftOf({ apps: [{ ...bare, ...source }] })).apps[0]?.source, normalized);
    });
  }
});

test('runs jobs by default at the first installation for at most ten minutes', () => {
  const job = { key: 'migrate', app: 'web', command: ['a'] };
  const { jobs } = normalize(
    draftOf({ jobs: [job, { ...job, key: 'b', name: 'c', on: 'always', timeout: 5, depends_on: ['web'] }] }),
  );
  assert.deepEqual(jobs, [
    { key: 'migrate', name: 'migrate', app: 'web', command: ['a'], on: 'install', timeout: 600, depends_on: [] },
    { key: 'b', name: 'c', app: 'web', command: ['a'], on: 'always', timeout: 5, depends_on: ['web'] },
  ]);
});
