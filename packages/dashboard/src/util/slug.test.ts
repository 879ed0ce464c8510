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

test('what is typed is judged as the instance judges it', () => {
  const theirs = NAMES.map((name) => Slug.safeParse(name).error?.issues[0]?.message ?? null);
  assert.deepEqual(NAMES.map(slugProblem), theirs);
});

test('nothing is wrong with a name that nobody typed yet', () => {
  assert.equal(slugProblem(''), null);
});
