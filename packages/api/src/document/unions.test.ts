import assert from 'node:assert/strict';
import test from 'node:test';
import { openApiDocument } from '../openapi.ts';
import { changeSchemas, nameOfReference, type OpenApi, type Schema } from './schema.ts';
import { alternativesOf, nameUnions } from './unions.ts';

const document = openApiDocument('1.0.0') as OpenApi;
const { schemas } = document.components;

/** Returns the values of a field with only one possible value. */
function literalOf(schema: Schema | undefined, field: string): string | undefined {
  const values = (schema?.properties as Record<string, Schema> | undefined)?.[field]?.enum;
  return Array.isArray(values) && values.length === 1 ? values[0] : undefined;
}

test('every union of the OpenAPI document is a component', () => {
  const unnamed: string[] = [];
  changeSchemas(document, (schema) => {
    if (alternativesOf(schema)) unnamed.push(JSON.stringify(schema));
    return schema;
  });
  assert.deepEqual(unnamed, [], 'give the schema an ID with .meta({ id: … })');
});

test('a union whose alternatives have different values of one field names this field as its discriminator', () => {
  const found: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const alternatives = (alternativesOf(schema) ?? []).map((one) => schemas[nameOfReference(one) ?? '']);
    const fields = Object.keys((alternatives[0]?.properties as Schema | undefined) ?? {});
    const common = fields.find((field) => alternatives.every((one) => literalOf(one, field) !== undefined));
    const { propertyName } = (schema.discriminator ?? {}) as { propertyName?: string };
    if (alternatives.length > 0) assert.equal(propertyName, common, name);
    if (common) found.push(name);
  }
  assert.ok(found.includes('BackupDestination') && found.includes('EventMessage'), found.join());
});

const withField = (field: Schema, others: Record<string, Schema> = {}): OpenApi => ({
  paths: {},
  components: { schemas: { ...others, Thing: { type: 'object', properties: { field } } } },
});
const fieldOf = ({ components }: OpenApi) =>
  (components.schemas.Thing?.properties as Record<string, Schema> | undefined)?.field;
const A = { $ref: '#/components/schemas/A' };
const B = { $ref: '#/components/schemas/B' };

test('alternatives that differ only in their type become one schema', () => {
  const ip = { type: 'string', format: 'ip' };
  const description = 'Address of the server.';

  assert.deepEqual(fieldOf(nameUnions(withField({ anyOf: [ip, ip], description }))), { ...ip, description });
  assert.deepEqual(fieldOf(nameUnions(withField({ anyOf: [ip, ip, { type: 'null' }] }))), {
    ...ip,
    type: ['string', 'null'],
  });
  assert.deepEqual(fieldOf(nameUnions(withField({ anyOf: [{ type: 'string' }, { type: 'number' }] }))), {
    type: ['string', 'number'],
  });
});

test('a union of components and lists gets the names of its alternatives', () => {
  const named = nameUnions(withField({ anyOf: [A, { type: 'array', items: B }], description: 'Result.' }));

  assert.deepEqual(fieldOf(named), { $ref: '#/components/schemas/AOrBList', description: 'Result.' });
  assert.deepEqual(named.components.schemas.AOrBList?.anyOf, [A, { type: 'array', items: B }]);
});

test('a copy of a named union becomes a reference that keeps its description and null', () => {
  const Choice = { oneOf: [A, B], discriminator: { propertyName: 'kind' } };
  const copy = { oneOf: [A, B, { type: 'null' }], description: 'Choice of the user.' };

  assert.deepEqual(fieldOf(nameUnions(withField(copy, { Choice }))), {
    oneOf: [{ $ref: '#/components/schemas/Choice' }, { type: 'null' }],
    description: 'Choice of the user.',
  });
});

test('a reference that also allows null is a union of the component and null', () => {
  assert.deepEqual(fieldOf(nameUnions(withField({ allOf: [A, { type: ['object', 'null'] }] }))), {
    oneOf: [A, { type: 'null' }],
  });
});
