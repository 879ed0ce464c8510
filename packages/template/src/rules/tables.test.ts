import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { databaseVariables, storeVariables } from './attachment-variables.ts';
import { ENGINES, engineNamed } from './engines.ts';
import { EXTENSIONS, extensionNamed, resolveExtensions } from './extensions.ts';

describe('database engines', () => {
  test('list five engines with ports and versions, newest first', () => {
    const listed = Object.entries(ENGINES).map(([name, { port, versions }]) => `${name} ${port} ${versions.join(' ')}`);
    assert.deepEqual(listed, [
      'postgres 5432 18 17 16 15',
      'mysql 3306 8.4 8.0',
      'mariadb 3306 11.4 10.11',
      'redis 6379 7.4 7.2 7.0',
      'mongodb 27017 8.0 7.0',
    ]);
  });

  test('do not include names of built-in object properties', () => {
    assert.equal(engineNamed('constructor'), undefined);
    assert.equal(extensionNamed('toString'), undefined);
  });
});

describe('database extensions', () => {
  test('list 26 extensions with at most a single level of dependencies', () => {
    assert.equal(Object.keys(EXTENSIONS).length, 26);
    for (const { needs } of Object.values(EXTENSIONS)) {
      assert.deepEqual(
        needs.flatMap((name) => EXTENSIONS[name]?.needs ?? ['unknown']),
        [],
      );
    }
  });

  const cases: [written: string[], resolved: string[]][] = [
    [[], []],
    [
      ['pg_trgm', 'citext'],
      ['citext', 'pg_trgm'],
    ],
    [[' PGVector ', 'pgvector', ' '], ['pgvector']],
    [['vectorchord'], ['pgvector', 'vectorchord']],
    [
      ['earthdistance', 'cube'],
      ['cube', 'earthdistance'],
    ],
    [
      ['uuid-ossp', 'unaccent'],
      ['unaccent', 'uuid-ossp'],
    ],
  ];
  for (const [written, resolved] of cases) {
    test(`resolve “${written.join(', ')}” to “${resolved.join(', ')}”`, () =>
      assert.deepEqual(resolveExtensions(written), resolved));
  }
});

describe('variables of an attachment', () => {
  test('include six variables for a database', () => {
    assert.deepEqual(databaseVariables('mysql', ''), [
      'DATABASE_URL',
      'DATABASE_HOST',
      'DATABASE_PORT',
      'DATABASE_USER',
      'DATABASE_PASSWORD',
      'DATABASE_NAME',
    ]);
    assert.equal(databaseVariables('mongodb', 'A_')[5], 'A_MONGO_NAME');
  });

  test('include no name for Redis and no variables for unknown engines', () => {
    assert.deepEqual(databaseVariables('redis', 'CACHE_'), [
      'CACHE_REDIS_URL',
      'CACHE_REDIS_HOST',
      'CACHE_REDIS_PORT',
      'CACHE_REDIS_USER',
      'CACHE_REDIS_PASSWORD',
    ]);
    assert.deepEqual(databaseVariables('oracle', ''), []);
  });

  test('include six variables for an object store', () => {
    assert.deepEqual(storeVariables('A_'), [
      'A_S3_ENDPOINT',
      'A_S3_REGION',
      'A_S3_BUCKET',
      'A_S3_ACCESS_KEY_ID',
      'A_S3_SECRET_ACCESS_KEY',
      'A_S3_PATH_STYLE',
    ]);
  });
});
