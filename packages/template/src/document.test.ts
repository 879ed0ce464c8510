import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Path } from './diagnostic.ts';
import { parseYaml } from './yaml/parse.ts';

const TEXT = 'project: shop\napps:\n  - key: web\n    env:\n      "😀": x\n  - {key: worker, 😀a: 1, b: 2}\n';

function placeOf(...path: Path): string {
  const { line, column } = parseYaml(TEXT).document?.locate(path) ?? {};
  return `${line}:${column}`;
}

test('locates a path to a key at the key', () => {
  assert.equal(placeOf('project'), '1:1');
  assert.equal(placeOf('apps', 0, 'env'), '4:5');
  assert.equal(placeOf('apps', 0, 'env', '😀'), '5:7');
});

test('locates a path to a list item at the item’s value', () => {
  assert.equal(placeOf('apps', 0), '3:5');
  assert.equal(placeOf('apps', 1), '6:5');
});

test('counts columns in code points', () => {
  assert.equal(placeOf('apps', 1, 'b'), '6:26');
});

test('locates an unknown path at the nearest existing parent', () => {
  assert.equal(placeOf('apps', 0, 'env', 'MISSING'), '4:5');
  assert.equal(placeOf('apps', 7, 'key'), '2:1');
  assert.equal(placeOf('apps', 0, 'key', 'deeper'), '3:5');
  assert.equal(placeOf('toString'), '1:1');
  assert.equal(placeOf(), '1:1');
});
