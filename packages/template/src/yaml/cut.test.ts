import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutFirstDocument } from './cut.ts';
import { LIMITS } from './limits.ts';

test('stops at the nesting limit regardless of the remaining text', () => {
  for (const open of ['[', '{a: ', '- ', '? ']) {
    const cut = cutFirstDocument(open.repeat(100_000));
    assert.ok('over' in cut && cut.over === 'depth', open);
    assert.ok(cut.offset <= open.length * LIMITS.depth, `${open}: read up to ${cut.offset}`);
  }
});

test('stops at the count limits regardless of the remaining text', () => {
  for (const [line, over] of Object.entries({ 'a: 1\n': 'nodes', '#\n': 'tokens', '%A\n': 'directives' })) {
    const offsets = [50_000, 100_000].map((count) => {
      const cut = cutFirstDocument(line.repeat(count));
      assert.ok('over' in cut && cut.over === over, line);
      return cut.offset;
    });
    assert.equal(offsets[0], offsets[1], line);
  }
});

test('treats text similar to a directive as plain text', () => {
  const cut = cutFirstDocument(`a: ${'b%\n   %c '.repeat(20)}`);
  assert.ok('tokens' in cut);
});

test('reads after the first document only up to the next content', () => {
  const cut = cutFirstDocument(`a: 1\n---\n# c\nb: 2\n${'c: ['.repeat(50_000)}`);
  assert.ok('tokens' in cut);
  assert.equal(cut.more, 13);
});
