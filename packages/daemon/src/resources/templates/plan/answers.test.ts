import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import type { Manifest, ManifestInput } from '@davit/template';
import { answer, numberText } from './answers.ts';
import { generateSecret } from './generate.ts';

const CHECKS = {
  host: (text: string) =>
    text.includes('.') ? { host: text.toLowerCase() } : { problem: 'It must be a whole host name.' },
  hasStore: (name: string) => name === 'backups',
};

const input = (of: Partial<ManifestInput>): ManifestInput => {
  return { key: 'it', type: 'text', label: 'It', required: true, ...of };
};

function answered(of: Partial<ManifestInput>, given?: string) {
  const manifest = { inputs: [input(of)] } as unknown as Manifest;
  const { answers, problems, generated } = answer(manifest, given === undefined ? {} : { it: given }, CHECKS);
  return { text: answers.it, problem: problems[0]?.message, generated };
}

describe('answer to a template input', () => {
  const good: [string, Partial<ManifestInput>, string | undefined, string][] = [
    ['is trimmed', {}, '  word ', 'word'],
    ['is not trimmed if it is a secret', { type: 'secret' }, ' word ', ' word '],
    ['is the default if it is absent', { default: 'usual' }, undefined, 'usual'],
    ['is the default if it is empty but required', { default: 'usual' }, '', 'usual'],
    ['stays empty if the input is optional', { default: 'usual', required: false }, '', ''],
    ['is normalized if it is a host name', { type: 'domain' }, 'Shop.Example.com', 'shop.example.com'],
    ['keeps the spelling of a number', { type: 'number' }, '007.50', '007.50'],
    ['can be one of the options', { type: 'choice', options: ['a', 'b'] }, 'b', 'b'],
    ['can match the whole pattern', { pattern: '[a-z]+' }, 'abc', 'abc'],
    ['can be an existing object store', { type: 'store' }, 'backups', 'backups'],
    ['is the default number without an exponent', { type: 'number', default: 1_000_000 }, undefined, '1000000'],
  ];
  for (const [what, of, given, text] of good) {
    test(what, () => assert.deepEqual(answered(of, given), { text, problem: undefined, generated: [] }));
  }

  const bad: [string, Partial<ManifestInput>, string | undefined, RegExp][] = [
    ['that is missing', {}, undefined, /is required/],
    ['that is empty', {}, '   ', /is required/],
    ['that is not a host name', { type: 'domain' }, 'shop', /whole host name/],
    ['that is not a number', { type: 'number' }, 'NaN', /must be a number/],
    ['with an exponent', { type: 'number' }, '1e3', /must be a number/],
    ['that is too small', { type: 'number', min: 1_000_000 }, '5', /at least 1000000/],
    ['that is too large', { type: 'number', max: 4 }, '5', /at most 4/],
    ['that is not an option', { type: 'choice', options: ['a'] }, 'b', /one of a/],
    ['that matches the pattern only in part', { pattern: '[a-z]+' }, 'abc1', /must match/],
    ['that is not an existing object store', { type: 'store' }, 'none', /This object store does not exist/],
    ['with a NUL character', { type: 'secret' }, 'a\0b', /NUL/],
  ];
  for (const [what, of, given, reason] of bad) {
    test(`${what} is refused with a specific reason`, () => assert.match(answered(of, given).problem ?? '', reason));
  }

  test('is refused for an input that the template does not have', () => {
    const { problems } = answer({ inputs: [] } as unknown as Manifest, { other: 'x' }, CHECKS);
    assert.deepEqual(problems, [
      { field: 'inputs.other', code: 'unknown', message: 'The template does not have this input.' },
    ]);
  });

  test('is generated for an unanswered or empty secret', () => {
    for (const given of [undefined, '']) {
      const { text, generated } = answered({ type: 'secret', generate: 12 }, given);
      assert.match(text ?? '', /^[A-Za-z0-9]{12}$/);
      assert.deepEqual(generated, ['it']);
    }
  });
});

test('generateSecret uses the requested format and never repeats a secret', () => {
  const formats: [Partial<ManifestInput>, RegExp][] = [
    [{ generate: 40 }, /^[A-Za-z0-9]{40}$/],
    [{ format: 'hex', bytes: 16 }, /^[0-9a-f]{32}$/],
    [{ format: 'base64', bytes: 32 }, /^[A-Za-z0-9+/]{43}=$/],
    [{ format: 'base64url', bytes: 32 }, /^[A-Za-z0-9_-]{43}$/],
    [{ format: 'uuid' }, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ];
  for (const [of, form] of formats) {
    const secrets = new Set(Array.from({ length: 50 }, () => generateSecret(input({ type: 'secret', ...of }))));
    assert.equal(secrets.size, 50);
    for (const secret of secrets) assert.match(secret, form);
  }
});

test('numberText writes numbers without an exponent', () => {
  const numbers: [number, string][] = [
    [0, '0'],
    [-5, '-5'],
    [1e21, '1000000000000000000000'],
    [0.5, '0.5'],
    [1e-7, '0.0000001'],
    [1e-25, '0'],
  ];
  for (const [number, text] of numbers) assert.equal(numberText(number), text);
});
