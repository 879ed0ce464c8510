import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { layersOf } from './storage.ts';

const history = (...sizes: number[]) => sizes.map((Size) => ({ Size })).reverse();
const sharedOf = (one: ReturnType<typeof layersOf>, other: typeof one) =>
  one.filter(({ key }) => other.some((layer) => layer.key === key)).map(({ bytes }) => bytes);

describe('layers of an image', () => {
  it('have the same keys in images that share the layers', () => {
    const one = layersOf(history(100, 0, 50, 7), ['base', 'install', 'one']);
    const other = layersOf(history(100, 0, 50, 8), ['base', 'install', 'other']);

    assert.deepEqual(
      one.map(({ bytes }) => bytes),
      [100, 50, 7],
    );
    assert.deepEqual(sharedOf(one, other), [100, 50]);
  });

  it('have different keys on different base layers', () => {
    const one = layersOf(history(50, 50), ['one', 'install']);
    const other = layersOf(history(50, 50), ['other', 'install']);

    assert.deepEqual(sharedOf(one, other), []);
  });

  it('have different keys if only their history is the same', () => {
    const one = layersOf(history(50), ['one']);
    const other = layersOf(history(50), ['other']);

    assert.deepEqual(sharedOf(one, other), []);
  });

  it('have different keys if empty layers come before different layers', () => {
    const one = layersOf(history(0, 50), ['empty', 'one']);
    const other = layersOf(history(0, 50), ['empty', 'other']);

    assert.deepEqual(sharedOf(one, other), []);
  });
});
