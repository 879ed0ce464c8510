import assert from 'node:assert/strict';
import test from 'node:test';
import { openApiDocument } from './openapi.ts';
import { allOperations } from './operations/index.ts';
import { TAGS } from './tags.ts';

const document = openApiDocument('1.0.0') as { tags: { name: string; description: string }[] };

test('every tag has a description in one sentence and at least one operation', () => {
  assert.deepEqual(
    document.tags.map(({ name }) => name),
    Object.keys(TAGS),
  );
  for (const { name, description } of document.tags) {
    assert.match(description, /^[A-Z].*\.$/, name);
    assert.ok(
      allOperations.some(({ tag }) => tag === name),
      `${name}: remove the tag, no operation has it`,
    );
  }
});
