import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { DB, draftOf, meaningOf, problemsOf } from '../../test/support/drafts.ts';
import type { DraftDatabase } from '../draft.ts';

const NINE = { minCubeship: '0.9.0' };
const extended = (extensions: string[], more: Partial<DraftDatabase> = {}) => ({ ...DB, extensions, ...more });

describe('reported problems of a database', () => {
  const cases: [what: string, database: DraftDatabase, said: string[]][] = [
    ['nothing of one without a version', { key: 'db', engine: 'mysql' }, []],
    [
      'an engine that is none, and nothing else',
      { ...DB, engine: 'oracle', limits: { cpu: 0 } },
      ['engine.unknown databases.0.engine'],
    ],
    ['an engine that every object has', { ...DB, engine: 'constructor' }, ['engine.unknown databases.0.engine']],
    ['a version of another engine', { ...DB, version: '8.4' }, ['engine.version databases.0.version']],
    ['a user of redis', { key: 'db', engine: 'redis', username: 'shop' }, ['engine.username databases.0.username']],
    ['nothing of the only user of redis', { key: 'db', engine: 'redis', username: 'default' }, []],
    ['root of mariadb', { key: 'db', engine: 'mariadb', username: 'root' }, ['engine.username databases.0.username']],
    ['public of postgres', { ...DB, username: 'public' }, ['engine.username databases.0.username']],
    ['nothing of root of postgres', { ...DB, username: 'root' }, []],
    ['a database of redis', { key: 'db', engine: 'redis', database: 'x' }, ['database.ignored databases.0.database']],
    [
      'extensions of mysql, once',
      { key: 'db', engine: 'mysql', extensions: ['nope', 'pgvector'] },
      ['extension.engine databases.0.extensions'],
    ],
    ['nothing of no extensions of mysql', { key: 'db', engine: 'mysql', extensions: [' '] }, []],
    ['nothing of extensions in any case', extended([' PgVector ', 'uuid-OSSP']), []],
    [
      'all extensions that are none, together',
      extended(['postgis', 'citext', 'plv8']),
      ['extension.unknown databases.0.extensions'],
    ],
    [
      'extensions on a version without them',
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
