import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_GROUPS } from './codes.ts';
import { FIELD_CODES } from './errors.ts';
import { HELP_SECTIONS, helpPath, isHelpPath } from './help.ts';

const CODES = Object.values(HELP_SECTIONS).flat();

test('each code in the help sections is a known code and has one section', () => {
  assert.equal(new Set(CODES).size, CODES.length);
  const known = new Set([...CODE_GROUPS.flatMap(({ codes }) => Object.keys(codes)), ...Object.keys(FIELD_CODES)]);
  assert.deepEqual(
    CODES.filter((code) => !known.has(code)),
    [],
  );
});

test('helpPath returns the path of the first code with a help section', () => {
  assert.equal(helpPath('conflict', 'taken', 'forbidden'), '/help/solve-common-problems#name-or-host-taken');
  assert.equal(helpPath('conflict', null, undefined), null);
  assert.ok(CODES.every((code) => isHelpPath(helpPath(code))));
});
