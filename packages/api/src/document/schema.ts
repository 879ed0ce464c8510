/** Functions that find and change the JSON schemas of an OpenAPI document. */

/** JSON schema as an object of keywords and values. */
export type Schema = Record<string, unknown>;

/** The parts of an OpenAPI document that contain schemas. */
export interface OpenApi {
  paths: Record<string, unknown>;
  components: { schemas: Record<string, Schema> } & Record<string, unknown>;
}

/** OpenAPI keywords whose value is a schema or a list of schemas. */
const WITH_SCHEMAS = new Set(['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Returns whether a value is a JSON object, for example a schema. */
export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a copy of the OpenAPI document in which `change` has replaced each schema, inner schemas first. `change` is
 * not called for components. Otherwise, a component could become a reference to itself.
 */
export function changeSchemas(document: OpenApi, change: (schema: Schema) => Schema): OpenApi {
  const { schemas } = document.components;
  const components = mapEntries(document.components, (name, value) =>
    name === 'schemas' ? mapEntries(schemas, (_, schema) => changeParts(schema, change)) : changeWithin(value, change),
  );
  const paths = mapEntries(document.paths, (_, value) => changeWithin(value, change));
  return { ...document, paths, components: components as OpenApi['components'] };
}

/** Returns a copy of a schema. `change` replaces first the inner schemas and then the schema. */
export function changeSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  return change(changeParts(schema, change));
}

/** Returns the name of the component to which a schema refers. Returns `null` if the schema is not a reference. */
export function nameOfReference({ $ref }: Schema): string | null {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;
}

export function referenceTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns a copy of an object with changed values. */
export function mapEntries<T>(
  object: Readonly<Record<string, T>>,
  change: (key: string, value: T) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));
}

function changeParts(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const changed = (part: unknown) => (isObject(part) ? changeSchema(part, change) : part);
  return mapEntries(schema, (keyword, value) => {
    // The keys of `properties` are field names. A field name can equal a keyword, such as `items`.
    if (keyword === 'properties' && isObject(value)) return mapEntries(value, (_, field) => changed(field));
    if (!WITH_SCHEMAS.has(keyword)) return value;
    return Array.isArray(value) ? value.map(changed) : changed(value);
  });
}

/**
 * Returns a copy of a part of an API operation, such as the request body. `change` replaces each schema, inner schemas
 * first.
 */
export function changeWithin(value: unknown, change: (schema: Schema) => Schema): unknown {
  if (Array.isArray(value)) return value.map((one) => changeWithin(one, change));
  if (!isObject(value)) return value;
  return mapEntries(value, (key, one) =>
    key === 'schema' && isObject(one) ? changeSchema(one, change) : changeWithin(one, change),
  );
}
