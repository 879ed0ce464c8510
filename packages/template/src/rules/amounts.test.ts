import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { parseBytes } from './amounts.ts';

describe('parseBytes', () => {
  const cases: [written: string, bytes: number | null][] = [
    ['1Gi', 2 ** 30],
    ['1G', 2 ** 30],
    ['1gI', 2 ** 30],
    ['512Mi', 512 * 2 ** 20],
    ['512m', 512 * 2 ** 20],
    ['64K', 65_536],
    ['64ki', 65_536],
    ['100B', 100],
    ['1073741824', 2 ** 30],
    [' 1Gi ', 2 ** 30],
    ['0.5Gi', 2 ** 29],
    ['1.5', 1],
    ['.5Ki', 512],
    ['5.Ki', 5120],
    ['1e3Ki', 1_024_000],
    ['1_000Ki', 1_024_000],
    ['+1Ki', 1024],
    ['-1Gi', -(2 ** 30)],
    ['0', 0],
    ['1 Gi', 2 ** 30],
    ['1 G i', null],
    [' Gi', null],
    ['1GB', 2 ** 30],
    ['1.5 GiB', 1.5 * 2 ** 30],
    ['1T', 2 ** 40],
    ['1X', null],
    ['Gi', null],
    ['', null],
    ['much', null],
    ['NaN', null],
    ['inf', null],
    ['0x10', null],
    ['1__0', null],
    ['_1', null],
    ['1e30Gi', null],
  ];
  for (const [written, bytes] of cases) {
    test(`reads “${written}” as ${bytes}`, () => assert.equal(parseBytes(written), bytes));
  }
});
