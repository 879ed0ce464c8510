import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, exactBytes, readByteSize } from './byte-size.ts';

const MIB = 1_024 ** 2;

test('sizes are parsed in all common notations', () => {
  const sizes: Record<string, number> = {
    ...{ '64m': 64 * MIB, '64Mi': 64 * MIB, '64MB': 64 * MIB, '64 MiB': 64 * MIB, '1.5g': 1_536 * MIB },
    ...{ '1.5 GiB': 1_536 * MIB, '64k': 65_536, '2 kb': 2_048, '1048576': MIB, '64b': 64, '2T': 2 * MIB ** 2 },
    ' 6 mib ': 6 * MIB,
  };
  for (const [text, bytes] of Object.entries(sizes)) assert.equal(readByteSize(text), bytes, text);
});

test('invalid sizes are parsed as null', () => {
  for (const text of ['', 'much', '-1m', '1,5g', '1.g', '12 parsecs', 'm', '1x', '1e9', '1i', '1bb', '1 mm'])
    assert.equal(readByteSize(text), null, text);
});

test('numbers of bytes are shown in binary units with few digits', () => {
  const shown = [0, 999, 1_024, 1_536, 12.5 * MIB, 120.4 * MIB, 1_023.9 * MIB, 60 * 1_024 * MIB, 5 * MIB ** 2];
  assert.deepEqual(shown.map(bytes), [
    ...['0 B', '999 B', '1 KiB', '1.5 KiB', '12.5 MiB', '120 MiB'],
    ...['1 GiB', '60 GiB', '5 TiB'],
  ]);
});

test('exact sizes are parsed as the same number of bytes', () => {
  const written = [512 * MIB, 1_536 * MIB, 1_024 * MIB, 6 * MIB, 1_000_000, 1_500 * MIB, 1_024, 1].map(exactBytes);

  assert.deepEqual(written, ['512 MiB', '1.5 GiB', '1 GiB', '6 MiB', '1000000', '1500 MiB', '1 KiB', '1']);
  for (const size of [1, 1_023, 1_025, 7 * MIB + 1, 3.25 * 1_024 * MIB])
    assert.equal(readByteSize(exactBytes(size)), size);
});
