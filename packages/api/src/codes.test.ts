import assert from 'node:assert/strict';
import test from 'node:test';
import { CODE_GROUPS } from './codes.ts';
import { ERRORS, FIELD_CODES, UNAVAILABLE_CODES } from './errors.ts';

const ALL = CODE_GROUPS.flatMap(({ codes }) => Object.entries(codes));

test('each error code is defined in only one group', () => {
  const names = ALL.map(([code]) => code);
  const twice = names.filter((code, i) => names.indexOf(code) !== i);
  assert.deepEqual(twice, [], 'use the code that is there, or choose another name');
});

test('each error code has a snake_case name and full sentences as texts', () => {
  for (const [code, { meaning, action }] of ALL) {
    // Codes with a dot belong to template checks, which have their own list.
    assert.match(code, /^[a-z]+(_[a-z0-9]+)*$/);
    for (const sentence of [meaning, action]) assert.match(sentence, /^[A-Z].*\.$/s, `${code}: ${sentence}`);
  }
  for (const [code, meaning] of Object.entries(FIELD_CODES)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/);
    assert.match(meaning, /^[A-Z].*\.$/, code);
  }
});

test('UNAVAILABLE_CODES lists exactly the error codes with status 503', () => {
  const found = Object.entries(ERRORS).filter(([, { status }]) => status === 503);
  assert.deepEqual(
    found.map(([code]) => code),
    [...UNAVAILABLE_CODES],
  );
});
