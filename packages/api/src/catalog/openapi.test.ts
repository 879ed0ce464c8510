import assert from 'node:assert/strict';
import test from 'node:test';
import { CATALOG_ERRORS } from './errors.ts';
import { catalogDocument } from './openapi.ts';
import { allCatalogOperations } from './operations.ts';
import { CATALOG_TAGS } from './tags.ts';

interface Operation {
  operationId: string;
  tags: string[];
  description: string;
  responses: Record<string, { $ref?: string }>;
}
const document = catalogDocument('1.0.0') as {
  security: unknown;
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('no operation of the catalog API needs a key', () => {
  assert.deepEqual(document.security, []);
  assert.equal(operations.length, allCatalogOperations.length);
});

test('every operation of the catalog API has a tag, a description and responses for invalid requests', () => {
  for (const { operationId, tags, description, responses } of operations) {
    assert.ok(tags.length === 1 && tags[0] && Object.hasOwn(CATALOG_TAGS, tags[0]), operationId);
    assert.match(description, /\.$/, operationId);
    assert.ok(responses[400]?.$ref, operationId);
  }
});

test('an operation with query parameters declares the error for an invalid query', () => {
  for (const { id } of allCatalogOperations.filter(({ query }) => query)) {
    const { responses } = operations.find(({ operationId }) => operationId === id) ?? assert.fail(id);
    assert.equal(responses[400]?.$ref, '#/components/responses/invalid_query', id);
  }
});

test('every error of the catalog API is a response of an operation', () => {
  const used = new Set(operations.flatMap(({ responses }) => Object.values(responses).map(({ $ref }) => $ref)));
  for (const code of Object.keys(CATALOG_ERRORS)) assert.ok(used.has(`#/components/responses/${code}`), code);
});
