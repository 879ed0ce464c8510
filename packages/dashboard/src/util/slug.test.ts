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

test('accepts exactly the names accepted by the API schema', () => {
  const accepted = NAMES.filter((name) => Slug.safeParse(name).success);
  assert.deepEqual(
    NAMES.filter((name) => slugProblem(name) === null),
    accepted,
  );
});

test('reports no problem for an empty name', () => {
  assert.equal(slugProblem(''), null);
});
