import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Positions } from './positions.ts';

const TEXT = 'ab\n😀c\r\nd';

test('Positions counts lines and columns from 1, with columns in code points', () => {
  const positions = new Positions(TEXT);
  const located = [0, 1, 3, 5, 6, 8].map((offset) => positions.at(offset));
  assert.deepEqual(
    located.map(({ line, column }) => [line, column]),
    [
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
      [2, 3],
      [3, 1],
    ],
  );
});

test('Positions accepts offsets that go back on the same line and across lines', () => {
  const positions = new Positions(TEXT);
  positions.at(6);
  assert.deepEqual(positions.at(5), { line: 2, column: 2 });
  assert.deepEqual(positions.at(3), { line: 2, column: 1 });
  assert.deepEqual(positions.at(1), { line: 1, column: 2 });
  assert.deepEqual(positions.at(6), { line: 2, column: 3 });
});

test('Positions returns the end of the text for an offset beyond the end', () => {
  assert.deepEqual(new Positions('ab').at(99), { line: 1, column: 3 });
});
