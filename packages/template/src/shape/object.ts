import type { MapEntry, MapNode, SourceNode } from '../document.ts';
import type { Findings, SourceLocation } from '../findings.ts';
import { didYouMean } from '../hint.ts';
import type { Field, ObjectShape, Shape } from '../schema/shape.ts';
import { either, excerpt } from './words.ts';

export type Check = (node: SourceNode, shape: Shape, place: SourceLocation, findings: Findings) => unknown;
/**
 * Map from type of an object to its allowed keys. For example, an input of type `number` has other keys than an input
 * of type `text`.
 */
export type Variants = Record<string, ObjectShape>;

/** Hint for a user who checks a Compose file as if it were a template. */
const COMPOSE = 'Run `davit template import` to convert a Compose file to a template.';

/**
 * Checks the keys of a mapping and their values. First reports unknown keys. Then reports problems of known keys in the
 * order of the template format.
 */
export function checkFields(
  node: MapNode,
  fields: Record<string, Field>,
  location: SourceLocation,
  findings: Findings,
  check: Check,
  variants?: Variants,
): unknown {
  const entries = new Map<string, MapEntry>();
  for (const entry of node.entries) {
    if (Object.hasOwn(fields, entry.key)) entries.set(entry.key, entry);
    else unknownKey(entry, fields, locationOf(entry, location), findings, variants);
  }
  const values: Record<string, unknown> = {};
  for (const key in fields) {
    const [field, entry] = [fields[key], entries.get(key)];
    if (field && entry) values[key] = check(entry.value, field.shape, locationOf(entry, location), findings);
    else if (field?.required) missing(key, field, location, findings);
  }
  return values;
}

function locationOf({ key, keyPosition }: MapEntry, { path }: SourceLocation): SourceLocation {
  return { path: [...path, key], position: keyPosition };
}

function unknownKey(
  { key }: MapEntry,
  fields: Record<string, Field>,
  at: SourceLocation,
  findings: Findings,
  variants?: Variants,
): void {
  const owners = Object.entries(variants ?? {}).filter(([, { fields }]) => Object.hasOwn(fields, key));
  if (owners.length > 0) {
    const hint = () => `Only inputs of type ${either(owners.map(([type]) => type))} have \`${key}\`.`;
    findings.add('schema.unknown-key', at, `An input of this type does not have the key \`${key}\`.`, hint);
    return;
  }
  const isCompose = key === 'services' && at.path.length === 1;
  const hint = () => (isCompose ? COMPOSE : didYouMean(key, candidates(fields, variants)));
  findings.add('schema.unknown-key', at, `The key ${excerpt(key)} does not exist here.`, hint);
}

/**
 * Returns the valid keys with which a misspelled key is compared. For an input, these are the keys of all types,
 * because the type may also be wrong.
 */
function candidates(fields: Record<string, Field>, variants?: Variants): string[] {
  const all = variants ? Object.values(variants).map((variant) => variant.fields) : [fields];
  return [...new Set(all.flatMap((each) => Object.keys(each)))];
}

function missing(key: string, { example }: Field, location: SourceLocation, findings: Findings): void {
  const at = { path: [...location.path, key], position: location.position };
  // The example value is written as JSON, because it must fit on one line of the hint. JSON is also valid YAML.
  const hint = () =>
    example === undefined ? undefined : `Add the key, for example \`${key}: ${JSON.stringify(example)}\`.`;
  findings.add('schema.invalid_type', at, `\`${key}\` is missing.`, hint);
}
