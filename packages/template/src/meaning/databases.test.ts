import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { DB, draftOf, meaningOf, problemsOf } from '../../test/support/drafts.ts';
import type { DraftDatabase } from '../draft.ts';

const NINE = { minCubeship: '0.9.0' };
const extended = (extensions: string[], more: Partial<DraftDatabase> = {}) => ({ ...DB, extensions, ...more });

describe('reported problems of a database', () => {
  const cases: [what: string, database: DraftDatabase, said: string[]][] = [
    ['none without a version', { key: 'db', engine: 'mysql' }, []],
    [
      'an unknown engine, and no other problem',
      { ...DB, engine: 'oracle', limits: { cpu: 0 } },
      ['engine.unknown databases.0.engine'],
    ],
    [
      'an engine with the name of an object property',
      { ...DB, engine: 'constructor' },
      ['engine.unknown databases.0.engine'],
    ],
    ['a version of another engine', { ...DB, version: '8.4' }, ['engine.version databases.0.version']],
    [
      'a user name for Redis',
      { key: 'db', engine: 'redis', username: 'shop' },
      ['engine.username databases.0.username'],
    ],
    ['none for the default user of Redis', { key: 'db', engine: 'redis', username: 'default' }, []],
    [
      'the user root of MariaDB',
      { key: 'db', engine: 'mariadb', username: 'root' },
      ['engine.username databases.0.username'],
    ],
    ['the user public of PostgreSQL', { ...DB, username: 'public' }, ['engine.username databases.0.username']],
    ['none for the user root of PostgreSQL', { ...DB, username: 'root' }, []],
    [
      'a database name for Redis',
      { key: 'db', engine: 'redis', database: 'x' },
      ['database.ignored databases.0.database'],
    ],
    [
      'extensions of MySQL, only once',
      { key: 'db', engine: 'mysql', extensions: ['nope', 'pgvector'] },
      ['extension.engine databases.0.extensions'],
    ],
    ['none for a blank extension of MySQL', { key: 'db', engine: 'mysql', extensions: [' '] }, []],
    ['none for extensions in upper and lower case', extended([' PgVector ', 'uuid-OSSP']), []],
    [
      'all unknown extensions together',
      extended(['postgis', 'citext', 'plv8']),
      ['extension.unknown databases.0.extensions'],
    ],
    [
      'extensions of an unknown version',
      extended(['citext'], { version: '14' }),
      ['engine.version databases.0.version', 'extension.version databases.0.extensions'],
    ],
    [
      'limits',
      { ...DB, limits: { cpu: 0, memory: '1Mi' } },
      ['limits.cpu databases.0.limits.cpu', 'limits.memory databases.0.limits.memory'],
    ],
  ];
  for (const [what, database, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftOf({ ...NINE, databases: [database] })), said));
  }

  test('reports an old minCubeship only for valid extensions', () => {
    const said = (extensions: string[]) =>
      meaningOf(draftOf({ minCubeship: '0.8.0', databases: [extended(extensions)] }));
    assert.deepEqual(said(['citext']), ['extension.min-cubeship databases.0.extensions']);
    assert.deepEqual(said(['postgis']), ['extension.unknown databases.0.extensions']);
    assert.deepEqual(said([]), []);
  });

  test('reports a database name on Redis as a warning', () => {
    const [problem] = problemsOf(draftOf({ databases: [{ key: 'db', engine: 'redis', database: 'x' }] }));
    assert.equal(problem?.severity, 'warning');
  });
});

test('checks the limits of object stores', () => {
  assert.deepEqual(meaningOf(draftOf({ stores: [{ key: 'files', limits: { memory: 'much' } }] })), [
    'limits.memory stores.0.limits.memory',
  ]);
});
