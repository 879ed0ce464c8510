import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { adviceOf, DB, draftWith } from '../../test/support/drafts.ts';

describe('advice on data', () => {
  const buckets: [name: string, isGood: boolean][] = [
    ['uploads', true],
    ['a.b-c1', true],
    ['ab', false],
    ['Uploads', false],
    ['up_loads', false],
    ['-uploads', false],
    ['a..b', false],
    ['a'.repeat(64), false],
  ];
  for (const [name, isGood] of buckets) {
    test(`does ${isGood ? 'not ' : ''}advise against the bucket name ${name.slice(0, 10)}`, () => {
      const draft = draftWith(
        { attach: [{ store: 'files', bucket: name }] },
        { stores: [{ key: 'files', buckets: [name] }] },
      );
      assert.deepEqual(adviceOf(draft), isGood ? [] : ['advice.bucket-name stores.0.buckets.0']);
    });
  }

  test('reports an undeclared bucket only if other buckets are declared', () => {
    const said = (declared: string[]) =>
      adviceOf(
        draftWith(
          { attach: [{ store: 'files', bucket: 'uploads' }] },
          { stores: [{ key: 'files', buckets: declared }] },
        ),
      );
    assert.deepEqual(said([]), []);
    assert.deepEqual(said(['images']), ['advice.bucket apps.0.attach.0.bucket']);
  });

  test('reports a bucket on a database attachment as ignored', () => {
    const draft = draftWith({ attach: [{ database: 'db', bucket: 'a' }] }, { databases: [DB] });
    assert.deepEqual(adviceOf(draft), ['advice.ignored apps.0.attach.0.bucket']);
  });
});
