import {
  changeSchema,
  changeWithin,
  isObject,
  mapEntries,
  nameOfReference,
  type OpenApi,
  type Schema,
} from './schema.ts';

/**
 * Returns the OpenAPI document without the keyword `default` in the schemas of request bodies. Descriptions replace the
 * keyword. Because of the keyword, TypeScript generators would make a field required.
 */
export function describeDefaults(document: OpenApi): OpenApi {
  const names = namesInRequests(document);
  const schemas = mapEntries(document.components.schemas, (name, schema) =>
    names.has(name) ? changeSchema(schema, described) : schema,
  ) as Record<string, Schema>;
  const paths = changeOperations(document, ({ requestBody, ...operation }) =>
    requestBody === undefined ? operation : { ...operation, requestBody: changeWithin(requestBody, described) },
  );
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** Returns the names of all components that occur in request bodies. */
export function namesInRequests(document: OpenApi): Set<string> {
  const names = new Set<string>();
  changeOperations(document, (operation) => {
    for (const name of namesIn(operation.requestBody)) names.add(name);
    return operation;
  });
  // The loop adds names to the set, and then also visits the added names.
  for (const name of names) for (const inner of namesIn(document.components.schemas[name])) names.add(inner);
  return names;
}

function changeOperations({ paths }: OpenApi, change: (operation: Schema) => Schema): Record<string, unknown> {
  return mapEntries(paths, (_, methods) =>
    isObject(methods) ? mapEntries(methods, (_, one) => (isObject(one) ? change(one) : one)) : methods,
  );
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  return [nameOfReference(value) ?? [], ...Object.values(value).map(namesIn)].flat();
}

function described({ default: value, ...schema }: Schema): Schema {
  if (value === undefined) return schema;
  const { description = '' } = schema;
  const text = String(description);
  const sentence = /\bDefault: /.test(text) ? '' : sentenceFor(value);
  const words = [text, sentence].filter(Boolean).join(' ');
  return words === '' ? schema : { ...schema, description: words };
}

/**
 * Returns a sentence about the default of a field. Returns an empty text for the default `{}`, because the inner fields
 * have their own defaults.
 */
function sentenceFor(value: unknown): string {
  if (value === '') return 'Default: empty.';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '{}' ? '' : `Default: \`${text}\`.`;
}
