import { ENUMERATIONS } from './enumeration-names.ts';
import { changeSchemas, type OpenApi, referenceTo, type Schema } from './schema.ts';

const NAMES = new Map(Object.entries(ENUMERATIONS).map(([name, values]) => [keyOf(values), name]));

/**
 * Returns the OpenAPI document with a component for each enumeration. References replace the enumerations in other
 * schemas. An enumeration without a name is not changed.
 * @throws Error if another component has the name of an enumeration
 */
export function nameEnumerations(document: OpenApi): OpenApi {
  const used = new Map<string, Schema>();
  const changed = changeSchemas(document, (schema) => {
    const values = enumerationOf(schema);
    const name = values && NAMES.get(keyOf(values));
    if (!name) return schema;
    used.set(name, { type: 'string', enum: values });
    const { type: _, enum: __, ...others } = schema;
    return asReference(name, others, Array.isArray(schema.enum) && schema.enum.includes(null));
  });
  return withComponents(changed, used);
}

/** Returns the texts of an enumeration without `null`. Returns `null` if the schema contains fewer than two texts. */
export function enumerationOf({ enum: values }: Schema): string[] | null {
  if (!Array.isArray(values)) return null;
  const texts = values.filter((value) => value !== null);
  return texts.length > 1 && texts.every((text) => typeof text === 'string') ? texts : null;
}

/**
 * Returns a reference to a component of the OpenAPI document.
 * @param others keywords that are not part of the component, such as `description`
 */
export function asReference(name: string, others: Schema, isNullable: boolean): Schema {
  if (!isNullable) return { ...referenceTo(name), ...others };
  return { oneOf: [referenceTo(name), { type: 'null' }], ...others };
}

/**
 * Returns a copy of the OpenAPI document with additional components.
 * @throws Error if the document already has a component with the same name
 */
export function withComponents(document: OpenApi, added: ReadonlyMap<string, Schema>): OpenApi {
  const { schemas } = document.components;
  const taken = [...added.keys()].filter((name) => Object.hasOwn(schemas, name));
  if (taken.length > 0) throw new Error(`name schemas: ${taken.join(', ')} is the name of another schema`);
  return { ...document, components: { ...document.components, schemas: { ...schemas, ...Object.fromEntries(added) } } };
}

function keyOf(values: readonly string[]): string {
  return values.join(' ');
}
