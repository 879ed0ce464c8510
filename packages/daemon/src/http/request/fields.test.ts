import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppCreate, AppPatch, DavitError, LoginInput, operations, VariablesPatch } from '@davit/api';
import type { z } from 'zod';
import { validate } from './fields.ts';

function message(schema: z.ZodType, value: unknown): string {
  try {
    validate(schema, value, 'request');
  } catch (error) {
    assert.ok(error instanceof DavitError);
    assert.equal(error.code, 'invalid_input');
    return error.message;
  }
  return 'valid';
}

const app = { project: 'shop', name: 'web', source: 'image', image: 'nginx' };

describe('messages of validate for a wrong field', () => {
  const cases: [schema: z.ZodType, value: unknown, expected: string][] = [
    [AppCreate, app, 'valid'],
    [AppCreate, { ...app, colour: 'red' }, 'colour: is not a field of this request.'],
    [AppCreate, { ...app, health: { colour: 1 } }, 'health.colour: is not a field of this request.'],
    [AppCreate, { ...app, health: { path: 'x' } }, 'health.path: must start with “/” and have no query or fragment.'],
    [AppCreate, { ...app, health: [] }, 'health: must be an object.'],
    [AppCreate, { ...app, name: undefined }, 'name: is required.'],
    [AppCreate, { ...app, name: 5 }, 'name: must be a string.'],
    [AppCreate, { ...app, name: null }, 'name: must be a string.'],
    [AppCreate, { ...app, source: 'git' }, 'source: must be one of image, registry, external.'],
    [
      AppCreate,
      { ...app, image: 'docker.io/davit-a1b2c3d4/shop/production/web' },
      'image: must not be a name that Davit gives to images of releases: use the original name of the image.',
    ],
    [AppCreate, { ...app, port: 1.5 }, 'port: must be a whole number.'],
    [AppCreate, { ...app, port: 0 }, 'port: must be at least 1.'],
    [AppCreate, { ...app, port: 65_536 }, 'port: must be at most 65535.'],
    [AppCreate, { ...app, port: Number.POSITIVE_INFINITY }, 'port: must be a number.'],
    [AppCreate, { ...app, command: [] }, 'command: must have at least 1 item.'],
    [AppCreate, { ...app, command: ['a', 5] }, 'command.1: must be a string.'],
    [AppPatch, { limits: { memory_bytes: 4_194_304 } }, 'limits.memory_bytes: must be at least 6 MiB (6291456 bytes).'],
    [AppPatch, { stop: { drain_s: -1 } }, 'stop.drain_s: must be at least 0.'],
    [LoginInput, { username: 'x'.repeat(2_000), password: '' }, 'username: must have at most 1024 characters.'],
    [
      VariablesPatch,
      { set: { 'a b': '1' } },
      'set.a b: the name must contain only letters, digits, “_” and “.”, and must not start with a digit or a dot.',
    ],
  ];
  for (const [schema, value, expected] of cases) {
    it(expected, () => assert.equal(message(schema, value), expected));
  }

  it('shorten the path of a field with a long name', () => {
    assert.match(message(AppCreate, { ...app, ['k'.repeat(500)]: 1 }), /^k{99}…: is not a field/);
  });

  it('stay on a single line for names with line breaks', () => {
    const name = `a\n\u2028${'b'.repeat(500)}`;
    assert.match(message(VariablesPatch, { set: { [name]: '1' } }), /^set\.a\\n\\u2028b{1,100}…: the name must/);
  });

  it('name the wrong parameter of a query', () => {
    const schema = operations.deployApp.query;
    assert.throws(() => validate(schema, { wait: 'yes' }, 'query'), { message: 'wait: must be true or false.' });
    assert.throws(() => validate(schema, { x: '1' }, 'query'), { message: 'x: is not a field of this query.' });
  });
});
