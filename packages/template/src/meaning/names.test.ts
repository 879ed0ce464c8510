import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DB, DOMAIN, draftOf, meaningOf } from '../../test/support/drafts.ts';
import type { Draft } from '../draft.ts';

const other = { ...APP, domains: [] };

describe('reported problems of keys and names', () => {
  const cases: [what: string, parts: Partial<Draft>, said: string[]][] = [
    ['none for one key of different kinds', { databases: [{ ...DB, key: 'web' }], stores: [{ key: 'web' }] }, []],
    ['a duplicate key of inputs', { inputs: [DOMAIN, DOMAIN] }, ['key.duplicate inputs.1.key']],
    [
      'each repetition of a key of apps, and of the names derived from the key',
      { apps: [APP, other, other] },
      [
        'key.duplicate apps.1.key',
        'name.duplicate apps.1.name',
        'key.duplicate apps.2.key',
        'name.duplicate apps.2.name',
      ],
    ],
    [
      'only the key if the names differ',
      { databases: [DB, { ...DB, name: 'two' }] },
      ['key.duplicate databases.1.key'],
    ],
    [
      'a name that is the key of another app',
      { apps: [APP, { ...other, key: 'b', name: 'web' }] },
      ['name.duplicate apps.1.name'],
    ],
    ['a key that is not a valid name', { apps: [{ ...APP, key: 'webApp' }] }, ['name.reserved apps.0.name']],
    ['none for such a key with a separate name', { apps: [{ ...APP, key: 'webApp', name: 'web' }] }, []],
    ['the app key `settings`', { apps: [{ ...APP, key: 'settings' }] }, ['name.reserved apps.0.name']],
    ['the database name `engines`', { databases: [{ ...DB, name: 'engines' }] }, ['name.reserved databases.0.name']],
    ['the store key `providers`', { stores: [{ key: 'providers' }] }, ['name.reserved stores.0.name']],
    [
      'none for reserved names of other kinds',
      { databases: [{ ...DB, name: 'providers' }], stores: [{ key: 'engines' }] },
      [],
    ],
    ['none for the project name `settings`', { project: 'settings', environment: 'settings' }, []],
  ];
  for (const [what, parts, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftOf(parts)), said));
  }
});
