import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DB, DOMAIN, draftOf, meaningOf } from '../../test/support/drafts.ts';
import type { Draft } from '../draft.ts';

const other = { ...APP, domains: [] };

describe('reported problems of keys and names', () => {
  const cases: [what: string, parts: Partial<Draft>, said: string[]][] = [
    ['nothing of one key for different kinds', { databases: [{ ...DB, key: 'web' }], stores: [{ key: 'web' }] }, []],
    ['a key of two inputs', { inputs: [DOMAIN, DOMAIN] }, ['key.duplicate inputs.1.key']],
    [
      'a key of three apps, each time again, and of the names that they stand in for',
      { apps: [APP, other, other] },
      [
        'key.duplicate apps.1.key',
        'name.duplicate apps.1.name',
        'key.duplicate apps.2.key',
        'name.duplicate apps.2.name',
      ],
    ],
    [
      'only the key, where names differ',
      { databases: [DB, { ...DB, name: 'two' }] },
      ['key.duplicate databases.1.key'],
    ],
    [
      'a name that is the key of another',
      { apps: [APP, { ...other, key: 'b', name: 'web' }] },
      ['name.duplicate apps.1.name'],
    ],
    ['a key that is no slug', { apps: [{ ...APP, key: 'webApp' }] }, ['name.reserved apps.0.name']],
    ['nothing of such a key with a name', { apps: [{ ...APP, key: 'webApp', name: 'web' }] }, []],
    ['`settings`', { apps: [{ ...APP, key: 'settings' }] }, ['name.reserved apps.0.name']],
    ['`engines` of databases', { databases: [{ ...DB, name: 'engines' }] }, ['name.reserved databases.0.name']],
    ['`providers` of stores', { stores: [{ key: 'providers' }] }, ['name.reserved stores.0.name']],
    ['nothing of these elsewhere', { databases: [{ ...DB, name: 'providers' }], stores: [{ key: 'engines' }] }, []],
    ['nothing of a project `settings`', { project: 'settings', environment: 'settings' }, []],
  ];
  for (const [what, parts, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftOf(parts)), said));
  }
});
