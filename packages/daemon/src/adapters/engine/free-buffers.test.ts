import assert from 'node:assert/strict';
import test from 'node:test';
import { freeBuffers } from './free-buffers.ts';

test('freeBuffers releases the memory of an array immediately', () => {
  const before = process.memoryUsage().arrayBuffers;
  const arrays = Array.from({ length: 8 }, () => Buffer.alloc(1024 * 1024));
  assert.ok(process.memoryUsage().arrayBuffers - before >= 8 * 1024 * 1024);

  freeBuffers(arrays);

  assert.ok(process.memoryUsage().arrayBuffers - before < 1024 * 1024);
  assert.ok(arrays.every(({ length }) => length === 0));
});

test('freeBuffers keeps memory that other buffers share', () => {
  const whole = Buffer.from('one two');
  const ofPool = Buffer.from('short');
  const part = Buffer.alloc(8, 'x').subarray(0, 4);

  freeBuffers([part, ofPool, whole]);

  assert.equal(String(part), 'xxxx');
  assert.equal(String(ofPool), 'short');
});
