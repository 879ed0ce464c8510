/** The API and the template package each have a rule for bucket names, because neither package depends on the other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBucketName, NewBucketName } from '@davit/api';
import { isNewBucketName } from '@davit/template';

const LETTERS = 'a'.repeat(63);
const GIVEN = ['abc', 'up-loads', 'a.b.c', '1a2', '127.0.0', LETTERS];
const OLD = ['Uploads', 'up_loads', `${LETTERS}a`, '10.0.0.1', 'a'.repeat(255)];
const NONE = ['', 'ab', '-abc', 'abc-', '.abc', 'abc.', 'a..b', 'a/b', 'a b', 'ü-loads', 'abc\n', 'a'.repeat(256)];

test('isNewBucketName and the template schema accept the same bucket names', () => {
  for (const name of [...GIVEN, ...OLD, ...NONE])
    assert.deepEqual(
      [name, isNewBucketName(name), NewBucketName.safeParse(name).success],
      [name, GIVEN.includes(name), GIVEN.includes(name)],
    );
});

test('isBucketName accepts older bucket names and refuses invalid names', () => {
  for (const name of [...GIVEN, ...OLD]) assert.ok(isBucketName(name), name);
  for (const name of NONE) assert.ok(!isBucketName(name), name);
});
