import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScalarTag } from '../document.ts';
import { numberOf, tagOfExplicit, tagOfPlain } from './scalar.ts';

function typed(tag: ScalarTag, ...texts: string[]): void {
  for (const text of texts) assert.equal(tagOfPlain(text), tag, JSON.stringify(text));
}

test('tagOfPlain reads yes, on and base-60 numbers as strings', () => {
  typed(
    'string',
    'yes',
    'Yes',
    'no',
    'on',
    'off',
    'y',
    'n',
    '1:30',
    '190:20:30',
    'hello',
    'postgres',
    '0.6.0',
    '18-alpine',
  );
});

test('tagOfPlain accepts exactly three spellings each of true and false', () => {
  typed('bool', 'true', 'True', 'TRUE', 'false', 'False', 'FALSE');
  typed('string', 'tRue', 'TRue', 't', 'f');
});

test('tagOfPlain reads an empty scalar, a tilde and null as null', () => {
  typed('null', '', '~', 'null', 'Null', 'NULL');
  typed('string', 'nUll', '~~', 'none', 'nil');
});

test('tagOfPlain reads integers with a sign, underscores and four bases', () => {
  typed(
    'int',
    '0',
    '5',
    '+5',
    '-5',
    '0x10',
    '0X1F',
    '-0x10',
    '0o17',
    '0O17',
    '017',
    '00',
    '0b11',
    '-0b11',
    '1_000',
    '0x_ff',
  );
  typed('string', '0x', '0b12', '0o8', '+', '-', '--1', '1__x', '0xg', '1a');
});

test('tagOfPlain reads octal-like numbers with an 8 or 9 as floats', () => {
  typed('float', '08', '09.5', '018');
});

test('tagOfPlain reads integers beyond 64 bits as floats, or as strings in other bases', () => {
  typed('int', '9223372036854775807', '-9223372036854775808', '18446744073709551615', '+9223372036854775807');
  typed('float', '18446744073709551616', '-9223372036854775809', '+9223372036854775808', '9'.repeat(300));
  typed('int', '0xffffffffffffffff', `0b${'1'.repeat(64)}`);
  typed('string', '0x1ffffffffffffffff', '9'.repeat(400));
});

test('tagOfPlain reads floats with a point or an exponent, but only finite numbers', () => {
  typed('float', '1.0', '1.', '.5', '-.5e3', '1e3', '1E-3', '1_0.5', '+1.5', '.inf', '-.Inf', '+.INF', '.nan', '.NaN');
  typed('string', '.', '1e', '1e999', '.e1', 'inf', 'nan', 'NaN', '.Nan', '1.2.3', '+.nan');
});

test('tagOfPlain reads dates and times as timestamps only if the day exists', () => {
  typed('timestamp', '2024-01-01', '2024-1-1', '2024-02-29', '2024-01-01T10:00:00Z', '2024-01-01t1:2:3.5+02:00');
  typed('timestamp', '2024-01-01 10:00:00', '2024-01-01 10:00:00.123456', '0000-01-01');
  typed('string', '2023-02-29', '2024-13-01', '2024-00-10', '2024-01-32', '2024-01', '24-01-01', '2024-01-01T10:00:00');
  typed('string', '2024-01-01 10:00:00Z', '2024-01-01T25:00:00Z', '2024-01-01x', '20240-01-01');
});

test('tagOfPlain does not read the merge key as a string', () => {
  typed('other', '<<');
  typed('string', '<', '<<<');
});

test('tagOfPlain reads names of built-in object properties as strings', () => {
  typed('string', 'toString', 'constructor', '__proto__', 'None', 'Nothing');
});

test('tagOfExplicit returns the type of a standard YAML tag, and other for unknown tags', () => {
  const tags = ['str', 'int', 'float', 'bool', 'null', 'timestamp', 'binary'].map((tag) => `tag:yaml.org,2002:${tag}`);
  assert.deepEqual(tags.map(tagOfExplicit), ['string', 'int', 'float', 'bool', 'null', 'timestamp', 'other']);
  assert.equal(tagOfExplicit('!mine'), 'other');
});

test('numberOf reads decimal numbers and returns null for other bases and infinite values', () => {
  const numbers = { '017': 17, '1_000': 1000, '+5': 5, '1e3': 1000, '3.0': 3, '-1.5': -1.5, '.5': 0.5, '08': 8 };
  for (const [text, value] of Object.entries(numbers)) assert.equal(numberOf(text), value, text);
  for (const text of ['0x10', '0o17', '0b11', '.inf', '-.inf', '.nan', 'abc', '', '1e999'])
    assert.equal(numberOf(text), null, text);
});
