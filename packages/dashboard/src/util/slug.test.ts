import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slug } from '@davit/api';
import { slugProblem } from './slug.ts';

const NAMES = [
  'web',
  'a',
  'a-b',
  '1',
  'Web',
  '-a',
  'a-',
  'a_b',
  'ä',
  'settings',
  'setting',
  'a'.repeat(40),
  'a'.repeat(41),
];

test('a name is valid exactly if the instance accepts it', () => {
  const accepted = NAMES.filter((name) => Slug.safeParse(name).success);
  assert.deepEqual(
    NAMES.filter((name) => slugProblem(name) === null),
    accepted,
  );
});

test('nothing is wrong with a name that nobody typed yet', () => {
  assert.equal(slugProblem(''), null);
});
