import assert from 'node:assert/strict';
import test from 'node:test';
import { readBytes, writeBytes } from './bytes.ts';

const MIB = 1024 ** 2;

test('sizes are parsed in all common notations', () => {
  const read = ['512 MiB', '512m', '512MB', '1.5g', '1.5 GiB', '64k', '1048576', '2T', ' 6 mib '].map(readBytes);

  assert.deepEqual(read, [512 * MIB, 512 * MIB, 512 * MIB, 1536 * MIB, 1536 * MIB, 65_536, MIB, 2 * MIB ** 2, 6 * MIB]);
});

test('invalid sizes are parsed as null', () => {
  for (const text of ['', 'much', '-1m', '1,5g', '1.g', '12 parsecs', 'm']) assert.equal(readBytes(text), null, text);
});

test('formatted sizes are parsed as the same number of bytes', () => {
  const written = [512 * MIB, 1536 * MIB, 1024 * MIB, 6 * MIB, 1_000_000, 1_500 * MIB, 1024, 1].map(writeBytes);

  assert.deepEqual(written, ['512 MiB', '1.5 GiB', '1 GiB', '6 MiB', '1000000', '1500 MiB', '1 KiB', '1']);
  for (const bytes of [1, 1_023, 1_025, 7 * MIB + 1, 3.25 * 1024 * MIB])
    assert.equal(readBytes(writeBytes(bytes)), bytes);
});
