import { asReference, withComponents } from './enumerations.ts';
import { changeSchemas, isObject, nameOfReference, type OpenApi, type Schema } from './schema.ts';

/**
 * Returns the OpenAPI document with a component for each union of components. Copies of a named union become references
 * to this component. Such copies exist because a Zod schema loses its name when it gets another description.
 * @throws Error if another component has the name of a union
 */
export function nameUnions(document: OpenApi): OpenApi {
  const simple = changeSchemas(document, (schema) => merged(withNull(schema)));
  const known = new Map<string, string>();
  for (const [name, schema] of Object.entries(simple.components.schemas)) {
    const alternatives = alternativesOf(schema);
    if (alternatives) known.set(JSON.stringify(alternatives), name);
  }
  const made = new Map<string, Schema>();
  const changed = changeSchemas(simple, (schema) => {
    const alternatives = alternativesOf(schema);
    if (!alternatives) return schema;
    const copied = known.get(JSON.stringify(alternatives));
    const name = copied ?? nameOfUnion(alternatives);
    if (name === null) return schema;
    if (copied === undefined) made.set(name, union(alternatives));
    const { anyOf: _, oneOf: __, discriminator: ___, ...others } = schema;
    return asReference(name, others, allowsNull(schema));
  });
  return withComponents(changed, made);
}

/** Returns the alternatives of a union without `null`. Returns `null` if the schema has fewer than two alternatives. */
export function alternativesOf({ anyOf, oneOf }: Schema): Schema[] | null {
  const all = anyOf ?? oneOf;
  if (!Array.isArray(all)) return null;
  const alternatives = all.filter(isObject).filter(({ type }) => type !== 'null');
  return alternatives.length > 1 ? alternatives : null;
}

function allowsNull({ anyOf, oneOf }: Schema): boolean {
  const all = anyOf ?? oneOf;
  return Array.isArray(all) && all.some((one) => isObject(one) && one.type === 'null');
}

/**
 * Corrects a reference that also allows `null`. In `allOf`, the generator combines the reference with the type
 * `["object", "null"]`. This schema would refuse `null`, because the component refuses `null`.
 */
function withNull(schema: Schema): Schema {
  const { allOf, ...others } = schema;
  if (!Array.isArray(allOf) || allOf.length !== 2) return schema;
  const [reference = {}, own = {}] = allOf.filter(isObject);
  const name = nameOfReference(reference);
  const { type, ...more } = own;
  if (name === null || !Array.isArray(type) || !type.includes('null')) return schema;
  return asReference(name, { ...more, ...others }, true);
}

/**
 * Merges alternatives of a schema that are equal or have only different types, for example two kinds of IP addresses.
 */
function merged(schema: Schema): Schema {
  const alternatives = alternativesOf(schema) ?? [];
  const types = alternatives.map(({ type }) => type);
  const [keywords, ...different] = new Set(alternatives.map(({ type: _, ...rest }) => JSON.stringify(rest)));
  if (keywords === undefined || different.length > 0 || !types.every((type) => typeof type === 'string')) return schema;
  const all = [...new Set([...types, ...(allowsNull(schema) ? ['null'] : [])])];
  const { anyOf: _, oneOf: __, ...others } = schema;
  return { type: all.length === 1 ? all[0] : all, ...(JSON.parse(keywords) as Schema), ...others };
}

/**
 * Returns a name for a union, such as `AppOrDeployPlan`. Returns `null` if an alternative is neither a component nor a
 * list of components.
 */
function nameOfUnion(alternatives: readonly Schema[]): string | null {
  const parts = alternatives.map((alternative) => {
    const item = itemOf(alternative);
    return item === null ? nameOfReference(alternative) : `${item}List`;
  });
  return parts.includes(null) ? null : parts.join('Or');
}

function union(alternatives: readonly Schema[]): Schema {
  const parts = alternatives.map((alternative) => {
    const item = itemOf(alternative);
    return item === null ? `\`${nameOfReference(alternative)}\`` : `a list of \`${item}\``;
  });
  const description = `Either ${parts.join(' or ')}. The description of the response says when.`;
  return { description, anyOf: alternatives };
}

/**
 * Returns the name of the component if the schema describes a list of one component. Returns `null` for all other
 * schemas.
 */
function itemOf({ items }: Schema): string | null {
  return isObject(items) ? nameOfReference(items) : null;
}
