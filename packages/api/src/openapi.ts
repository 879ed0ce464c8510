import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { COMMON_HEADERS, CONVENTIONS, headersOfFailures, requestHeaders, responseHeaders } from './conventions.ts';
import { describeDefaults } from './document/defaults.ts';
import { nameEnumerations } from './document/enumerations.ts';
import { nameManifestSource } from './document/manifest-source.ts';
import type { OpenApi } from './document/schema.ts';
import { nameUnions } from './document/unions.ts';
import { ERRORS, type ErrorCode } from './errors.ts';
import { errorsOf, type Operation } from './operation.ts';
import { allOperations } from './operations/index.ts';
import { leastRole } from './permissions.ts';
import { AppPort } from './schemas/app.ts';
import { Problem } from './schemas/problem.ts';
import { TAGS } from './tags.ts';

/**
 * Schemas that are explicitly added to the OpenAPI document. The generator loses a schema's name if every use of the
 * schema has its own description.
 */
const DEFINITIONS = [{ type: 'schema' as const, schema: AppPort }];

/**
 * Returns the OpenAPI 3.1 document of the API.
 * @param version version of Davit
 */
export function openApiDocument(version: string): object {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'API key. The key has the role of its user, or a role with fewer permissions.',
  });
  for (const [name, description] of Object.entries(COMMON_HEADERS)) {
    registry.registerComponent('headers', name, { description, schema: { type: 'string' } });
  }
  registerFailures(registry);
  for (const operation of allOperations) registry.registerPath(route(operation));
  const document = new OpenApiGeneratorV31([...registry.definitions, ...DEFINITIONS]).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Davit',
      version,
      description: `The API of a Davit instance. The dashboard, the command line and the MCP tools are clients of this API.\n\n${CONVENTIONS}`,
      contact: { name: 'Davit' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  });
  // The generator returns plain JSON, but its TypeScript type is different.
  return describeDefaults(nameUnions(nameEnumerations(nameManifestSource(document as unknown as OpenApi))));
}

function route(operation: Operation): RouteConfig {
  const request: NonNullable<RouteConfig['request']> = {};
  if (operation.params) request.params = operation.params;
  if (operation.query) request.query = operation.query;
  const headers = requestHeaders(operation);
  if (headers) request.headers = headers;
  if (operation.body) {
    request.body = {
      required: !operation.bodyOptional,
      content: { 'application/json': { schema: operation.body } },
    };
  }
  return {
    method: operation.method.toLowerCase() as RouteConfig['method'],
    path: operation.path,
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, `Required role: ${leastRole(operation.permission)}.`]
      .filter(Boolean)
      .join('\n\n'),
    request,
    responses: { ...successes(operation), ...failures(operation) },
  };
}

function successes(operation: Operation): RouteConfig['responses'] {
  const unchanged = 'ETag' in responseHeaders(operation, 200) && {
    304: {
      description: 'The resource has not changed: its `ETag` still equals the value of `If-None-Match`.',
      headers: headersObject(responseHeaders(operation, 304)),
    },
  };
  const declared = Object.fromEntries(
    Object.entries(operation.responses).map(
      ([status, { description, schema, contentType, json, events, headers = {} }]) => {
        const content = {
          ...(schema && { [contentType ?? 'application/json']: { schema } }),
          ...(json && { 'application/json': { schema: json } }),
          ...(events && { 'text/event-stream': { schema: events } }),
        };
        const isEmpty = Object.keys(content).length === 0;
        const all = { ...headers, ...responseHeaders(operation, Number(status)) };
        return [status, { description, headers: headersObject(all), ...(!isEmpty && { content }) }];
      },
    ),
  );
  return { ...declared, ...unchanged };
}

type SchemaObject = Parameters<typeof OpenAPIRegistry.prototype.registerComponent<'schemas'>>[2];

/** Adds each error response to the OpenAPI document only once. API operations refer to these responses by name. */
function registerFailures(registry: OpenAPIRegistry): void {
  const { $schema: _, ...shape } = z.toJSONSchema(Problem, { io: 'input' });
  const { ref } = registry.registerComponent('schemas', 'Problem', shape as SchemaObject);
  const problem = { schema: ref };
  const content = { 'text/plain': { schema: { type: 'string' as const } }, 'application/problem+json': problem };
  const groups = allOperations.flatMap((operation) => [...failuresByStatus(operation)]);
  for (const [name, [status, codes]] of new Map(groups.map((group) => [nameOf(group[1]), group]))) {
    const headers = headersObject(headersOfFailures(status));
    const [only, ...others] = codes.map((code) => ERRORS[code].message);
    const description =
      others.length === 0
        ? (only ?? '')
        : `The request failed with one of these codes:\n\n${codes.map(described).join('\n')}`;
    registry.registerComponent('responses', name, { description, headers, content });
  }
}

function described(code: ErrorCode): string {
  return `- \`${code}\`: ${ERRORS[code].message}`;
}

function failures(operation: Operation): RouteConfig['responses'] {
  return Object.fromEntries(
    [...failuresByStatus(operation)].map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(codes)}` },
    ]),
  );
}

/**
 * Groups the error codes of an API operation by HTTP status. An OpenAPI document allows only one response per HTTP
 * status.
 */
function failuresByStatus(operation: Operation): Map<number, ErrorCode[]> {
  return Map.groupBy(errorsOf(operation), (code) => ERRORS[code].status);
}

function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join('.');
}

function headersObject(headers: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, headerObject(name, description)]),
  );
}

/**
 * Returns the OpenAPI definition of a response header. If many operations share the header with this description,
 * returns a reference to the shared definition.
 */
function headerObject(name: string, description: string) {
  if (COMMON_HEADERS[name] === description) return { $ref: `#/components/headers/${name}` };
  return { description, schema: { type: 'string' as const } };
}
