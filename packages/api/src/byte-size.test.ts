import assert from 'node:assert/strict';
import test from 'node:test';
import { readByteSize } from './byte-size.ts';

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
