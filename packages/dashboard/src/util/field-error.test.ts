import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError, type FieldProblem, invalidField } from '@davit/api';
import { errorFor, errorWithin, formErrorOf, isAboutFields, shownMessage } from './field-error.ts';

const refused = (...fields: FieldProblem[]) => new DavitError('invalid_input', 'Any sentence.', { fields });
const port: FieldProblem = { path: 'port', code: 'too_large', message: 'must be at most 65535.' };
const path: FieldProblem = { path: 'health.path', code: 'invalid_format', message: 'must begin with “/”.' };

describe('field errors', () => {
  it('returns the problem message of each listed field only', () => {
    const error = refused(port, path);
    assert.equal(errorFor(error, 'port'), 'must be at most 65535.');
    assert.equal(errorFor(error, 'health.path'), 'must begin with “/”.');
    assert.equal(errorFor(error, 'health'), null);
  });

  it('ignores field names in error messages without a field list', () => {
    for (const error of [new DavitError('conflict', 'port: is taken.'), new Error('port: is taken.'), null]) {
      assert.equal(errorFor(error, 'port'), null);
      assert.equal(errorWithin(error, 'port'), null);
    }
  });

  it('assigns the problem of a nested value to the parent field', () => {
    const error = invalidField('command.2', 'too_small', 'must not be empty.');
    assert.equal(errorWithin(error, 'command'), '.2: must not be empty.');
    assert.equal(errorWithin(error, 'comm'), null);
    assert.equal(
      errorWithin(error, 'command', (part, message) => `${part} ${message}`),
      '.2 must not be empty.',
    );
  });

  it('keeps only problems without a form field for the general error', () => {
    const both = refused(port, path);
    assert.equal(formErrorOf(both, ['port', 'health.path']), null);
    assert.equal(formErrorOf(both, ['name']), both);
    assert.equal(formErrorOf(both, ['port'])?.message, 'health path: must begin with “/”.');
    const conflict = new DavitError('conflict', 'There is one already.');
    assert.equal(formErrorOf(conflict, ['port']), conflict);
  });

  it('names fields without a form field in words', () => {
    const words: [path: string, expected: string][] = [
      ['slug', 'name: is wrong.'],
      ['limits.memory_bytes', 'limits memory: is wrong.'],
      ['files.0.path', 'files 1 path: is wrong.'],
      ['set.1BAD', '1BAD: is wrong.'],
      ['set.a.b_bytes', 'a.b_bytes: is wrong.'],
      ['', 'is wrong.'],
    ];
    for (const [field, expected] of words)
      assert.equal(shownMessage(refused({ path: field, code: 'invalid', message: 'is wrong.' })), expected);
    const conflict = new DavitError('conflict', 'Taken.', { fields: [port] });
    assert.equal(shownMessage(conflict), 'Taken.');
  });

  it('an edit can correct an error about fields, but no general error and no failed check', () => {
    assert.equal(isAboutFields(refused(port)), true);
    assert.equal(isAboutFields(new DavitError('conflict', 'Taken.', { fields: [port] })), true);
    const failedCheck = new DavitError('check_failed', 'No answer.', { fields: [port] });
    for (const other of [failedCheck, new DavitError('conflict', 'Taken.'), new Error('port'), null])
      assert.equal(isAboutFields(other), false);
  });
});
