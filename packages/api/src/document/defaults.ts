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
 * Returns the document with descriptions instead of the keyword `default` in the schemas of request bodies. TypeScript
 * generators would make a field with the keyword required.
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

/** Returns the names of all components that request bodies consist of. */
export function namesInRequests(document: OpenApi): Set<string> {
  const names = new Set<string>();
  changeOperations(document, (operation) => {
    for (const name of namesIn(operation.requestBody)) names.add(name);
    return operation;
  });
  // The loop also visits the names that are added to the set during the loop.
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

/** Returns a sentence for the default of a field. It is empty for `{}`, because then the inner fields have defaults. */
function sentenceFor(value: unknown): string {
  if (value === '') return 'Default: empty.';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === '{}' ? '' : `Default: \`${text}\`.`;
}
