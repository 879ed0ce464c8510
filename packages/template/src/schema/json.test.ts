import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { fitting, type Json, mutate, mutation } from '../../test/support/values.ts';
import { readTemplate } from '../read.ts';
import { SCHEMA_ID, templateSchema } from './json.ts';
import { TEMPLATE } from './template.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, allowUnionTypes: true });
const isValid = ajv.compile(templateSchema());
const SEED = { seed: 20_260_102 };

test('accepts generated valid values in both the reader and the JSON Schema', () => {
  fc.assert(
    fc.property(fitting(TEMPLATE), (value) => {
      assert.deepEqual(verdicts(value), { schema: true, json: true, block: true });
    }),
    { ...SEED, numRuns: 25 },
  );
});

test('judges randomly changed values the same in reader and JSON Schema', () => {
  const seen = { right: 0, wrong: 0 };
  const changed = fc.tuple(fitting(TEMPLATE), fc.array(mutation, { minLength: 1, maxLength: 2 }));
  fc.assert(
    fc.property(changed, ([value, mutations]) => {
      const { schema, json, block } = verdicts(mutations.reduce(mutate, value));
      seen[schema ? 'right' : 'wrong'] += 1;
      assert.equal(json, schema, 'as JSON');
      assert.equal(block, schema, 'in block style');
    }),
    { ...SEED, numRuns: 150 },
  );
  assert.ok(seen.right > 20 && seen.wrong > 50, `both happen: ${JSON.stringify(seen)}`);
});

test('names the id and the dialect in the JSON Schema', () => {
  assert.equal(templateSchema().$id, SCHEMA_ID);
  assert.equal(templateSchema().$schema, 'https://json-schema.org/draft/2020-12/schema');
});

/** Returns whether a value has a valid shape, according to the schema and to the reader in both styles of YAML. */
function verdicts(value: Json): { schema: boolean; json: boolean; block: boolean } {
  return {
    schema: isValid(value),
    json: readTemplate(printable(JSON.stringify(value))).draft !== null,
    block: readTemplate(inBlocks(value)).draft !== null,
  };
}

function inBlocks(value: Json): string {
  // Keys and texts are in double quotes, because the library has other rules for unquoted text.
  const text = stringify(value, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE', lineWidth: 0 });
  return printable(text);
}

/** YAML requires escapes for some characters that JSON allows in quotes. */
function printable(text: string): string {
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
