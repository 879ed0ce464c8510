import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Path } from './diagnostic.ts';
import { parseYaml } from './yaml/parse.ts';

const TEXT = 'project: shop\napps:\n  - key: web\n    env:\n      "😀": x\n  - {key: worker, 😀a: 1, b: 2}\n';

function positionOf(...path: Path): string {
  const { line, column } = parseYaml(TEXT).document?.locate(path) ?? {};
  return `${line}:${column}`;
}

test('locates a path to a key at the key', () => {
  assert.equal(positionOf('project'), '1:1');
  assert.equal(positionOf('apps', 0, 'env'), '4:5');
  assert.equal(positionOf('apps', 0, 'env', '😀'), '5:7');
});

test('locates a path to a list item at the item’s value', () => {
  assert.equal(positionOf('apps', 0), '3:5');
  assert.equal(positionOf('apps', 1), '6:5');
});

test('counts columns in code points', () => {
  assert.equal(positionOf('apps', 1, 'b'), '6:26');
});

test('locates an unknown path at the nearest existing parent', () => {
  assert.equal(positionOf('apps', 0, 'env', 'MISSING'), '4:5');
  assert.equal(positionOf('apps', 7, 'key'), '2:1');
  assert.equal(positionOf('apps', 0, 'key', 'deeper'), '3:5');
  assert.equal(positionOf('toString'), '1:1');
  assert.equal(positionOf(), '1:1');
});
