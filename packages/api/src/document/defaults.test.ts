import assert from 'node:assert/strict';
import test from 'node:test';
import { openApiDocument } from '../openapi.ts';
import { describeDefaults, namesInRequests } from './defaults.ts';
import { changeSchema, changeWithin, type OpenApi, type Schema } from './schema.ts';

const document = openApiDocument('1.0.0') as OpenApi;

test('no schema of a request body has the keyword default', () => {
  const found: string[] = [];
  const note = (schema: Schema) => {
    if ('default' in schema) found.push(JSON.stringify(schema));
    return schema;
  };
  const names = namesInRequests(document);
  for (const name of names) changeSchema(document.components.schemas[name] ?? assert.fail(name), note);
  for (const methods of Object.values(document.paths))
    for (const { requestBody } of Object.values(methods as Record<string, Schema>)) changeWithin(requestBody, note);

  assert.ok(names.has('AppCreate') && names.has('Health'), 'direct and inner components');
  assert.deepEqual(found, []);
});

const requesting = (field: Schema): OpenApi => ({
  paths: { '/things': { post: { requestBody: { content: { 'application/json': { schema: A } } } } } },
  components: {
    schemas: { A: { type: 'object', properties: { inner: B } }, B: withField(field), C: withField(field) },
  },
});
const withField = (field: Schema) => ({ type: 'object', properties: { default: field } });
const A = { $ref: '#/components/schemas/A' };
const B = { $ref: '#/components/schemas/B' };
const fieldIn = ({ components: { schemas } }: OpenApi, name: string) =>
  (schemas[name]?.properties as Record<string, Schema> | undefined)?.default;

test('the description of a request field says its default, unless it already says one', () => {
  const cases: [Schema, Schema][] = [
    [{ default: 7, description: 'Days.' }, { description: 'Days. Default: `7`.' }],
    [{ default: 'HEAD', description: 'Tag. Default: `HEAD`.' }, { description: 'Tag. Default: `HEAD`.' }],
    [{ default: '' }, { description: 'Default: empty.' }],
    [{ default: null }, { description: 'Default: `null`.' }],
    [{ default: [] }, { description: 'Default: `[]`.' }],
    [{ default: {}, description: 'Names.' }, { description: 'Names.' }],
    [{ default: {} }, {}],
  ];
  for (const [field, expected] of cases) assert.deepEqual(fieldIn(describeDefaults(requesting(field)), 'B'), expected);
});

test('schemas of responses keep their defaults', () => {
  assert.deepEqual(fieldIn(describeDefaults(requesting({ default: 7 })), 'C'), { default: 7 });
});
