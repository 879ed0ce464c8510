import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LogBuffer } from './log-buffer.ts';
import { ROW_HEIGHT, RowLayout } from './row-layout.ts';

function bufferOf(...lines: string[]): LogBuffer {
  const buffer = new LogBuffer();
  for (const line of lines) buffer.append({ replica: '1-1', stream: 'stdout', at: '2026-01-01T00:00:00Z', line });
  return buffer;
}

it('gives every log row the same height without wrapping', () => {
  const layout = new RowLayout();
  layout.measure(bufferOf('a', 'b'.repeat(5_000), 'c').shown);
  assert.deepEqual([layout.total, layout.offset(2), layout.at(ROW_HEIGHT), layout.at(1e9)], [66, 44, 1, 2]);
});

it('estimates the height of a wrapped row from the line’s length', () => {
  const layout = new RowLayout();
  layout.wrapAt(10);
  layout.measure(bufferOf('a', 'b'.repeat(25), '').shown);
  assert.deepEqual([layout.offset(1), layout.offset(2), layout.total], [22, 88, 110]);
  assert.deepEqual([layout.at(21), layout.at(22), layout.at(87), layout.at(88)], [0, 1, 1, 2]);
});

it('uses measured row heights and updates changed heights', () => {
  const layout = new RowLayout();
  const buffer = bufferOf('a', 'b');
  const first = buffer.shown.first();
  assert.ok(first);
  assert.equal(layout.see(first, 100), true);
  assert.equal(layout.see(first, 100), false);
  layout.measure(buffer.shown);
  assert.equal(layout.total, 122);
  assert.equal(layout.see(first, ROW_HEIGHT), true);
  layout.measure(buffer.shown);
  assert.equal(layout.total, 44);
});
