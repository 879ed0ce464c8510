import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { mergePatch } from './merge-patch.ts';

const fields = () => fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('mergePatch merges objects, replaces arrays, and removes fields set to null', () => {
  const merged = mergePatch({ a: { b: 1, c: 2 }, d: [1, 2], e: 3 }, { a: { b: null, x: 9 }, d: [3], e: null });

  assert.deepEqual(merged, { a: { c: 2, x: 9 }, d: [3] });
});

test('mergePatch keeps null only in listed fields at the top level', () => {
  assert.deepEqual(mergePatch({ port: 1, a: { port: 1 } }, { port: null, a: { port: null } }, ['port']), {
    port: null,
    a: {},
  });
});

test('mergePatch returns the same result if a patch is applied twice', () => {
  fc.assert(
    fc.property(fields(), fields(), (target, patch) => {
      const once = mergePatch(target, patch);
      assert.deepEqual(plain(mergePatch(once, patch)), plain(once));
    }),
  );
});

test('mergePatch removes fields set to null and keeps fields missing from the patch', () => {
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

test('mergePatch does not change the target object', () => {
  fc.assert(
    fc.property(fields(), fields(), (target, patch) => {
      const before = structuredClone(target);
      mergePatch(target, patch);
      assert.deepEqual(target, before);
    }),
  );
});
