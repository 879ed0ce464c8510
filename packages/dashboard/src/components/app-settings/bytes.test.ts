import assert from 'node:assert/strict';
import test from 'node:test';
import { readByteSize } from '@davit/api';
import { writeBytes } from './bytes.ts';

const MIB = 1024 ** 2;

test('formatted sizes are parsed as the same number of bytes', () => {
  const written = [512 * MIB, 1536 * MIB, 1024 * MIB, 6 * MIB, 1_000_000, 1_500 * MIB, 1024, 1].map(writeBytes);

  assert.deepEqual(written, ['512 MiB', '1.5 GiB', '1 GiB', '6 MiB', '1000000', '1500 MiB', '1 KiB', '1']);
  for (const bytes of [1, 1_023, 1_025, 7 * MIB + 1, 3.25 * 1024 * MIB])
    assert.equal(readByteSize(writeBytes(bytes)), bytes);
});
