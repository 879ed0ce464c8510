import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { DB, DOMAIN, draftWith, meaningOf, problemsOf } from '../../test/support/drafts.ts';
import type { Draft, DraftApp, DraftAttachment } from '../draft.ts';

const PARTS: Partial<Draft> = {
  inputs: [
    DOMAIN,
    { key: 'archive', type: 'store', label: 'x' },
    { key: 'size', type: 'choice', label: 'x', options: ['s', 'l'] },
  ],
  databases: [
    DB,
    { key: 'other', engine: 'mysql' },
    { key: 'cache', engine: 'redis' },
    { key: 'docs', engine: 'mongodb' },
  ],
  stores: [{ key: 'files' }],
};
const at = 'apps.0.attach';

function said(attach: DraftAttachment[], more: Partial<DraftApp> = {}, parts: Partial<Draft> = {}): string[] {
  return meaningOf(draftWith({ attach, ...more }, { ...PARTS, ...parts }));
}

describe('reported problems of attachments', () => {
  const cases: [what: string, attach: DraftAttachment[], said: string[]][] = [
    [
      'none for databases with different variables',
      [{ database: 'db' }, { database: 'cache' }, { database: 'docs' }],
      [],
    ],
    [
      'none for a declared store and a store input',
      [
        { store: 'files', bucket: 'a' },
        { store: 'archive', bucket: 'b', prefix: 'ARCHIVE_' },
      ],
      [],
    ],
    ['none for an empty prefix', [{ database: 'db', prefix: '' }], []],
    ['neither a database nor a store', [{}], [`attach.kind ${at}.0`]],
    ['both a database and a store', [{ database: 'db', store: 'files', bucket: 'a' }], [`attach.kind ${at}.0`]],
    ['an unknown database', [{ database: 'nope' }], [`attach.unknown ${at}.0.database`]],
    ['the key of a store as a database', [{ database: 'files' }], [`attach.unknown ${at}.0.database`]],
    ['an unknown store', [{ store: 'nope', bucket: 'a' }], [`attach.unknown ${at}.0.store`]],
    ['an input that is not a store input', [{ store: 'domain', bucket: 'a' }], [`attach.unknown ${at}.0.store`]],
    ['a missing bucket', [{ store: 'files' }], [`attach.bucket ${at}.0.bucket`]],
    [
      'no missing bucket of an unknown store',
      [{ store: 'nope', prefix: 'x' }],
      [`attach.prefix ${at}.0.prefix`, `attach.unknown ${at}.0.store`],
    ],
    [
      'each collision once, in the order of the file',
      [{ database: 'db' }, { database: 'other' }, { database: 'nope' }, { database: 'other' }, {}],
      [
        ...[`attach.collision ${at}.1.prefix`, `attach.unknown ${at}.2.database`],
        ...[`attach.collision ${at}.3.prefix`, `attach.kind ${at}.4`],
      ],
    ],
    ['none for databases with different prefixes', [{ database: 'db' }, { database: 'other', prefix: 'OTHER_' }], []],
    [
      'a store that is attached twice',
      [
        { store: 'files', bucket: 'a' },
        { store: 'files', bucket: 'b' },
      ],
      [`attach.collision ${at}.1.prefix`],
    ],
  ];
  for (const [what, attach, expected] of cases) test(what, () => assert.deepEqual(said(attach), expected));

  for (const prefix of ['cache_', 'CACHE', '1_', '_', 'A-_', 'A_ ']) {
    test(`reports the invalid prefix “${prefix}”`, () => {
      assert.deepEqual(said([{ database: 'db', prefix }]), [`attach.prefix ${at}.0.prefix`]);
    });
  }
});

describe('reported problems of attachment variables', () => {
  test('warns about each attachment variable overridden by env', () => {
    const draft = draftWith(
      { attach: [{ database: 'db' }], env: { DATABASE_URL: 'a', DATABASE_HOST: 'b', REDIS_URL: 'c' } },
      PARTS,
    );
    assert.deepEqual(
      problemsOf(draft).map(({ severity, code, path }) => `${severity} ${code} ${path.join('.')}`),
      ['warning attach.collision apps.0.env.DATABASE_HOST', 'warning attach.collision apps.0.env.DATABASE_URL'],
    );
  });

  test('does not warn about REDIS_NAME on a Redis attachment', () => {
    assert.deepEqual(said([{ database: 'cache' }], { env: { REDIS_NAME: 'a' } }), []);
  });
});

describe('attachments with exclusive conditions', () => {
  const when = (equals: string) => ({ input: 'size', equals });
  const minVersion = '0.1.0';

  test('accepts attachments with mutually exclusive conditions', () => {
    const attach = [
      { database: 'db', when: when('s') },
      { database: 'other', when: when('l') },
    ];
    assert.deepEqual(said(attach, {}, { minVersion }), []);
  });

  test('accepts attachments of databases with mutually exclusive conditions', () => {
    const databases = [
      { ...DB, when: when('s') },
      { key: 'other', engine: 'mysql', when: { input: 'size', not: 's' } },
    ];
    const attach = [
      { database: 'db', when: when('s') },
      { database: 'other', when: when('l') },
    ];
    assert.deepEqual(said(attach, {}, { minVersion, databases }), []);
  });

  test('reports a collision if both attachments can exist together', () => {
    const attach = [{ database: 'db', when: when('s') }, { database: 'other' }];
    assert.deepEqual(said(attach, {}, { minVersion }), [`attach.collision ${at}.1.prefix`]);
  });
});
