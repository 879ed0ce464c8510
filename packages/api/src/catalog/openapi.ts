import { z } from 'zod';
import { CATALOG_ERRORS, type CatalogErrorCode } from './errors.ts';
import { LIMIT, TEMPLATE_BYTES } from './limits.ts';
import { CatalogManifest } from './manifest.ts';
import { allCatalogOperations, CATALOG_TRANSPORT_ERRORS, type CatalogOperation } from './operations.ts';
import * as schemas from './schemas.ts';
import { CATALOG_TAGS } from './tags.ts';

type Json = Record<string, unknown>;

const DESCRIPTION = [
  'API of the public catalog of templates. The API needs no key and allows requests from any origin. The meaning of resources under `/v1` does not change.',
  '**Errors** have the form `{"error": {"code", "message"}}`. Later versions may add codes.',
  '**Caching.** Clients can cache responses for a minute, and icons without a time limit. Each response has a strong `ETag`. A request with the current `ETag` in the header `If-None-Match` gets the status 304.',
  `**Pages.** A list has ${LIMIT.usual} templates per page, unless the request has a \`limit\`. A cursor is valid only with the same \`q\`, \`tag\` and \`sort\`. If the catalog changes between pages, no template appears twice and no remaining template is skipped.`,
  '**Parameters.** The catalog ignores empty and unknown parameters. A repeated parameter is an error (`invalid_query`).',
  '**Methods.** All GET endpoints also support HEAD. A request with OPTIONS returns the methods that an address supports.',
].join('\n\n');

/**
 * Returns the OpenAPI 3.1 document of the catalog API.
 * @param at URL path of the API. Not the default if the public URL of the catalog contains a path
 */
export function catalogDocument(version: string, at = '/api/v1'): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Davit catalog',
      version,
      description: DESCRIPTION,
      contact: { name: 'Davit' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: at }],
    // An empty `security` list means that no operation needs an API key.
    security: [],
    tags: Object.entries(CATALOG_TAGS).map(([name, tag]) => ({ name, description: tag })),
    paths: pathsOf(allCatalogOperations),
    components: { schemas: components, responses: failures() },
  };
}

/**
 * Map from schema to its name in the OpenAPI document. The document contains each schema only once. Operations refer to
 * a schema by name.
 */
const names = new Map<z.ZodType, string>(
  [...Object.entries(schemas), ['CatalogManifest', CatalogManifest] as const].map(([name, schema]) => [
    schema,
    name.replace(/^Catalog/, ''),
  ]),
);
const components = componentsOf(names);

/**
 * Error codes that every operation can return. The code `internal` is missing, because the response `default` describes
 * it.
 */
const TRANSPORT = CATALOG_TRANSPORT_ERRORS.filter((code) => code !== 'internal');

function componentsOf(all: ReadonlyMap<z.ZodType, string>): Json {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of all) registry.add(schema, { id });
  const { schemas: made } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: 'input' });
  return Object.fromEntries(Object.entries(made).map(([name, schema]) => [name, plain(schema as Json)]));
}

/** Removes the keywords `$schema` and `$id`, because only a separate JSON Schema file needs these keywords. */
function plain({ $schema: _, $id: __, ...rest }: Json): Json {
  return rest;
}

function pathsOf(operations: readonly CatalogOperation[]): Json {
  return Object.fromEntries(
    operations.map((operation) => [operation.path, { [operation.method.toLowerCase()]: operationObject(operation) }]),
  );
}

function operationObject(operation: CatalogOperation): Json {
  const { id, tag, summary, description, params, query, body, answer, errors } = operation;
  const parameters = [...parametersIn('path', params), ...parametersIn('query', query)];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: {
      200: { description: answer.description, content: contentOf(answer.content) },
      ...(operation.method === 'GET' && {
        304: { description: 'The resource has not changed: its `ETag` still equals the value of `If-None-Match`.' },
      }),
      ...Object.fromEntries(
        // The errors of the operation come last, so that they override general errors with the same HTTP status.
        [...TRANSPORT, ...errors].map((code) => [
          CATALOG_ERRORS[code].status,
          { $ref: `#/components/responses/${code}` },
        ]),
      ),
      default: { $ref: '#/components/responses/internal' },
    },
  };
}

function parametersIn(location: 'path' | 'query', object: z.ZodObject | undefined): Json[] {
  return Object.entries(object?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = plain(z.toJSONSchema(field as z.ZodType, { io: 'input' }) as Json);
    return { name, in: location, required: location === 'path', ...(description ? { description } : {}), schema };
  });
}

function requestBody(types: readonly string[]): Json {
  const schema = { type: 'string', description: `Template file in UTF-8, at most ${TEMPLATE_BYTES / 1024} KiB.` };
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function contentOf(content: CatalogOperation['answer']['content']): Json {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => {
      const name = schema && names.get(schema);
      return [type, name ? { schema: { $ref: `#/components/schemas/${name}` } } : {}];
    }),
  );
}

function failures(): Json {
  const schema = { $ref: '#/components/schemas/Failure' };
  return Object.fromEntries(
    Object.entries(CATALOG_ERRORS).map(([code, { message }]) => [
      code,
      {
        description: message,
        ...(code === ('unavailable' satisfies CatalogErrorCode) && {
          headers: {
            'Retry-After': { description: 'Seconds to wait before the next request.', schema: { type: 'string' } },
          },
        }),
        content: { 'application/json': { schema } },
      },
    ]),
  );
}
