import assert from 'node:assert/strict';
import test from 'node:test';
import { openApiDocument } from '../openapi.ts';
import { ENUMERATIONS } from './enumeration-names.ts';
import { enumerationOf, nameEnumerations } from './enumerations.ts';
import { changeSchemas, type OpenApi, type Schema } from './schema.ts';

const document = openApiDocument('1.0.0') as OpenApi;
const { schemas } = document.components;

test('every enumeration of the OpenAPI document has a name', () => {
  const unnamed: string[] = [];
  changeSchemas(document, (schema) => {
    if (enumerationOf(schema)) unnamed.push(JSON.stringify(schema.enum));
    return schema;
  });
  assert.deepEqual([...new Set(unnamed)], [], 'give each list a name in enumeration-names.ts');
});

test('every name of an enumeration is in the OpenAPI document', () => {
  for (const [name, values] of Object.entries(ENUMERATIONS))
    assert.deepEqual(schemas[name], { type: 'string', enum: values }, `${name}: no schema has this list`);
});

const withField = (field: Schema): OpenApi => ({
  paths: {},
  components: { schemas: { Thing: { type: 'object', properties: { enum: field } } } },
});
const fieldOf = ({ components }: OpenApi) =>
  (components.schemas.Thing?.properties as Record<string, Schema> | undefined)?.enum;

test('a named enumeration keeps its description, its default and null', () => {
  const values = [...(ENUMERATIONS.Role ?? assert.fail())];
  const plain = { type: 'string', enum: values, default: 'viewer', description: 'Role of the user.' };
  const nullable = { type: ['string', 'null'], enum: [...values, null], description: 'Role of the user.' };
  const $ref = '#/components/schemas/Role';

  assert.deepEqual(fieldOf(nameEnumerations(withField(plain))), {
    $ref,
    default: 'viewer',
    description: 'Role of the user.',
  });
  assert.deepEqual(fieldOf(nameEnumerations(withField(nullable))), {
    oneOf: [{ $ref }, { type: 'null' }],
    description: 'Role of the user.',
  });
});

test('an enumeration cannot have the name of another schema', () => {
  const values = [...(ENUMERATIONS.Role ?? assert.fail())];
  const taken = withField({ type: 'string', enum: values });
  taken.components.schemas.Role = { type: 'object' };

  assert.throws(() => nameEnumerations(taken), /Role is the name of another schema/);
});
