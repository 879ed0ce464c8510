import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { layersOf } from './storage.ts';

const entry = (CreatedBy: string, Size: number, Created = 1) => ({ Created, CreatedBy, Size });

describe('the layers of an image', () => {
  it('have the same keys in images that share them, and no others', () => {
    const base = [entry('ADD rootfs', 100), entry('ENV A=1', 0), entry('RUN install', 50)];
    const one = layersOf([...base, entry('COPY app', 7)].reverse());
    const other = layersOf([...base, entry('COPY app', 8)].reverse());

    assert.deepEqual(
      one.map(({ bytes }) => bytes),
      [100, 50, 7],
    );
    const shared = one.filter(({ key }) => other.some((layer) => layer.key === key));
    assert.deepEqual(
      shared.map(({ bytes }) => bytes),
      [100, 50],
    );
  });

  it('differ where the same command was run on another base', () => {
    const [a] = layersOf([entry('RUN install', 50), entry('ADD one', 0)]);
    const [b] = layersOf([entry('RUN install', 50), entry('ADD two', 0)]);
    assert.notEqual(a?.key, b?.key);
  });
});
