import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { mergePatch } from './merge-patch.ts';

const fields = () => fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('objects merge, arrays replace, null removes', () => {
  const merged = mergePatch({ a: { b: 1, c: 2 }, d: [1, 2], e: 3 }, { a: { b: null, x: 9 }, d: [3], e: null });

  assert.deepEqual(merged, { a: { c: 2, x: 9 }, d: [3] });
});

test('a field for which null is a value keeps it, at the top only', () => {
  assert.deepEqual(mergePatch({ port: 1, a: { port: 1 } }, { port: null, a: { port: null } }, ['port']), {
    port: null,
    a: {},
  });
});

test('a patch laid over twice is laid over once', () => {
  fc.assert(
    fc.property(fields(), fields(), (target, patch) => {
      const once = mergePatch(target, patch);
      assert.deepEqual(plain(mergePatch(once, patch)), plain(once));
    }),
  );
});

test('no null of a patch is left in the result, and what it does not name stays', () => {
  fc.assert(
    fc.property(fields(), fields(), (target, patch) => {
      const merged = mergePatch(target, patch);
      for (const [key, value] of Object.entries(patch)) if (value === null) assert.ok(!Object.hasOwn(merged, key));
      for (const key of Object.keys(target)) {
        if (!Object.hasOwn(patch, key)) assert.deepEqual(merged[key], target[key]);
      }
    }),
  );
});

test('the target is left as it was', () => {
  fc.assert(
    fc.property(fields(), fields(), (target, patch) => {
      const before = structuredClone(target);
      mergePatch(target, patch);
      assert.deepEqual(target, before);
    }),
  );
});
