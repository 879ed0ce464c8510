import type { SourceNode } from '../document.ts';
import type { Findings, SourceLocation } from '../findings.ts';
import { didYouMean } from '../hint.ts';
import type { ListShape, ObjectShape, Shape, VariantsShape } from '../schema/shape.ts';
import { asList, asMapping } from './hints.ts';
import { checkFields } from './object.ts';
import { checkScalar, invalidType } from './scalar.ts';
import { checkVariables } from './variables.ts';
import { either, kindOf, nameOf } from './words.ts';

/**
 * Checks the keys and types of a value, and returns the converted value. If the check has added problems to `findings`,
 * the returned value must not be used.
 */
export function checkShape(node: SourceNode, shape: Shape, location: SourceLocation, findings: Findings): unknown {
  switch (shape.is) {
    case 'list':
      return checkList(node, shape, location, findings);
    case 'object':
      return checkObject(node, shape, location, findings);
    case 'variants':
      return checkVariants(node, shape, location, findings);
    case 'variables':
      return checkVariables(node, location, findings);
    default:
      return checkScalar(node, shape, location, findings);
  }
}

function checkList(node: SourceNode, shape: ListShape, location: SourceLocation, findings: Findings): unknown {
  const { of, first = of, min = 0 } = shape;
  if (node.kind !== 'list') {
    return invalidType(node, 'a list', location, findings, () => asList(node, shape, location.path));
  }
  if (node.items.length < min) {
    findings.add(
      'schema.too_small',
      location,
      `${nameOf(location.path)} needs at least ${min} ${min === 1 ? 'item' : 'items'}.`,
    );
  }
  return node.items.map((item, index) =>
    checkShape(item, index === 0 ? first : of, { path: [...location.path, index], position: item.position }, findings),
  );
}

function checkObject(node: SourceNode, shape: ObjectShape, location: SourceLocation, findings: Findings): unknown {
  if (node.kind !== 'map') {
    return invalidType(node, 'a mapping', location, findings, () => asMapping(shape, location.path));
  }
  return checkFields(node, shape.fields, location, findings, checkShape);
}

function checkVariants(
  node: SourceNode,
  { by, variants }: VariantsShape,
  location: SourceLocation,
  findings: Findings,
): unknown {
  if (node.kind !== 'map') return invalidType(node, 'a mapping', location, findings);
  const entry = node.entries.find(({ key }) => key === by);
  const value = entry?.value;
  const named = value?.kind === 'scalar' && value.tag === 'string' ? value.text : null;
  const variant = named !== null && Object.hasOwn(variants, named) ? variants[named] : undefined;
  if (variant) return checkFields(node, variant.fields, location, findings, checkShape, variants);
  const at = { path: [...location.path, by], position: entry?.keyPosition ?? location.position };
  const names = either(Object.keys(variants));
  const message = value
    ? `\`${by}\` must be ${names}, but is ${kindOf(value)}.`
    : `\`${by}\` is missing. It must be ${names}.`;
  findings.add('schema.invalid_union', at, message, () => didYouMean(named, Object.keys(variants)));
  return undefined;
}
