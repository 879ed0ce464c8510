import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch, stringifySearch } from './search.ts';

test('keeps the query string unchanged after parsing and serializing', () => {
  const texts = [
    '?state=12345678901234567890',
    '?a=true&b=null',
    '?scope=read+operate',
    '?to=%2Fx%3Fy%3D1',
    '?q=%22%7B',
    '',
  ];
  for (const text of texts) assert.equal(stringifySearch(parseSearch(text)), text);
});

test('omits undefined and null values from the query string', () => {
  assert.equal(stringifySearch({ a: undefined, b: null, c: '', d: 1 }), '?c=&d=1');
});
