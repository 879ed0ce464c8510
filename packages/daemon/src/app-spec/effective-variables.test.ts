import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VariableSource } from '@davit/api';
import { type EffectiveVariable, overlay } from './effective-variables.ts';

function of(source: VariableSource, ...keys: string[]): EffectiveVariable[] {
  return keys.map((key) => ({ key, value: source, source, secret: false }));
}

describe('overlay of variable levels', () => {
  it('uses the value of the most specific level for each variable', () => {
    const levels = {
      app: of('app', 'A'),
      attachment: of('attachment', 'A', 'B'),
      environment: of('environment', 'A', 'B', 'C'),
      project: of('project', 'A', 'B', 'C', 'D'),
    };

    assert.deepEqual(
      overlay(levels).map(({ key, source }) => [key, source]),
      [
        ['A', 'app'],
        ['B', 'attachment'],
        ['C', 'environment'],
        ['D', 'project'],
      ],
    );
  });

  it('combines the given levels and returns nothing without levels', () => {
    assert.deepEqual(overlay({ environment: of('environment', 'B'), project: of('project', 'A') }), [
      ...of('project', 'A'),
      ...of('environment', 'B'),
    ]);
    assert.deepEqual(overlay({}), []);
  });
});
